import io
import json
import math
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from sinbin.cli.capacity import command
from sinbin.errors import SinbinError
from sinbin.settings.schema import AliasSettings, CircuitBreakerSettings
from sinbin.simulate.capacity import Demand, Offer, Supply, break_even, demand_of, supply_of
from sinbin.simulate.capacity_plan import plan
from sinbin.simulate.consumer_limits import Allowance, allowances
from sinbin.simulate.cost import Prices, TokenPrice, load_prices, token_cost
from sinbin.simulate.plan_tables import print_plan
from sinbin.simulate.replications import replicate
from sinbin.simulate.routing_search import BREAKERS, RETRIES, STRATEGIES, Routing, as_good, reasons, routed, search
from sinbin.simulate.sizing import carrying, scaled, size
from sinbin.simulate.steady_state import WARM_UP_S, steady
from sinbin.topology import Consumer, TokenQuota

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
    assert found.offers == (Offer("by the hour", found.units),)
    [offer] = found.offers
    assert offer.load_share(found.tokens_usd_hour) == found.units / found.tokens_usd_hour


def test_units_are_bought_in_the_steps_of_their_model_and_compared_for_every_term():
    prices = Prices(
        tokens={"gpt-4.1-mini": TokenPrice(0.4, 1.6)},
        ptu_hour=1.0,
        ptu_reserved_month=260.0,
        ptu_reserved_year=2652.0,
        source="a list",
        retrieved="2026-11-29",
    )
    # 1200 requests/min of 1000 + 4 x 200 = 1800 weighed tokens, 14,900 a minute per PTU.
    found = break_even("gpt-4.1-mini", Demand(rps=20, prompt_tokens=1000, completion_tokens=200), prices)
    assert found.sentences == [
        (
            "145 PTU carry the peak, which uses 145.0 (Global, Data Zone: in steps of 5 from 15 on; Regional: 150, in "
            "steps of 25 from 25 on, at a price of its own); its tokens cost 51.84 USD an hour"
        ),
        "by the hour: 145.00 USD an hour: pay-as-you-go is cheaper at any load",
        "reserved for a month: 51.64 USD an hour: PTU are cheaper when the mean load is above 100% of the peak",
        "reserved for a year: 43.90 USD an hour: PTU are cheaper when the mean load is above 85% of the peak",
    ]
    small = break_even("gpt-4.1-mini", Demand(rps=1, prompt_tokens=100, completion_tokens=10), prices)
    assert (round(small.needed, 2), small.units, small.regional_units) == (0.56, 15, 25)


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
    # With one region lost the other must carry 120 requests a minute alone: 99 % of them in the long run, although
    # five minutes that begin with a full one ask for 100 a minute only.
    assert purchase.today_pct == pytest.approx(50, abs=0.5)
    assert 0.99 * 2 <= purchase.factor <= 2.1
    assert purchase.tokens_per_minute == {
        "a": -(-round(60 * purchase.factor * 1000) // 1000) * 1000,
        "b": -(-round(60 * purchase.factor * 1000) // 1000) * 1000,
    }
    less = size(scaled(short, purchase.factor * 0.9), [(), ("a",), ("b",)], target_pct=99, runs=2)
    assert less.today_pct < 99


def test_enough_quota_is_said_to_do_with_a_region_lost_too(scenario):
    plenty = scenario(
        rpm={"a": 600, "b": 600},
        load={"kind": "steady", "requestsPerSecond": 1, "durationSeconds": 60},
        gateway={"pool": PRIORITY, "circuitBreaker": {"count": 1}, "retry": {"count": 2}},
    )
    purchase = size(plenty, [(), ("a",), ("b",)], target_pct=99.9, runs=1)
    assert purchase.sentence == (
        "today 100.0 % are answered with a lost, so 99.9 % are reached; nothing is to be bought"
    )


def test_quota_cannot_mend_a_routing_that_never_leaves_a_lost_region(scenario):
    stuck = scenario(
        rpm={"a": 60, "b": 60},
        load={"kind": "steady", "requestsPerSecond": 1, "durationSeconds": 60},
        gateway={"pool": PRIORITY},
    )
    purchase = size(stuck, [("a",)], target_pct=99.9, runs=1)
    assert (purchase.factor, purchase.reached_pct) == (None, 0)
    assert purchase.sentence == (
        "today 0.0 % are answered with a lost; no amount of quota reaches 99.9 % with this routing (at most "
        "0.0 %): change the routing first"
    )


WEB = Consumer(
    name="web",
    traffic="interactive",
    aliases=("chat",),
    tokens_per_minute=20_000,
    requests_per_minute=30,
    token_quota=None,
)
NIGHT = Consumer(
    name="night",
    traffic="batch",
    aliases=("chat",),
    tokens_per_minute=50_000,
    requests_per_minute=None,
    token_quota=TokenQuota(tokens=6_000_000, period="Daily"),
)


def test_a_consumer_is_held_to_its_own_limits_as_often_as_the_gateway_has_units():
    # 120 requests a minute of 1000 tokens, 60 from each; 30 a minute come to each of two units.
    web, night = allowances([WEB, NIGHT], Demand(rps=2, prompt_tokens=800, completion_tokens=200), units=2)
    room = 30 + 3 * 30**0.5
    assert web == Allowance(
        consumer="web",
        units=2,
        wanted_rpm=60,
        by_requests_rpm=60,
        by_tokens_rpm=40,
        needs={"requestsPerMinute": math.ceil(room), "tokensPerMinute": 1000 * math.ceil(room)},
        quota_lasts_s=math.inf,
    )
    assert (web.binds, web.passes_rpm) == ("tokens", 40)
    assert night == Allowance(
        consumer="night",
        units=2,
        wanted_rpm=60,
        by_requests_rpm=math.inf,
        by_tokens_rpm=100,
        needs={},
        quota_lasts_s=60 * 6_000_000 / 30_000,
    )
    assert (night.binds, night.passes_rpm) == ("nothing", 60)


def test_a_full_minute_at_the_start_decides_nothing_in_the_long_run(scenario):
    short = scenario(rpm=60, load={"kind": "steady", "requestsPerSecond": 2, "durationSeconds": 300})
    begun, lasting = replicate([short, steady(short)], runs=2)
    assert begun.total["success_pct"].mean == pytest.approx(60, abs=1)
    assert lasting.total["success_pct"].mean == pytest.approx(50, abs=0.5)
    assert lasting.total["requests"].mean == pytest.approx(600, abs=2)
    assert lasting.total["elapsed_s"].mean == pytest.approx(300, abs=2)


def test_faults_come_after_the_warm_up(scenario):
    faulty = scenario(faults=[{"kind": "outage", "region": "a", "fromSeconds": 10, "toSeconds": 20}])
    [fault] = steady(faulty).faults
    assert (fault.from_seconds, fault.to_seconds) == (10 + WARM_UP_S, 20 + WARM_UP_S)


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
    equal = as_good(tried[0], tried)
    assert sentences[0].startswith(f"best: {tried[0].routing.name}; ")
    assert sentences[1].startswith(
        f"{len(equal) - 1} of the other 26 routings are as good, for all that 1 runs can"
    )
    assert len(sentences) == 8


def test_routings_that_cannot_be_told_apart_are_a_tie_and_the_default_is_named(scenario):
    plenty = scenario(
        regions=("a", "b"),
        rpm=6000,
        load={"kind": "poisson", "requestsPerSecond": 2, "durationSeconds": 60},
        client={"pick": "even"},
    )
    tried = search(plenty, (), runs=3)
    assert as_good(tried[0], tried) == tried
    assert reasons(tried) == [
        "best: priority, breaker at 1, 2 retries at once; 100.0 % answered, 100.0 % with a region lost, p95 300 ms",
        (
            "26 of the other 26 routings are as good, for all that 3 runs can tell; of equals the one nearest to what "
            "a stack deploys unless told otherwise is named"
        ),
        "by quota instead of priority: no difference at this load",
        "even instead of priority: no difference at this load",
        "breaker at 3 instead of breaker at 1: no difference at this load",
        "no breaker instead of breaker at 1: no difference at this load",
        "no retry instead of 2 retries at once: no difference at this load",
        "2 retries after 1 s instead of 2 retries at once: no difference at this load",
    ]


def test_what_is_named_best_is_what_a_stack_deploys_unless_told_otherwise():
    alias = AliasSettings.model_validate(
        {
            "alias": "chat",
            "model": {"name": "gpt-4.1-mini", "version": "2025-04-14"},
            "deployments": [{"sku": "Standard", "tokensPerMinute": 1000}],
        }
    )
    best = Routing(STRATEGIES[0], BREAKERS[0], RETRIES[0])
    assert best.name == "priority, breaker at 1, 2 retries at once"
    assert alias.routing.strategy == best.strategy
    assert alias.circuit_breaker == CircuitBreakerSettings()
    assert (alias.retry.count, alias.retry.interval_seconds) == (2, 0)


def test_routings_are_tried_with_enough_quota(scenario):
    short = scenario(
        rpm={"a": 60, "b": 60},
        tpm=60_000,
        load={"kind": "steady", "requestsPerSecond": 2, "durationSeconds": 60},
        gateway={"pool": PRIORITY, "circuitBreaker": {"count": 1}, "retry": {"count": 2}},
    )
    found = plan(
        short,
        [(), ("a",), ("b",)],
        target_pct=99,
        runs=2,
        workers=1,
        prices=PRICES,
        search_routings=True,
        done=lambda: None,
    )
    assert found.searched_factor == found.purchase.factor > 1.9
    best = found.routings[0]
    assert best.routing == Routing("priority", "breaker at 1", "2 retries at once")
    assert best.lost.total["success_pct"].mean >= 99
    assert best.normal.scenario.regions["a"].tokens_per_minute == found.purchase.tokens_per_minute["a"]
    console = Console(file=io.StringIO(), width=1000)
    print_plan(found, console)
    assert (
        f"routings are tried with {found.searched_factor:.2f} times today's pay-as-you-go quota: today's is short, "
        "and what suffers least from that is no reason to choose a routing\n"
    ) in console.file.getvalue()


def test_quota_that_no_routing_was_found_for_is_taken_as_what_carries_the_load(scenario):
    two = scenario(
        rpm={"a": 60, "b": 30},
        tpm=60_000,
        load={"kind": "steady", "requestsPerSecond": 1, "durationSeconds": 60},
        client={"pick": "even"},
    )
    assert carrying(two, ()) == 1
    assert carrying(two, ("a",)) == pytest.approx(1.1 * 60 / 30)


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
    assert (document["binds"], document["gateway_limits"]) == ("regions", [])
    # In the long run a region serves its requests per minute, however full it was at the start.
    assert document["buy"]["today_pct"] == pytest.approx(50, abs=0.5)
    assert document["buy"]["factor"] == pytest.approx(2 * 0.99, rel=0.05)


def test_a_stack_is_planned_with_the_limits_of_its_consumers(monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[2])
    monkeypatch.delenv("COLUMNS", raising=False)
    arguments = ["-s", "local", "--rps", "4", "--duration", "60", "--runs", "1", "--workers", "1", "--no-survive"]
    document = json.loads(CliRunner().invoke(command, [*arguments, "--format", "json"]).stdout)
    assert document["binds"] == "gateway"
    limits = {
        one["consumer"]: (one["wanted_rpm"], one["by_tokens_rpm"], one["binds"])
        for one in document["gateway_limits"]
    }
    assert limits == {"web-chat": (120, 80, "tokens"), "nightly": (120, 40, "tokens")}
    assert document["passes_rpm"] == 120
    assert document["refused_share_at_least"] == 0.5
    assert document["today"]["success_pct"]["mean"] == pytest.approx(50, abs=6)
    refused = document["today"]["refused_by_consumer"]
    assert list(refused) == ["web-chat", "nightly"]
    assert refused["nightly"]["limits"] > refused["web-chat"]["limits"] > 0
    # The regions alone would serve 180 of the 240.
    assert document["buy"]["today_pct"] <= 75
    text = CliRunner().invoke(command, arguments).stdout
    regions = round(document["serves_rpm"])
    assert (
        "the gateway's own limits bind first: they let 120 of 240 requests a minute pass (all regions together serve "
        f"{regions} requests a minute); in the long run at least 50.0% of the peak must be refused, by the gateway\n"
    ) in text
    assert (
        f"  nightly needs tokensPerMinute: {document['gateway_limits'][1]['needs']['tokensPerMinute']:,} for its share"
        in text
    )
    assert load_prices().sources(["gpt-4.1-mini"])[0] in text.splitlines()
    assert "\nassumed: the load comes in equal parts from web-chat, nightly\n" in text


def test_the_cap_of_a_scenario_is_a_limit_that_binds(tmp_path, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    path = tmp_path / "s.yaml"
    path.write_text(
        "name: plan\n"
        "regions: {a: {requestsPerMinute: 600, tokensPerMinute: 600000, model: gpt-5-nano, latency: {medianMs: 300, "
        "p95Ms: 300}}}\n"
        "load: {kind: steady, requestsPerSecond: 2, durationSeconds: 60}\n"
        "gateway: {pool: {a: {}}, requestsPerMinute: 30, instances: 2}\n"
    )
    outcome = CliRunner().invoke(command, [str(path), "--runs", "1", "--workers", "1"], catch_exceptions=False)
    refused = re.search(r"refused at the gateway: limits (.*) a run", outcome.stdout)
    assert float(refused[1]) == pytest.approx(60, abs=8)
    lines = outcome.stdout.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("the gateway's own limits"))
    assert lines[first:] == [
        (
            "the gateway's own limits bind first: they let 60 of 120 requests a minute pass (all regions together "
            "serve 600 requests a minute); in the long run at least 50.0% of the peak must be refused, by the gateway"
        ),
        lines[first + 1],
        lines[first + 2],
        "  all callers needs gateway.requestsPerMinute: 84 for its share of the load",
        "the regions, as if the gateway let everything through:",
        "today 100.0 % are answered with nothing lost, so 99.9 % are reached; nothing is to be bought",
        'no comparison of PTU with tokens: model "gpt-5-nano" is not offered provisioned',
        "assumed: the load has lasted: regions begin with nothing left, and the first 180 s are not counted",
    ]
    assert lines[first + 1].startswith("simulated as it is: 5")


def test_enough_for_the_peak_is_said_without_a_share_that_must_be_refused(tmp_path, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    path = tmp_path / "s.yaml"
    path.write_text(
        "name: plan\n"
        "regions: {a: {requestsPerMinute: 600, tokensPerMinute: 600000, latency: {medianMs: 300, p95Ms: 300}}}\n"
        "load: {kind: steady, requestsPerSecond: 2, durationSeconds: 60}\n"
    )
    text = CliRunner().invoke(command, [str(path), "--runs", "1", "--workers", "1"]).stdout
    assert (
        "\nall regions together serve 600 requests a minute, enough for the 120 of the peak when all are up and "
        "perfectly routed\nsimulated as it is: 100.0 % answered, 0.00 refused calls a run\n"
    ) in text
    assert "must be refused" not in text
