import json

import pytest
from click.testing import CliRunner

from sinbin.cli.capacity import command
from sinbin.errors import SinbinError
from sinbin.simulate.capacity import Demand, Supply, break_even, demand_of, supply_of
from sinbin.simulate.cost import Prices, TokenPrice, load_prices, token_cost
from sinbin.simulate.routing_search import Routing, reasons, routed, search
from sinbin.simulate.sizing import scaled, size

PRICES = Prices(tokens={"gpt-4.1-mini": TokenPrice(0.4, 1.6)}, ptu_hour=1.0, source="test", retrieved="2026-11-29")
SMALL = Demand(rps=2, prompt_tokens=20, completion_tokens=5)
LARGE = Demand(rps=2, prompt_tokens=1500, completion_tokens=500)
PRIORITY = {"a": {"priority": 1}, "b": {"priority": 2}}


def test_the_smaller_limit_binds(scenario):
    region = scenario(rpm=60, tpm=60_000).regions["a"]
    assert supply_of("a", region, SMALL) == Supply("a", 60, 2400, "requests")
    assert supply_of("a", region, LARGE) == Supply("a", 60, 30, "tokens")


def test_units_serve_by_weighed_tokens(scenario):
    # gpt-4.1-mini: 14,900 input tokens a minute per PTU, an output token counts four times.
    from sinbin.foundry.models import model_facts  # noqa: PLC0415

    facts = model_facts("gpt-4.1-mini")
    region = scenario(rpm=1).regions["a"].model_copy(update={"provisioned_units": 10})
    supply = supply_of("a", region, LARGE)
    assert supply.binds == "utilization"
    assert supply.serves_rpm == pytest.approx(
        10 * facts.input_tokens_per_ptu / (1500 + 500 * facts.output_token_weight)
    )


def test_units_pay_from_the_share_of_the_peak_where_both_cost_the_same():
    found = break_even("gpt-4.1-mini", Demand(rps=10, prompt_tokens=1000, completion_tokens=200), PRICES)
    assert found.tokens_usd_hour == pytest.approx(36_000 * (1000 * 0.4 + 200 * 1.6) / 1e6)
    assert found.ptu_usd_hour == found.units
    assert found.load_share == found.ptu_usd_hour / found.tokens_usd_hour


def test_a_mix_is_planned_by_its_mean_request(scenario):
    mixed = scenario(
        load={
            "kind": "diurnal",
            "troughRequestsPerSecond": 1,
            "peakRequestsPerSecond": 5,
            "mix": [
                {"name": "web", "share": 3, "promptTokens": 100, "completionTokens": 10},
                {"name": "batch", "share": 1, "promptTokens": 500, "completionTokens": 50},
            ],
        }
    )
    assert demand_of(mixed) == Demand(rps=5, prompt_tokens=200, completion_tokens=20)


def test_a_load_without_a_rate_cannot_be_planned_for(scenario):
    with pytest.raises(SinbinError, match='a load of kind "burst" has no rate to plan for'):
        demand_of(scenario(load={"kind": "burst", "requests": 5}))


def test_quota_is_bought_in_steps_and_requests_grow_with_it(scenario):
    region = scaled(scenario(rpm=60, tpm=60_000), 1.01).regions["a"]
    assert (region.tokens_per_minute, region.requests_per_minute) == (61_000, 61)


def test_the_purchase_is_the_least_that_reaches_the_target(scenario):
    short = scenario(
        rpm={"a": 60, "b": 60},
        tpm=60_000,
        load={"kind": "steady", "requestsPerSecond": 2, "durationSeconds": 300},
        gateway={"pool": PRIORITY, "circuitBreaker": {"count": 1}, "retry": {"count": 2}},
    )
    purchase = size(short, [(), ("a",), ("b",)], target_pct=99, runs=2)
    # With one region lost the other must carry 2 requests a second alone for five minutes: 600 requests from a
    # bucket that gives 6 x rpm, so 100 a minute; the trips that follow a refusal ask for a little more.
    assert purchase.today_pct < 70
    assert 100 / 60 <= purchase.factor <= 2.1
    assert purchase.tokens_per_minute == {
        "a": -(-round(60 * purchase.factor * 1000) // 1000) * 1000,
        "b": -(-round(60 * purchase.factor * 1000) // 1000) * 1000,
    }
    less = size(scaled(short, purchase.factor * 0.9), [(), ("a",), ("b",)], target_pct=99, runs=2)
    assert less.today_pct < 99


def test_quota_cannot_mend_a_routing_that_never_leaves_a_lost_region(scenario):
    stuck = scenario(
        rpm={"a": 60, "b": 60},
        load={"kind": "steady", "requestsPerSecond": 1, "durationSeconds": 60},
        gateway={"pool": PRIORITY},
    )
    purchase = size(stuck, [("a",)], target_pct=99.9, runs=1)
    assert (purchase.factor, purchase.reached_pct) == (None, 0)
    assert purchase.sentence == (
        "today 0.00 % are answered with a lost; no amount of quota reaches 99.9 % with this routing (at most "
        "0.00 %): change the routing first"
    )


def test_the_search_finds_the_sin_bin(scenario):
    short = scenario(
        rpm={"a": 60, "b": 60, "c": 60},
        load={"kind": "steady", "requestsPerSecond": 2, "durationSeconds": 120},
        client={"pick": "even"},
    )
    tried = search(short, ("a",), runs=1)
    assert len(tried) == 27
    assert tried[0].lost.total["success_pct"].mean == 100
    assert tried[-1].routing.breaker == "no breaker"
    sentences = reasons(tried)
    assert sentences[0].startswith(f"best: {tried[0].routing.name}; ")
    assert len(sentences) == 7


def test_priorities_follow_speed_and_weights_follow_quota(scenario):
    base = scenario(rpm={"slow": 120, "fast": 60}, client={"pick": "even"})
    regions = dict(base.regions)
    regions["fast"] = regions["fast"].model_copy(
        update={"latency": regions["fast"].latency.model_copy(update={"median_ms": 100, "p95_ms": 100})}
    )
    base = base.model_copy(update={"regions": regions})
    by_speed = routed(base, Routing("priority", "no breaker", "no retry")).gateway.pool
    by_quota = routed(base, Routing("by quota", "no breaker", "no retry")).gateway.pool
    assert {name: member.priority for name, member in by_speed.items()} == {"fast": 1, "slow": 2}
    assert {name: member.weight for name, member in by_quota.items()} == {"slow": 100, "fast": 50}


def test_prices_say_where_they_come_from_and_what_is_missing(tmp_path):
    own = load_prices()
    assert own.source
    assert {(price.retrieved, price.source.startswith("https://")) for price in own.tokens.values()} == {
        ("2026-11-30", True)
    }
    with pytest.raises(SinbinError, match='there is none for "gpt-9"'):
        token_cost(PRICES, "gpt-9", 1, 1)
    path = tmp_path / "prices.json"
    path.write_text("{}")
    with pytest.raises(SinbinError, match="is no price list"):
        load_prices(path)


def test_the_command_says_what_binds_and_what_to_buy(tmp_path):
    path = tmp_path / "s.yaml"
    path.write_text(
        "name: plan\n"
        "regions: {a: {requestsPerMinute: 60, tokensPerMinute: 60000, latency: {medianMs: 300, p95Ms: 300}}}\n"
        "load: {kind: steady, requestsPerSecond: 2, durationSeconds: 300}\n"
    )
    outcome = CliRunner().invoke(
        command, [str(path), "--target", "99", "--runs", "1", "--workers", "1", "--format", "json"]
    )
    document = json.loads(outcome.stdout)
    assert (document["demand_rpm"], document["serves_rpm"], document["refused_share_at_least"]) == (120, 60, 0.5)
    assert document["regions"] == [
        {"region": "a", "by_requests_rpm": 60, "by_tokens_rpm": 2400, "binds": "requests", "serves_rpm": 60}
    ]
    assert document["buy"]["today_pct"] == pytest.approx(60, abs=1)
    # 600 requests from a bucket that gives rpm x 6 in five minutes: 99 % of 100 a minute.
    assert document["buy"]["factor"] == pytest.approx(99 / 60, rel=0.05)
