import json

import pytest
from click.testing import CliRunner

from sinbin.cli.compare import command
from sinbin.simulate.compare import judge, pair_of
from sinbin.simulate.replications import replicate
from sinbin.simulate.scenario_file import ScenarioError

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
    with pytest.raises(ScenarioError, match=r"s\.yaml: gateway: is missing"):
        pair_of(scenario(), "s.yaml")
    with pytest.raises(ScenarioError, match=r"s.yaml: client.weights: is missing"):
        pair_of(scenario(regions=("a", "b"), gateway={"pool": {"a": {}, "b": {}}}), "s.yaml")


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
