"""Scenario files that describe no experiment, as a user meets them: one clear message, exit 2, at once."""

import subprocess
import sys

import pytest

GOOD = """name: s
regions:
  a: {requestsPerMinute: 60, tokensPerMinute: 60000, latency: {medianMs: 300, p95Ms: 400}}
load: {kind: steady, requestsPerSecond: 2, durationSeconds: 10}
"""
BOMB = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"a{level}: &a{level} [{','.join([f'*a{level - 1}'] * 9)}]\n" for level in range(1, 10)
)


def changed(old, new):
    assert old in GOOD
    return GOOD.replace(old, new)


def simulate(path):
    return subprocess.run(
        [sys.executable, "-m", "sinbin", "simulate", str(path), "--runs", "1", "--workers", "1"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            changed("requestsPerSecond: 2", "requestsPerSecond: -2"),
            "{path}: load.requestsPerSecond: must be more than 0 (got -2)",
        ),
        (
            changed("requestsPerSecond: 2", "requestsPerSecond: .nan"),
            "{path}: load.requestsPerSecond: must be a finite number (got nan)",
        ),
        (
            changed("requestsPerSecond: 2", "requestsPerSecond: true"),
            "{path}: load.requestsPerSecond: must be a number (got True)",
        ),
        (
            changed("requestsPerSecond: 2", "requestsPerSecond: 1.0e+300"),
            "{path}: load.requestsPerSecond: must be at most 1e+12 (got 1e+300)",
        ),
        (
            changed("requestsPerSecond: 2", f"requestsPerSecond: {'9' * 5000}"),
            f'{{path}}:4:41: "{"9" * 40}" is no int; put it in quotes if it is text',
        ),
        (
            changed("durationSeconds: 10", "durationSeconds: 0"),
            "{path}: load.durationSeconds: must be more than 0 (got 0)",
        ),
        (changed(", latency: {medianMs: 300, p95Ms: 400}", ""), "{path}: regions.a.latency: is missing"),
        (
            GOOD + "gateway: {pool: {mars: {}}}\n",
            '{path}: gateway.pool.mars: unknown region "mars"; the scenario has a',
        ),
        (
            GOOD + "gateway: {pool: {a: {weight: 0}}}\n",
            "{path}: gateway.pool: has weights that are all 0; give at least one region a weight",
        ),
        (GOOD + "name: t\n", '{path}:5:1: "name" is given twice'),
        (GOOD + "? [a, b]\n: 1\n", "{path}:5:3: a key has to be text"),
        (
            BOMB + "name: *a9\nregions: *a9\nload: *a9\n",
            "{path}: name: must be text\n{path}: regions: must be a mapping\n{path}: load: must be a mapping\n"
            + "\n".join(f"{{path}}: a{level}: is no key that is known here" for level in range(10)),
        ),
    ],
    ids=[
        "negative",
        "nan",
        "boolean",
        "huge",
        "digits",
        "no-time",
        "no-latency",
        "unknown-region",
        "no-weight",
        "twice",
        "key",
        "bomb",
    ],
)
def test_what_is_wrong_is_said_in_one_message(tmp_path, text, message):
    path = tmp_path / "s.yaml"
    path.write_text(text)
    outcome = simulate(path)
    assert (outcome.returncode, outcome.stdout) == (2, "")
    assert outcome.stderr == f"error: {message.format(path=path)}\n"


def test_a_provisioned_region_needs_no_quota(tmp_path):
    path = tmp_path / "s.yaml"
    path.write_text(changed("requestsPerMinute: 60, tokensPerMinute: 60000", "provisionedUnits: 5"))
    outcome = simulate(path)
    assert (outcome.returncode, outcome.stderr) == (0, "")
    assert "assumed: a PTU costs 1 USD an hour, 260 USD reserved for a month" in outcome.stdout


def test_a_reader_that_goes_away_is_no_finding(tmp_path):
    path = tmp_path / "s.yaml"
    path.write_text(GOOD)
    command = f"{sys.executable} -m sinbin simulate {path} --runs 1 --workers 1 | true; exit ${{PIPESTATUS[0]}}"
    outcome = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert (outcome.returncode, outcome.stderr) == (0, "")
