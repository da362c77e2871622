import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from sinbin.cli import capacity, cards
from sinbin.cli.simulate import command
from sinbin.errors import SinbinError, UsageError
from sinbin.simulate.run_cards import card_name
from sinbin.simulate.scenario_file import ScenarioError

ROOT = Path(__file__).parents[2]
SCENARIO = """
name: plenty
regions: {uksouth: {requestsPerMinute: 600, tokensPerMinute: 600000, latency: {medianMs: 300, p95Ms: 300}}}
load: {kind: steady, requestsPerSecond: 5, durationSeconds: 20}
"""


def test_the_figures_come_as_json_with_intervals(tmp_path):
    path = tmp_path / "s.yaml"
    path.write_text(SCENARIO)
    outcome = CliRunner().invoke(command, [str(path), "--runs", "3", "--workers", "1", "--format", "json"])
    document = json.loads(outcome.stdout)
    assert outcome.exit_code == 0
    assert {key: document[key] for key in ("scenario", "runs", "seed", "success_pct", "calls_per_request")} == {
        "scenario": "plenty",
        "runs": 3,
        "seed": 0,
        "success_pct": {"mean": 100.0, "low": 100.0, "high": 100.0},
        "calls_per_request": {"mean": 1.0, "low": 1.0, "high": 1.0},
    }
    assert list(document["by_region"]) == ["uksouth"]
    assert list(document["by_consumer"]) == ["all"]
    assert {"goodput_rps", "throughput_rps", "refused_calls", "median_ms", "p95_ms", "elapsed_s"} <= set(document)
    assert abs(document["median_ms"]["mean"] / 300 - 1) <= 0.005


def test_all_files_are_judged_before_one_is_simulated(tmp_path):
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(SCENARIO.replace("requestsPerSecond: 5", "requestsPerSecond: 0"))
    outcome = CliRunner().invoke(command, [str(tmp_path / "a.yaml"), str(tmp_path / "b.yaml")])
    assert isinstance(outcome.exception, ScenarioError)
    assert str(outcome.exception) == (
        f"{tmp_path}/a.yaml: load.requestsPerSecond: must be more than 0 (got 0)\n"
        f"{tmp_path}/b.yaml: load.requestsPerSecond: must be more than 0 (got 0)"
    )


def test_a_trace_has_a_line_per_call_and_answer(tmp_path):
    path, trace = tmp_path / "s.yaml", tmp_path / "trace.csv"
    path.write_text(SCENARIO)
    CliRunner().invoke(command, [str(path), "--runs", "1", "--trace", str(trace)])
    lines = trace.read_text().splitlines()
    assert lines[0] == "at_s,request,kind,event,region,status,until_s,latency_ms"
    events = [line.split(",")[3] for line in lines[1:]]
    assert (events.count("call"), events.count("answer"), len(events)) == (100, 100, 200)
    assert lines[2].split(",")[7] == "300.000"


@pytest.mark.parametrize("option", ["--rps", "--duration"])
@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e999"])
def test_what_is_no_finite_number_is_refused_with_the_range(option, value):
    outcome = CliRunner().invoke(command, ["-s", "local", option, value])
    assert outcome.exit_code == 2
    assert outcome.stderr.splitlines()[-1] == (
        f"Error: Invalid value for '{option}': {value} is not a finite number in the range x>0."
    )


def test_a_target_that_is_no_number_is_refused_with_the_range():
    outcome = CliRunner().invoke(capacity.command, ["-s", "local", "--target", "nan"])
    assert outcome.exit_code == 2
    assert outcome.stderr.splitlines()[-1] == (
        "Error: Invalid value for '--target': nan is not a finite number in the range 1<=x<=100."
    )


@pytest.mark.parametrize(
    ("rps", "duration", "requests"), [("1e9", "300", "3e+11"), ("1", "1e12", "1e+12"), ("1e300", "1e300", "inf")]
)
def test_a_run_that_would_not_end_is_refused(monkeypatch, rps, duration, requests):
    monkeypatch.chdir(ROOT)
    outcome = CliRunner().invoke(command, ["-s", "local", "--rps", rps, "--duration", duration])
    assert isinstance(outcome.exception, UsageError)
    assert str(outcome.exception) == (
        f"--rps {float(rps):g} for --duration {float(duration):g} s: makes about {requests} requests in a run, "
        "allowed are 100,000,000; lower one of them"
    )


@pytest.mark.parametrize("option", ["--html", "--pictures", "--trace"])
def test_nothing_is_simulated_for_a_place_that_is_not_there(tmp_path, option):
    path = tmp_path / "s.yaml"
    path.write_text(SCENARIO)
    outcome = CliRunner().invoke(command, [str(path), option, str(tmp_path / "no" / "x")])
    assert isinstance(outcome.exception, SinbinError)
    assert str(outcome.exception) == (
        f"{tmp_path}/no/x: cannot be written: there is no folder {tmp_path}/no; make it first"
    )
    assert not (tmp_path / "no").exists()


def test_cards_are_those_of_the_project_unless_named(tmp_path, monkeypatch):
    (tmp_path / "docs" / "data").mkdir(parents=True)
    (tmp_path / "Pulumi.yaml").write_text("name: mine\n")
    known = json.loads((ROOT / "docs" / "data" / "run-cards.json").read_text("utf-8"))
    burst = next(card for card in known["cards"] if card["load"]["kind"] == "burst")
    (tmp_path / "docs" / "data" / "run-cards.json").write_text(json.dumps(known | {"cards": [burst]}))
    monkeypatch.chdir(tmp_path / "docs")
    outcome = CliRunner().invoke(cards.command, ["--runs", "1", "--workers", "1", "--format", "json"])
    assert [row["card"] for row in json.loads(outcome.stdout)] == [card_name(burst)]


def test_cards_outside_a_project_have_to_be_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    outcome = CliRunner().invoke(cards.command, [])
    assert isinstance(outcome.exception, UsageError)
    assert str(outcome.exception) == (
        "name a file of run cards: sinbin cards FILE.json "
        f"({tmp_path}: no Pulumi.yaml here or in a folder above; run the command inside a sinbin project)"
    )
