"""What a forecast assumes is said: speeds that nobody measured, prices that nobody published."""

from dataclasses import replace

import pytest
from click.testing import CliRunner

from sinbin.cli.capacity import command
from sinbin.simulate.assumed import assumptions
from sinbin.simulate.cost import load_prices
from sinbin.simulate.latencies import known_latency
from sinbin.simulate.replications import replicate
from sinbin.simulate.report.page import report

HOW = "gpt-4.1-mini, answers of about 5 tokens, a caller in the United Kingdom, through API Management in UK South"
SWEDEN_ELSEWHERE = f"japaneast: not measured, latency of Sweden Central (2026-11-02, {HOW})"
PACE = (
    "each token of gpt-4.1-mini after the first takes 11 ms (90 a second, the published aim of provisioned "
    "deployments; pay-as-you-go may be slower)"
)


def located(scenario, *places, **changes):
    made = scenario(rpm=dict.fromkeys(places, 60), client={"pick": "even"})
    regions = {
        name: region.model_copy(
            update={
                "location": name,
                "latency": known_latency(name, changes.get("model", region.model)),
                **changes,
            }
        )
        for name, region in made.regions.items()
    }
    return made.model_copy(update={"regions": regions})


def test_speeds_are_those_of_the_load_tests_and_of_what_is_published(scenario):
    assert list(assumptions(located(scenario, "uksouth", "japaneast"), load_prices())) == [
        f"uksouth: latency of the load tests of 2026-11-02 ({HOW})",
        SWEDEN_ELSEWHERE,
        PACE,
    ]
    assert list(assumptions(located(scenario, "uksouth", "westeurope"), load_prices())) == [
        f"uksouth, westeurope: latency of the load tests of 2026-11-02 ({HOW})",
        PACE,
    ]


def test_a_latency_that_the_file_gives_is_no_assumption(scenario):
    assert list(assumptions(scenario(), load_prices())) == []


def test_prices_that_nobody_gave_are_named(scenario):
    prices = load_prices()
    provisioned = located(scenario, "uksouth", provisioned_units=15)
    assert list(assumptions(provisioned, prices))[2:] == [
        (
            "a PTU costs 1 USD an hour, 260 USD reserved for a month, 2652 USD reserved for a year: no price was "
            "found, name yours with --prices"
        )
    ]
    assert list(assumptions(provisioned, replace(prices, ptu_source="a contract")))[2:] == []
    assert list(assumptions(located(scenario, "uksouth", model="o1"), prices))[2:] == [
        "no cost of o1: the price list has none, name yours with --prices"
    ]


def test_results_carry_them(scenario):
    [result] = replicate([located(scenario, "japaneast")], runs=1)
    assert result.as_json()["assumptions"] == [SWEDEN_ELSEWHERE, PACE]
    assert f"<p>Assumed: {SWEDEN_ELSEWHERE}.</p>" in report([result], load_prices())


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_plan_carries_them(tmp_path, form):
    path = tmp_path / "s.yaml"
    path.write_text(
        "name: plan\n"
        "regions: {a: {provisionedUnits: 15, latency: {medianMs: 300, p95Ms: 300}}}\n"
        "load: {kind: steady, requestsPerSecond: 1, durationSeconds: 60}\n"
    )
    outcome = CliRunner().invoke(command, [str(path), "--runs", "1", "--workers", "1", "--format", form])
    assert outcome.exit_code == 0
    assert (
        "a PTU costs 1 USD an hour, 260 USD reserved for a month, 2652 USD reserved for a year: no price was found"
        in outcome.stdout
    )


def test_embeddings_take_what_was_measured_whatever_their_size(scenario):
    latency = known_latency("uksouth", "text-embedding-3-small")
    assert (latency.median_ms, latency.p95_ms, latency.per_token_ms) == (299, 798, 0)
    assert list(assumptions(located(scenario, "uksouth", model="text-embedding-3-small"), load_prices())) == [
        f"uksouth: latency of the load tests of 2026-11-02 ({HOW})"
    ]


def test_a_model_without_a_published_pace_is_as_quick_as_the_one_that_was_measured(scenario):
    assert known_latency("uksouth", "gpt-5-nano").per_token_ms == pytest.approx(1000 / 90)
    assert known_latency("uksouth", "gpt-4o").per_token_ms == 40
    assert list(assumptions(located(scenario, "uksouth", model="gpt-5-nano"), load_prices()))[1:] == [
        "each token of gpt-5-nano after the first takes 11 ms, as of gpt-4.1-mini: nothing is published for gpt-5-nano"
    ]
