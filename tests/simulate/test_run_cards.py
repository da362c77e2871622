"""Published runs against the simulation: printed figures, tolerances of the task they were published for."""

import json
from pathlib import Path

import pytest

from sinbin.simulate import run as run_module
from sinbin.simulate.run import run
from sinbin.simulate.run_cards import ODDITIES, card_name, scenario_of
from sinbin.simulate.sites import make_sites
from sinbin.simulate.tally import Tally

CARDS = json.loads((Path(__file__).parents[2] / "docs" / "data" / "run-cards.json").read_text("utf-8"))
RUNS = {"steady": 16, "burst": 40}


def simulate(card):
    scenario = scenario_of(card, CARDS["region_speed"])
    total: Tally = run(scenario, 0)
    for seed in range(1, RUNS[card["load"]["kind"]]):
        total.merge(run(scenario, seed))
    return total


STEADY = [card for card in CARDS["cards"] if card["load"]["kind"] == "steady"]
BURST = [card for card in CARDS["cards"] if card["load"]["kind"] == "burst" and card_name(card) not in ODDITIES]


@pytest.mark.parametrize("card", STEADY, ids=card_name)
def test_a_steady_run_comes_out_as_printed(card):
    total = simulate(card)
    printed = card["success_pct"] if card["success_pct"] is not None else 100.0
    assert 100 * total.answered() / total.requests == pytest.approx(printed, abs=2)
    if card["calls_per_request"] is not None:
        assert total.calls / total.requests == pytest.approx(card["calls_per_request"], rel=0.1)


@pytest.mark.parametrize("card", BURST, ids=card_name)
def test_a_burst_comes_out_as_printed(card):
    total = simulate(card)
    assert 100 * total.answered() / total.requests == pytest.approx(card["success_pct"], abs=4)


@pytest.mark.parametrize(
    "name",
    [
        "circuit_breaker",
        "full_resilience",
        "gateway_throttle",
        "optimal_asym_apim",
        "retry_backoff",
        "retry_backoff_jitter",
    ],
)
def test_buckets_emptied_16_s_before_a_run_would_explain_six_bursts(monkeypatch, name):
    def emptied(scenario, seed, tallies):
        sites = make_sites(scenario, seed, tallies)
        for site in sites.values():
            requests = site._quota.requests
            requests.used(site._phase - 16)
            requests.charge(site._phase - 16, 11)
        return sites

    monkeypatch.setattr(run_module, "make_sites", emptied)
    card = next(card for card in CARDS["cards"] if card_name(card) == name)
    total = simulate(card)
    assert 100 * total.answered() / total.requests == pytest.approx(card["success_pct"], abs=3)


def test_every_card_is_a_scenario():
    assert len({card_name(card) for card in CARDS["cards"]}) == len(CARDS["cards"]) == 42
    assert {scenario_of(card, CARDS["region_speed"]).name for card in CARDS["cards"]} == {
        card_name(card) for card in CARDS["cards"]
    }


def test_four_trips_in_five_minutes_explain_the_refused_calls():
    refused = {}
    for card in CARDS["cards"]:
        if card["breaker"] is not None and card["refused_calls"] is not None:
            refused[card_name(card)] = (card["refused_calls"], simulate(card).refused_calls / RUNS["steady"])
    assert {name: printed for name, (printed, _) in refused.items()} == {
        "p6a_apim_priority": 4,
        "p6a_apim_retry_cb_trip1": 4,
        "p6a_apim_retry_cb": 12,
    }
    for printed, simulated in refused.values():
        assert simulated == pytest.approx(printed, rel=0.25)
