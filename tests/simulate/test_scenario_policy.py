"""A scenario's gateway is our template: rendered, compiled, and decided alike by the quick program."""

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import policy_templates
from policy_templates.inference_api.operations import OPERATIONS
from sinbin.cli import compare, simulate
from sinbin.simulate.scenario_file import ScenarioError, parse_scenario
from sinbin.simulate.scenario_policy import (
    Templates,
    compiled_scenario,
    decisions,
    first_difference,
    policy_scenario,
    scenario_topology,
)
from sinbin.simulate.stack import StackScenario

ROOT = Path(__file__).parents[2]
TEMPLATES = Templates(
    render=policy_templates.render_policies,
    operations=OPERATIONS,
    named_values=lambda topology: {one.name: one.value for one in policy_templates.named_values(topology)},
)
FILE = """
name: short
regions:
  a: {requestsPerMinute: 20, tokensPerMinute: 20000, latency: {medianMs: 300, p95Ms: 400}}
  b: {requestsPerMinute: 20, tokensPerMinute: 20000, latency: {medianMs: 300, p95Ms: 400}}
load: {kind: steady, requestsPerSecond: 2, durationSeconds: 60}
gateway: {pool: {a: {priority: 1}, b: {priority: 2}}, circuitBreaker: {count: 1}, retry: {count: 1}}
"""
OUTAGE = {"kind": "outage", "region": "b", "fromSeconds": 5, "toSeconds": 25}
SLOW = {"kind": "slow", "region": "a", "fromSeconds": 1, "toSeconds": 20, "factor": 4}


def make(gateway, load=None, **parts):
    return parse_scenario(
        {
            "name": "policy",
            "regions": {
                name: {
                    "requestsPerMinute": 30,
                    "tokensPerMinute": 30_000,
                    "latency": {"medianMs": 300, "p95Ms": 400},
                }
                for name in "abc"
            },
            "load": load or {"kind": "poisson", "requestsPerSecond": 4, "durationSeconds": 60},
            "gateway": {"pool": {"a": {"priority": 1}, "b": {"priority": 2}, "c": {"priority": 2}}, **gateway},
            **parts,
        },
        source="policy",
    )


growing = st.sampled_from([{}, {"deltaSeconds": 1}, {"deltaSeconds": 1, "maxIntervalSeconds": 4}])
retries = st.tuples(
    st.fixed_dictionaries(
        {
            "count": st.integers(1, 3),
            "intervalSeconds": st.integers(0, 2),
            "firstFastRetry": st.booleans(),
        }
    ),
    growing,
).map(lambda parts: parts[0] | parts[1])
gateways = st.fixed_dictionaries(
    {
        "pool": st.fixed_dictionaries(
            {
                name: st.fixed_dictionaries({"priority": st.integers(1, 3), "weight": st.integers(1, 5)})
                for name in "abc"
            }
        ),
        "circuitBreaker": st.one_of(
            st.none(),
            st.fixed_dictionaries(
                {
                    "count": st.integers(1, 3),
                    "acceptRetryAfter": st.booleans(),
                    "tripDuration": st.sampled_from(["PT7S", "PT20S"]),
                }
            ),
        ),
        "retry": st.one_of(st.none(), retries),
        "requestsPerMinute": st.sampled_from([None, 20, 150]),
        "instances": st.integers(1, 2),
    }
)
loads = st.sampled_from(
    [
        {"kind": "poisson", "requestsPerSecond": 4, "durationSeconds": 40},
        {"kind": "burst", "requests": 150, "callers": 12},
        {"kind": "closed", "callers": 6, "thinkSeconds": 0.5, "durationSeconds": 40},
        {
            "kind": "steady",
            "requestsPerSecond": 4,
            "durationSeconds": 40,
            "stream": True,
            "completionTokens": {"median": 30, "p95": 200},
        },
        {
            "kind": "steady",
            "requestsPerSecond": 4,
            "durationSeconds": 40,
            "mix": [{"name": "short", "share": 3}, {"name": "long", "share": 1, "promptTokens": 4000}],
        },
    ]
)
clients = st.fixed_dictionaries({"attempts": st.integers(1, 4), "pause": st.sampled_from([0, 0.3, "retry-after"])})
faults = st.sampled_from([[], [OUTAGE], [SLOW], [OUTAGE, SLOW]])


@settings(max_examples=40, deadline=None)
@given(gateway=gateways, load=loads, client=clients, faults=faults)
def test_the_rendered_policy_and_the_quick_program_decide_alike(gateway, load, client, faults):
    scenario = make(gateway, load, client=client, faults=faults)
    assert first_difference(scenario, compiled_scenario(scenario, TEMPLATES), 3) is None


def test_a_scenario_that_decides_alike_is_simulated_by_the_quick_program():
    scenario = make({"circuitBreaker": {"count": 1}, "retry": {"count": 2}})
    assert policy_scenario(scenario, TEMPLATES) == (scenario, None)
    assert {line.split(",")[3] for line in decisions(scenario, 0)} == {"call", "answer", "unanswered", "sits-out"}


def test_a_template_that_decides_otherwise_is_simulated_itself():
    def two_retries(topology):
        return [
            replace(policy, text=policy.text.replace('count="1"', 'count="2"'))
            for policy in policy_templates.render_policies(topology)
        ]

    scenario = make({"retry": {"count": 1, "intervalSeconds": 0}})
    simulated, difference = policy_scenario(scenario, replace(TEMPLATES, render=two_retries))
    assert isinstance(simulated, StackScenario)
    assert simulated.gateway == scenario.gateway
    assert ",call," in difference


def test_only_the_first_requests_are_compared():
    scenario = make({})
    lines = decisions(scenario, 0, requests=10)
    assert {int(line.split(",")[1]) for line in lines} == set(range(1, 11))


@pytest.mark.parametrize(
    "retry", [{"count": 1, "retryOn": ["429"]}, {"count": 1, "bufferRequestBody": False}], ids=["statuses", "body"]
)
def test_what_the_template_does_not_do_is_a_bare_policy(retry):
    scenario = make({"retry": retry})
    assert scenario.gateway.bare
    assert policy_scenario(scenario, TEMPLATES) == (scenario, None)
    with pytest.raises(ScenarioError) as caught:
        make({"retry": retry, "policy": "template"})
    assert str(caught.value) == (
        'policy: gateway.policy: must be bare (got "template"), because gateway.retry says what our template does '
        "not do"
    )


def test_a_cap_is_the_request_limit_of_the_only_consumer():
    [consumer] = scenario_topology(make({"requestsPerMinute": 50})).consumers
    assert consumer.requests_per_minute == 50


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "short.yaml"
    path.write_text(FILE)
    return path


def test_the_command_says_when_the_policy_itself_is_simulated(monkeypatch, file):
    monkeypatch.chdir(ROOT)
    render = policy_templates.render_policies

    def no_retry(topology):
        return [replace(policy, text=policy.text.replace("== 429", "== 418")) for policy in render(topology)]

    monkeypatch.setattr(policy_templates, "render_policies", no_retry)
    arguments = [str(file), "--runs", "1", "--workers", "1", "--format", "json"]
    outcome = CliRunner().invoke(simulate.command, arguments, catch_exceptions=False)
    assert outcome.stderr.startswith("note: short: the rendered policy decides otherwise than the quick program (")
    assert outcome.stderr.endswith("); simulating the policy itself, which takes longer\n")
    quiet = CliRunner().invoke(simulate.command, [*arguments, "--routing-only"], catch_exceptions=False)
    assert quiet.stderr == ""
    assert quiet.stdout != outcome.stdout


def test_outside_a_project_there_is_no_template(monkeypatch, tmp_path, file):
    monkeypatch.chdir(tmp_path)
    outcome = CliRunner().invoke(
        simulate.command, [str(file), "--runs", "1", "--workers", "1"], catch_exceptions=False
    )
    assert outcome.stderr == (
        "note: no sinbin project here, so no policy template to render: pools, breakers, retries and caps are "
        "simulated without one\n"
    )


def test_pairs_are_checked_as_well(monkeypatch, file):
    monkeypatch.chdir(file.parent)
    file.write_text(FILE + "client: {pick: in-order, attempts: 2}\n")
    outcome = CliRunner().invoke(
        compare.command, [str(file), "--runs", "1", "--workers", "1"], catch_exceptions=False
    )
    assert "no policy template to render" in outcome.stderr
