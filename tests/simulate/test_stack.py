"""A stack's own policies, compiled, against the routing program that stands in for them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from sinbin.cli.simulate import command, read_stack
from sinbin.errors import SinbinError, UsageError
from sinbin.simulate.capacity import demand_of
from sinbin.simulate.consumer_limits import allowances
from sinbin.simulate.cost import load_prices
from sinbin.simulate.latencies import known_latency
from sinbin.simulate.replications import replicate
from sinbin.simulate.report.setup import setup_of
from sinbin.simulate.run import run
from sinbin.simulate.stack import region_backends, stack_scenario
from sinbin.simulate.stack_routing import routing_scenario
from sinbin.topology import Retry

ROOT = Path(__file__).parents[2]
LOAD = {
    "kind": "poisson",
    "requestsPerSecond": 4,
    "durationSeconds": 120,
    "promptTokens": 20,
    "completionTokens": 5,
}


@pytest.fixture
def stack(monkeypatch):
    monkeypatch.chdir(ROOT)
    return read_stack("dev")


def unlimited(stack, **changes):
    """Return the stack without consumers' limits, which the routing program leaves to the policies."""
    topology = stack.topology
    consumers = tuple(
        replace(one, tokens_per_minute=None, requests_per_minute=None, token_quota=None)
        for one in topology.consumers
    )
    routes = tuple(replace(route, **changes) for route in topology.routes)
    topology = replace(topology, consumers=consumers, routes=routes)
    import policy_templates  # noqa: PLC0415

    return replace(stack, topology=topology, policies=policy_templates.render_policies(topology))


def decisions(scenario):
    """Return every call in order: when, which request, which backend, what came of it."""
    made = []

    class Watch:
        def watch(self, tally, sites):
            for site in sites.values():
                site.call = self.wrapped(site.call, site.name)

        def wrapped(self, call, name):
            def called(request, now, score):
                outcome = call(request, now, score)
                made.append((round(now, 9), request.number, name, outcome[0]))
                return outcome

            return called

    tally = run(scenario, 4, Watch())
    kinds = [(kind.requests, kind.unanswered) for kind in tally.kinds.values()]
    return made, kinds, tally.answered()


@pytest.mark.parametrize(
    "retry",
    [
        None,
        Retry(count=2, interval_s=0, first_fast_retry=True),
        Retry(count=1, interval_s=1),
        Retry(count=3, interval_s=1, delta_s=1),
    ],
    ids=["none", "at-once", "after-a-second", "linear"],
)
def test_the_compiled_policy_and_the_routing_program_make_the_same_decisions(stack, retry):
    plain = unlimited(stack, retry=retry)
    scarce = {
        name: region.model_copy(update={"requests_per_minute": 40.0})
        for name, region in routing_scenario(plain.topology, LOAD).regions.items()
    }
    compiled = stack_scenario(plain, LOAD).model_copy(update={"regions": scarce})
    routed = routing_scenario(plain.topology, LOAD).model_copy(update={"regions": scarce})
    calls, kinds, answered = decisions(compiled)
    expected_calls, expected_kinds, expected_answered = decisions(routed)
    assert {status for _, _, _, status in calls} == {200, 429}
    assert calls == expected_calls
    assert (kinds, answered) == (expected_kinds, expected_answered)


def test_weighted_draws_and_jitter_fall_alike_in_both(stack):
    plain = unlimited(stack, retry=Retry(count=3, interval_s=1, delta_s=1, max_interval_s=5))
    pools = tuple(
        replace(
            pool,
            members=tuple(
                replace(member, priority=1, weight=weight)
                for member, weight in zip(pool.members, (70, 30), strict=True)
            ),
        )
        for pool in plain.topology.pools
    )
    plain = replace(plain, topology=replace(plain.topology, pools=pools))
    scarce = {
        name: region.model_copy(update={"requests_per_minute": 40.0})
        for name, region in routing_scenario(plain.topology, LOAD).regions.items()
    }
    compiled = stack_scenario(plain, LOAD).model_copy(update={"regions": scarce})
    routed = routing_scenario(plain.topology, LOAD).model_copy(update={"regions": scarce})
    assert decisions(compiled) == decisions(routed)


def test_a_consumers_limit_in_the_policy_refuses_at_the_gateway(stack):
    limited = run(stack_scenario(stack, {**LOAD, "promptTokens": 400}), 1)
    free = run(stack_scenario(unlimited(stack), {**LOAD, "promptTokens": 400}), 1)
    [kind] = limited.kinds.values()
    assert kind.unanswered[429] > 0
    assert limited.calls < free.calls


def test_a_longer_answer_takes_longer_and_one_of_the_measured_size_takes_what_was_measured(stack):
    def uksouth(tokens):
        scenario = stack_scenario(unlimited(stack), {**LOAD, "requestsPerSecond": 0.5, "completionTokens": tokens})
        [result] = replicate([scenario], runs=4)
        return result.by_region["gpt-4-1-mini-standard-uksouth"]["median_ms"].mean

    measured = uksouth(5)
    assert measured == pytest.approx(299, rel=0.1)
    assert uksouth(95) - measured == pytest.approx(90 * 1000 / 90, rel=0.02)
    region = next(iter(stack_scenario(stack, LOAD).regions.values()))
    assert region.latency == known_latency("uksouth", "gpt-4.1-mini")
    assert region.latency.per_token_ms == pytest.approx(1000 / 90)
    assert region.latency.median_ms + 4 * region.latency.per_token_ms == pytest.approx(299)
    assert region.latency.p95_ms + 4 * region.latency.per_token_ms == pytest.approx(798)


def test_a_forecast_of_a_stack_says_what_it_takes_for_granted(monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("COLUMNS", raising=False)
    arguments = ["-s", "local", "--rps", "3", "--runs", "1", "--workers", "1", "--duration", "60"]
    text = CliRunner().invoke(command, arguments, catch_exceptions=False).stdout
    assert [line for line in text.splitlines() if line.startswith(("assumed: ", "prices "))] == [
        "assumed: the load comes in equal parts from web-chat, nightly",
        "assumed: every request has 200 prompt and 50 completion tokens",
        "assumed: callers name no max_tokens",
        (
            "assumed: uksouth, swedencentral, westeurope: latency of the load tests of 2026-11-02 (gpt-4.1-mini, "
            "answers of about 5 tokens, a caller in the United Kingdom, through API Management in UK South)"
        ),
        (
            "assumed: each token of gpt-4.1-mini after the first takes 11 ms (90 a second, the published aim of "
            "provisioned deployments; pay-as-you-go may be slower)"
        ),
        load_prices().sources(["gpt-4.1-mini"])[0],
    ]
    without = CliRunner().invoke(command, [*arguments, "--routing-only", "--max-tokens", "60"]).stdout
    assert [line for line in without.splitlines() if line.startswith("assumed: ")][:3] == [
        "assumed: no consumer has a limit of its own",
        "assumed: every request has 200 prompt and 50 completion tokens",
        "assumed: callers name 60 as max_tokens",
    ]


def test_a_report_names_the_pools_and_breakers_that_a_stack_deploys(monkeypatch):
    monkeypatch.chdir(ROOT)
    members = (
        "uksouth (priority 1, weight 90)",
        "swedencentral (priority 1, weight 5)",
        "westeurope (priority 1, weight 5)",
    )
    assert setup_of(stack_scenario(read_stack("local"), LOAD)) == [
        "poisson load (callers 20, promptTokens 20, completionTokens 5, requestsPerSecond 4, durationSeconds 120)",
        "through the gateway and its rendered policies, 1 unit",
        f"pool pool-chat-default: {', '.join(f'gpt-4-1-mini-standard-{one}' for one in members)}",
        (
            "breaker: 1 failure (429, 500-599, BackendConnectionFailure, Timeout) within PT1M; sits out PT1M, or as "
            "long as Retry-After says"
        ),
    ]


def test_streams_are_settled_by_the_policy_when_they_end(stack):
    streamed = run(stack_scenario(stack, {**LOAD, "stream": True, "durationSeconds": 20}), 1)
    assert streamed.answered() > 0


def test_a_fault_hits_every_backend_of_the_region(stack):
    scenario = routing_scenario(stack.topology, LOAD)
    assert region_backends(stack.topology, "uksouth", scenario) == ["gpt-4-1-mini-standard-uksouth"]
    with pytest.raises(
        SinbinError, match='unknown region "mars"; the alias is deployed in swedencentral, uksouth'
    ):
        region_backends(stack.topology, "mars", scenario)


@pytest.mark.parametrize("extra", [[], ["--routing-only"]])
def test_a_region_that_is_lost_shows_in_the_figures(monkeypatch, extra):
    monkeypatch.chdir(ROOT)
    arguments = [
        "-s",
        "dev",
        "--rps",
        "0.5",
        "--duration",
        "60",
        "--prompt-tokens",
        "10",
        "--completion-tokens",
        "5",
    ]
    outcome = CliRunner().invoke(
        command,
        [
            *arguments,
            *extra,
            "--fault",
            "outage:uksouth:0:60",
            "--runs",
            "1",
            "--workers",
            "1",
            "--format",
            "json",
        ],
        catch_exceptions=False,
    )
    document = json.loads(outcome.stdout)
    assert document["success_pct"]["mean"] == 100
    assert document["by_region"]["gpt-4-1-mini-standard-uksouth"]["answered"]["mean"] == 0
    assert document["by_region"]["gpt-4-1-mini-standard-swedencentral"]["answered"]["mean"] > 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-s", "dev"], "-s ENV needs a load: say how many requests a second with --rps"),
        ([], "name either scenario files or a stack: sinbin simulate chat.yaml, or -s prod --rps 20"),
        (
            ["-s", "dev", "--rps", "1", "--fault", "outage:uksouth"],
            'fault "outage:uksouth": is none; write KIND:REGION:FROM:TO[:VALUE] with KIND outage (VALUE a status), quota (VALUE the share that is left) or slow (VALUE a factor), for example outage:uksouth:120:240',
        ),
    ],
)
def test_what_does_not_go_together_is_said(monkeypatch, arguments, message):
    monkeypatch.chdir(ROOT)
    outcome = CliRunner().invoke(command, arguments)
    assert isinstance(outcome.exception, UsageError)
    assert str(outcome.exception) == message


def test_an_unknown_alias_is_named(stack):
    with pytest.raises(SinbinError, match='the stack has no alias "nope" \\(it has: chat-default'):
        stack_scenario(stack, LOAD, alias="nope")


def test_a_stack_tells_its_limits_and_its_emptied_pool_apart(stack):
    limited = run(stack_scenario(stack, LOAD | {"requestsPerSecond": 50}), 4)
    assert set(limited.refused_at_gateway) == {"limits"}
    unlimited_run = run(stack_scenario(unlimited(stack), LOAD | {"requestsPerSecond": 50}), 4)
    assert set(unlimited_run.refused_at_gateway) == {"pool empty"}


def test_the_limits_that_a_plan_asks_for_let_a_consumers_share_pass(monkeypatch):
    monkeypatch.chdir(ROOT)
    load = LOAD | {"requestsPerSecond": 2, "durationSeconds": 600, "promptTokens": 200, "completionTokens": 50}
    stack = read_stack("local")
    planned = stack_scenario(stack, load)
    limits = allowances(stack.topology.consumers, demand_of(planned), planned.deployed.instances)
    assert {one.consumer: (one.binds, one.needs) for one in limits} == {
        "web-chat": ("nothing", {"tokensPerMinute": 21_000}),
        "nightly": ("tokens", {"tokensPerMinute": 21_000}),
    }
    assert set(run(planned, 1).refused_at_gateway) == {"limits"}
    raised = tuple(replace(one, tokens_per_minute=21_000) for one in stack.topology.consumers)
    topology = replace(stack.topology, consumers=raised)
    import policy_templates  # noqa: PLC0415

    mended = replace(stack, topology=topology, policies=policy_templates.render_policies(topology))
    tally = run(stack_scenario(mended, load), 1)
    assert tally.refused_at_gateway.get("limits", 0) <= 0.005 * tally.requests
