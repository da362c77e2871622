"""What must hold for every scenario."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sinbin.simulate import sites as sites_module
from sinbin.simulate.cost import load_prices
from sinbin.simulate.replications import replicate
from sinbin.simulate.results import summarise
from sinbin.simulate.run import run
from sinbin.simulate.scenario_file import parse_scenario

REGIONS = ("a", "b", "c")

clients = st.fixed_dictionaries(
    {"attempts": st.integers(1, 4), "pause": st.sampled_from([0, 0.3, [0.1, 1], "retry-after"])},
    optional={"coolDownSeconds": st.sampled_from([5, 60]), "whenAllCooling": st.sampled_from(["try", "fail"])},
).flatmap(
    lambda client: st.sampled_from(
        [
            {**client, "pick": "even"},
            {**client, "pick": "in-order"},
            {**client, "pick": "weighted", "weights": {"a": 90, "b": 5, "c": 5}},
        ]
    )
)
gateways = st.fixed_dictionaries(
    {
        "pool": st.fixed_dictionaries(
            {
                name: st.fixed_dictionaries({"priority": st.integers(1, 3), "weight": st.integers(1, 9)})
                for name in REGIONS
            }
        ),
        "circuitBreaker": st.one_of(
            st.none(),
            st.fixed_dictionaries(
                {"count": st.integers(1, 3), "acceptRetryAfter": st.booleans(), "tripDuration": st.just("PT20S")}
            ),
        ),
        "retry": st.one_of(
            st.none(),
            st.fixed_dictionaries({"count": st.integers(1, 3), "intervalSeconds": st.integers(0, 2)}),
        ),
        "instances": st.integers(1, 3),
    }
)
loads = st.sampled_from(
    [
        {"kind": "steady", "requestsPerSecond": 4, "durationSeconds": 60},
        {"kind": "poisson", "requestsPerSecond": 4, "durationSeconds": 60},
        {"kind": "burst", "requests": 150, "callers": 12},
        {"kind": "closed", "callers": 6, "thinkSeconds": 0.5, "durationSeconds": 60},
        {
            "kind": "bursty",
            "quietRequestsPerSecond": 0.5,
            "burstRequestsPerSecond": 12,
            "quietSeconds": 10,
            "burstSeconds": 5,
            "durationSeconds": 60,
        },
    ]
)
limiters = st.sampled_from(["token-bucket", "leaky-bucket", "fixed-minute", "sliding-minute"])


def make(load, *, rpm=40, tpm=1e9, limiter="token-bucket", **parts):
    return parse_scenario(
        {
            "name": "property",
            "regions": {
                name: {
                    "requestsPerMinute": rpm,
                    "tokensPerMinute": tpm,
                    "limiter": limiter,
                    "latency": {"medianMs": 200 + 100 * index, "p95Ms": 400 + 100 * index},
                }
                for index, name in enumerate(REGIONS)
            },
            "load": load,
            **parts,
        },
        source="property",
    )


@settings(max_examples=40, deadline=None)
@given(
    load=loads, limiter=limiters, client=clients, gateway=st.one_of(st.none(), gateways), rpm=st.integers(1, 80)
)
def test_goodput_never_exceeds_the_quota(load, limiter, client, gateway, rpm):
    tally = run(make(load, rpm=rpm, limiter=limiter, client=client, gateway=gateway), 3)
    for name in REGIONS:
        minutes = tally.elapsed_s / 60
        bound = rpm * (minutes + 1) + 1 if limiter.endswith("-bucket") else rpm * (int(minutes) + 2)
        assert tally.answered(region=name) <= bound
        calls = tally.regions[name]
        assert calls.calls == tally.answered(region=name) + calls.refused_calls + calls.failed_calls
    unanswered = sum(sum(kind.unanswered.values()) for kind in tally.kinds.values())
    assert tally.requests == tally.answered() + unanswered


@settings(max_examples=40, deadline=None)
@given(
    load=loads,
    limiter=st.sampled_from(["token-bucket", "leaky-bucket"]),
    client=clients,
    gateway=st.one_of(st.none(), gateways),
    rpm=st.integers(1, 80),
    tokens=st.tuples(st.integers(0, 60), st.integers(0, 20), st.one_of(st.none(), st.integers(1, 30))),
    spare=st.sampled_from([0.9, 1.0, 1.2]),
    share=st.sampled_from([0.01, 0.4, 1.0]),
)
def test_not_counting_tokens_that_cannot_refuse_changes_nothing(
    load, client, gateway, rpm, *, limiter, tokens, spare, share
):
    prompt, completion, most = tokens
    parts = {
        "client": client,
        "gateway": gateway,
        "faults": [{"kind": "quota", "region": "a", "fromSeconds": 5, "toSeconds": 20, "share": share}],
    }
    demand = {"promptTokens": prompt, "completionTokens": completion}
    if most is not None:
        demand["maxTokens"] = most
    # Around the limit of tokens at which they begin to matter.
    reserved = prompt + (16 if most is None else most)
    scenario = make(load | demand, rpm=rpm, tpm=max(1, rpm * reserved * spare), limiter=limiter, **parts)
    prices = load_prices()
    quick = summarise(scenario, 0, [run(scenario, 1)], prices).as_json()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sites_module, "requests_run_out_first", lambda _quota, _traffic: False)
        counted = summarise(scenario, 0, [run(scenario, 1)], prices).as_json()
    assert quick == counted


@settings(max_examples=15, deadline=None)
@given(
    load=loads.filter(lambda load: load["kind"] in ("steady", "poisson", "bursty")),
    client=clients.filter(lambda client: client["pick"] != "weighted" and "coolDownSeconds" not in client),
    rpm=st.integers(5, 60),
    more=st.integers(1, 200),
)
def test_more_quota_never_lowers_success_where_nothing_is_remembered(load, client, rpm, more):
    # One attempt, no memory: a setting in which the same calls are made whatever happened before.
    plain = {**client, "attempts": 1}
    few = run(make(load, rpm=rpm, client=plain), 5)
    many = run(make(load, rpm=rpm + more, client=plain), 5)
    assert few.requests == many.requests
    assert many.answered() >= few.answered()


@settings(max_examples=25, deadline=None)
@given(load=loads, gateway=gateways.filter(lambda gateway: gateway["circuitBreaker"] is not None))
def test_a_breaker_never_sends_to_a_member_that_sits_out(load, gateway):
    calls, sit_outs = [], []

    class Watch:
        def watch(self, tally, sites):
            for site in sites.values():
                site.call = self.wrapped(site.call, site.name)
            keep = tally.sits_out

            def sits_out(region, since, until):
                sit_outs.append((region, since, until))
                keep(region, since, until)

            tally.sits_out = sits_out

        def wrapped(self, call, name):
            def called(request, now, score):
                calls.append((name, now))
                return call(request, now, score)

            return called

    run(make(load, rpm=10, gateway={**gateway, "instances": 1}), 2, Watch())
    for region, since, until in sit_outs:
        assert not [now for name, now in calls if name == region and since < now < until]
    assert calls


@settings(max_examples=10, deadline=None)
@given(load=loads, client=clients, gateway=st.one_of(st.none(), gateways), seed=st.integers(0, 2**31))
def test_equal_seeds_give_equal_results(load, client, gateway, seed):
    scenario = make(load, client=client, gateway=gateway)
    prices = load_prices()
    first, second = (summarise(scenario, seed, [run(scenario, seed)], prices).as_json() for _ in range(2))
    assert first == second


def test_two_scenarios_that_differ_in_one_thing_see_the_same_requests():
    load = {
        "kind": "poisson",
        "requestsPerSecond": 5,
        "durationSeconds": 30,
        "promptTokens": {"median": 100, "p95": 900},
        "completionTokens": {"median": 50, "p95": 400},
    }
    seen = []
    for client in (
        {"pick": "even"},
        {"pick": "in-order", "attempts": 4, "coolDownSeconds": 9, "pause": {"exponential": 0.1, "jitter": True}},
    ):
        arrivals = []

        class Watch:
            def watch(self, tally, sites, arrivals=arrivals):
                for site in sites.values():
                    site.call = self.wrapped(site.call, arrivals)

            def wrapped(self, call, arrivals):
                def called(request, now, score):
                    arrivals.append((request.number, request.arrived, request.demand, request.completion))
                    return call(request, now, score)

                return called

        run(make(load, rpm=20, client=client), 1, Watch())
        seen.append(dict.fromkeys(arrivals))
    assert list(seen[0])[:100] == list(dict.fromkeys(sorted(seen[1])))[:100]


def test_cores_change_nothing():
    scenarios = [
        make({"kind": "burst", "requests": 100, "callers": 10}, client={"pick": "even"}),
        make({"kind": "poisson", "requestsPerSecond": 4, "durationSeconds": 60}, client={"pick": "in-order"}),
    ]
    one = replicate(scenarios, runs=3, seed=7, workers=1)
    two = replicate(scenarios, runs=3, seed=7, workers=2)
    assert [result.as_json() for result in one] == [result.as_json() for result in two]
