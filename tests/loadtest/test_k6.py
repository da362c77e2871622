"""The scripts and the process of k6: what it is told, how it ends."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from sinbin.errors import SinbinError
from sinbin.loadtest.estimate import estimate
from sinbin.loadtest.k6 import SCRIPTS, find_k6, run_k6
from sinbin.loadtest.run import run_load
from sinbin.loadtest.script import config_of, script_of
from sinbin.loadtest.target import Target
from sinbin.simulate.cost import load_prices
from sinbin.simulate.scenario_file import parse_scenario

NOWHERE = Target("http://127.0.0.1:9/openai/v1/chat/completions", "chat-default", "very-secret")
STEADY = {"kind": "steady", "requestsPerSecond": 4, "durationSeconds": 60}


def scenario(load):
    region = {"requestsPerMinute": 60, "tokensPerMinute": 60000, "latency": {"medianMs": 300, "p95Ms": 300}}
    return parse_scenario(
        {"name": "one", "regions": {"a": region}, "load": load, "gateway": {"pool": {"a": {}}}}, source="test"
    )


@pytest.mark.parametrize(
    ("load", "executor"),
    [
        (STEADY, {"executor": "constant-arrival-rate", "rate": 40_000, "duration": "6s", "timeUnit": "16m40s"}),
        (
            {"kind": "burst", "requests": 40, "callers": 8},
            {"executor": "shared-iterations", "iterations": 40, "vus": 8},
        ),
    ],
)
def test_k6_understands_the_scripts(tmp_path, load, executor):
    told = tmp_path / "config.json"
    target = Target(NOWHERE.url, NOWHERE.model, NOWHERE.key, speed=10)
    told.write_text(json.dumps(config_of(scenario(load), target, {"success": ["rate>=0.9"]})))
    command = [
        find_k6(),
        "inspect",
        "--execution-requirements",
        "--include-system-env-vars",
        str(SCRIPTS / script_of(scenario(load).load)),
    ]
    environment = {**os.environ, "SINBIN_LOADTEST_CONFIG": str(told)}
    said = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    found = json.loads(said)
    assert {name: found["scenarios"]["load"][name] for name in executor} == executor
    assert found["thresholds"] == {"success": ["rate>=0.9"]}


def test_the_kinds_of_a_mix_and_sizes_that_vary_are_told():
    mix = [
        {"name": "chat", "share": 3, "promptTokens": {"median": 100, "p95": 400}, "maxTokens": 9},
        {"name": "none", "share": 0},
    ]
    [kind] = config_of(scenario(STEADY | {"mix": mix}), NOWHERE, {})["kinds"]
    assert kind == {
        "name": "chat",
        "share": 3,
        "stream": False,
        "promptTokens": {"median": 100, "sigma": pytest.approx(0.8428, abs=1e-4)},
        "maxTokens": 9,
    }


def test_a_load_that_k6_does_not_send_here_is_refused():
    with pytest.raises(SinbinError, match='loads of kind "steady" and "burst", not "poisson"'):
        script_of(scenario(STEADY | {"kind": "poisson"}).load)


def test_the_estimate_is_an_upper_bound():
    found = estimate(
        scenario(STEADY | {"promptTokens": 1000, "completionTokens": 100, "maxTokens": 500}), load_prices()
    )
    assert (found.requests, found.prompt_tokens, found.completion_tokens) == (240, 240_000, 120_000)
    assert found.usd == pytest.approx(0.24 * 0.4 + 0.12 * 1.6)


def test_a_gateway_that_does_not_answer_is_said():
    with pytest.raises(SinbinError, match=r"127.0.0.1:9/\S+: no request was answered: .*connection refused"):
        run_load(scenario({"kind": "burst", "requests": 3}), NOWHERE, find_k6(), load_prices())


def test_what_k6_has_against_a_script_is_said():
    with pytest.raises(SinbinError, match=r"k6 ended with code 104: .*duration must be at least 1s"):
        run_k6(
            find_k6(), "steady.js", config_of(scenario(STEADY), NOWHERE, {}) | {"durationSeconds": 0.1}, NOWHERE
        )


SENDS = """
import sys
from pathlib import Path
from tests.loadtest.test_k6 import NOWHERE, STEADY, scenario
from sinbin.loadtest.k6 import find_k6, run_k6
from sinbin.loadtest.script import config_of

try:
    print("begins", flush=True)
    run_k6(find_k6(), "steady.js", config_of(scenario(STEADY), NOWHERE, {}), NOWHERE)
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


def test_ctrl_c_ends_k6_too_and_no_secret_is_in_its_command_line(tmp_path, request):
    def processes():
        """Return the command lines of k6 that have our temporary folder among their words."""
        said = subprocess.run(["ps", "-A", "-ww", "-o", "args"], check=True, capture_output=True, text=True).stdout
        return [line for line in said.splitlines() if str(tmp_path) in line and "steady.js" in line]

    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(SENDS)],
        cwd=request.config.rootpath,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
    )
    until = time.monotonic() + 20
    while not (running := processes()) and time.monotonic() < until:
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=20)
    assert (len(running), "very-secret" in running[0]) == (1, False)
    assert (out, processes()) == ("begins\nstopped\n", [])
    assert list(tmp_path.iterdir()) == []
