"""What a forecast assumes is said: speeds that nobody measured, prices that nobody published."""

from dataclasses import replace

import pytest
from click.testing import CliRunner

from sinbin.cli.capacity import command
from sinbin.simulate.assumed import assumptions
from sinbin.simulate.cost import load_prices
from sinbin.simulate.latencies import measured_latency
from sinbin.simulate.replications import replicate
from sinbin.simulate.report.page import report

SWEDEN_ELSEWHERE = (
    "japaneast answers in 396 ms (95th percentile 929 ms), as Sweden Central does from the United Kingdom: "
    "not measured"
)


def located(scenario, *places, **changes):
    made = scenario(rpm=dict.fromkeys(places, 60), client={"pick": "even"})
    regions = {
        name: region.model_copy(update={"location": name, "latency": measured_latency(name), **changes})
        for name, region in made.regions.items()
    }
    return made.model_copy(update={"regions": regions})


def test_a_region_that_was_not_measured_is_named(scenario):
    assert list(assumptions(located(scenario, "uksouth", "japaneast"), load_prices())) == [SWEDEN_ELSEWHERE]
    assert list(assumptions(located(scenario, "uksouth", "westeurope"), load_prices())) == []


def test_a_latency_that_the_file_gives_is_no_assumption(scenario):
    assert list(assumptions(scenario(), load_prices())) == []


def test_prices_that_nobody_gave_are_named(scenario):
    prices = load_prices()
    provisioned = located(scenario, "uksouth", provisioned_units=15)
    assert list(assumptions(provisioned, prices)) == [
        "a PTU costs 1 USD an hour: no price was found, name yours with --prices"
    ]
    assert list(assumptions(provisioned, replace(prices, ptu_source="a contract"))) == []
    assert list(assumptions(located(scenario, "uksouth", model="o1"), prices)) == [
        "no cost of o1: the price list has none, name yours with --prices"
    ]


def test_results_carry_them(scenario):
    [result] = replicate([located(scenario, "japaneast")], runs=1)
    assert result.as_json()["assumptions"] == [SWEDEN_ELSEWHERE]
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
    assert "a PTU costs 1 USD an hour: no price was found" in outcome.stdout
