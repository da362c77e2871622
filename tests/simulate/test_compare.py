import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from sinbin.cli.compare import command
from sinbin.simulate.compare import judge, pair_of, pairs_of
from sinbin.simulate.replications import replicate
from sinbin.simulate.scenario_file import ScenarioError, load_scenarios

ROOT = Path(__file__).parents[2]
WEIGHTS = {"a": 90, "b": 5, "c": 5}
POOL = {name: {"weight": weight} for name, weight in WEIGHTS.items()}
STEADY = {"kind": "steady", "requestsPerSecond": 2, "durationSeconds": 300}


def verdict(scenario):
    gateway, client = replicate(pair_of(scenario, "s.yaml"), runs=4)
    return judge(gateway, client)


def test_a_sin_bin_in_the_gateway_beats_a_client_without_memory(scenario):
    sides = scenario(
        rpm=dict.fromkeys("abc", 60),
        load=STEADY,
        gateway={"pool": POOL, "circuitBreaker": {"count": 1}, "retry": {"count": 2}},
        client={"weights": WEIGHTS},
    )
    found = verdict(sides)
    assert (found.winner, found.more_success, found.faster, found.certain) == ("gateway", "gateway", None, True)
    assert found.sentence == f"the gateway wins: {found.success_points.mean:.1f} points of success more"


def test_the_same_work_on_both_sides_is_a_draw(scenario):
    sides = scenario(
        rpm=dict.fromkeys("abc", 6000), load=STEADY, gateway={"pool": POOL}, client={"weights": WEIGHTS}
    )
    found = verdict(sides)
    assert (found.winner, found.certain) == (None, True)
    assert found.sentence == (
        "neither wins: 0.0 points of success (more than 2 decide) and 0 ms of p95 (more than 50 decide) lie "
        "between them"
    )


def test_a_pair_needs_both_sides(scenario):
    with pytest.raises(ScenarioError) as alone:
        pair_of(scenario(), "s.yaml")
    assert str(alone.value) == (
        "s.yaml: has no gateway, and no scenario with one stands before it; compare judges a gateway against a "
        "client; to see any scenarios side by side: sinbin simulate s.yaml"
    )


def test_run_cards_are_no_scenario():
    path = ROOT / "docs/data/run-cards.json"
    with pytest.raises(ScenarioError) as refused:
        load_scenarios([path])
    assert (
        str(refused.value) == f"{path}: holds run cards, not a scenario; simulate them with: sinbin cards {path}"
    )


def test_two_gateways_are_no_pair(scenario):
    gateway = scenario(regions=("a", "b"), gateway={"pool": {"a": {}, "b": {}}})
    with pytest.raises(ScenarioError) as refused:
        pairs_of([gateway, gateway], ["prio.yaml", "prio3.yaml"])
    assert str(refused.value) == (
        "prio.yaml: has a gateway, and no client that could do without it; write under `client` how callers choose a "
        "region by themselves (pick: even, or weights by region), or let a scenario without a gateway follow; compare "
        "judges a gateway against a client; to see any scenarios side by side: sinbin simulate prio.yaml OTHER.yaml"
    )


def test_the_pairs_that_the_readme_names_are_pairs():
    paths = sorted((ROOT / "docs/scenarios/pairs").glob("*.yaml"))
    assert "`sinbin compare docs/scenarios/pairs/*.yaml`" in (ROOT / "README.md").read_text("utf-8")
    pairs = pairs_of(load_scenarios(paths), [str(path) for path in paths])
    assert [(one.gateway is None, other.gateway is None) for one, other in pairs] == [(False, True)] * len(paths)


def test_names_stand_in_full_where_no_terminal_is(tmp_path, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    paths = []
    for side, more in (("gateway", "gateway: {pool: {a: {}}}\n"), ("client", "")):
        paths.append(str(tmp_path / f"{side}.yaml"))
        (tmp_path / f"{side}.yaml").write_text(
            f"name: a-main-region-that-is-short-of-quota-{side}\n"
            "regions: {a: {requestsPerMinute: 600, tokensPerMinute: 600000, latency: {medianMs: 300, p95Ms: 300}}}\n"
            "load: {kind: steady, requestsPerSecond: 1, durationSeconds: 30}\n" + more
        )
    outcome = CliRunner().invoke(command, [*paths, "--runs", "1", "--workers", "1"], catch_exceptions=False)
    names = [line.split("│")[1].strip() for line in outcome.stdout.splitlines() if line.startswith("│")]
    assert names == ["a-main-region-that-is-short-of-quota-gateway", "a-main-region-that-is-short-of-quota-client"]


def test_the_command_says_who_wins(tmp_path):
    path = tmp_path / "pair.yaml"
    path.write_text(
        "name: pair\n"
        "regions: {a: {requestsPerMinute: 600, tokensPerMinute: 600000, latency: {medianMs: 300, p95Ms: 300},\n"
        "              gatewayLatency: {medianMs: 400, p95Ms: 400}}}\n"
        "load: {kind: steady, requestsPerSecond: 1, durationSeconds: 30}\n"
        "gateway: {pool: {a: {}}}\n"
    )
    outcome = CliRunner().invoke(command, [str(path), "--runs", "2", "--workers", "1", "--format", "json"])
    document = json.loads(outcome.stdout)
    assert document["p95_ms"]["mean"] == pytest.approx(100, abs=0.005 * 400 * 2)
    assert (document["winner"], document["sentence"]) == (
        "client",
        f"the client wins: {document['p95_ms']['mean']:.0f} ms of p95 less",
    )
