"""The policies that our templates render, run on the gateway that they are deployed to."""

from dataclasses import replace
from pathlib import Path

import pytest

from policy_templates import API_ID, named_values, render_policies
from policy_templates.inference_api.operations import OPERATIONS
from sinbin.gateway.configuration import Api, Operation, PolicySource
from sinbin.gateway.gateway import Gateway
from sinbin.gateway.messages import Headers, HttpRequest
from sinbin.gateway.testing.driver import Driver, ScriptedReply
from sinbin.gateway.topology import configuration_of
from sinbin.settings import load_settings
from tests.gateway.replies import json_reply

STACKS = Path(__file__).parents[2] / "stacks"
TOPOLOGY = load_settings(STACKS / "Pulumi.prod.yaml").to_topology()
TARGET = next(route for route in TOPOLOGY.routes if route.alias == "chat-default").targets[0][1]
MEMBERS = [
    member.backend for member in sorted(TOPOLOGY.target_backends(TARGET), key=lambda member: member.priority)
]
OK = json_reply({"usage": {"prompt_tokens": 5, "completion_tokens": 5}})
REFUSED = ScriptedReply(429, (("Retry-After", "20"),), b"{}")


def gateway(topology):
    sources = {
        (policy.scope, policy.name): PolicySource(text=policy.text, name=policy.path)
        for policy in render_policies(topology)
    }
    api = Api(
        name=API_ID,
        path=API_ID,
        operations=tuple(
            Operation(name=one.id, method=one.method, url_template=one.url_template) for one in OPERATIONS
        ),
        subscription_required=True,
        key_headers=("api-key",),
        policy=sources["api", API_ID],
    )
    return Gateway(
        configuration_of(
            topology,
            api=api,
            product_policies={name: source for (scope, name), source in sources.items() if scope == "product"},
            fragments={name: source for (scope, name), source in sources.items() if scope == "fragment"},
            named_values={one.name: one.value for one in named_values(topology)},
            keys={consumer.name: (f"key-{consumer.name}",) for consumer in topology.consumers},
        )
    )


@pytest.fixture
def driver():
    return Driver(gateway(TOPOLOGY))


def chat(model="chat-default", consumer="web-chat", path="/openai/v1/chat/completions", content="hello"):
    body = b'{"model":"%s","messages":[{"role":"user","content":"%s"}]}' % (model.encode(), content.encode())
    return HttpRequest(
        "POST", path, Headers({"api-key": f"key-{consumer}", "Content-Type": "application/json"}), body
    )


@pytest.mark.parametrize("stack", sorted(path.name for path in STACKS.glob("Pulumi.*.yaml")))
def test_every_stacks_policies_load(stack):
    gateway(load_settings(STACKS / stack).to_topology())


@pytest.mark.parametrize(
    "path",
    ["/openai/v1/chat/completions", "/openai/deployments/chat-default/chat/completions?api-version=2024-10-21"],
)
def test_both_shapes_of_a_chat_call_reach_the_fastest_region_under_its_own_deployment(driver, path):
    ran = driver.run(chat(path=path), {name: [OK] for name in MEMBERS})
    [call] = ran.calls
    url, _, query = call.request.url.partition("?")
    assert url == f"{TOPOLOGY.backend(MEMBERS[0]).url}/chat/completions"
    assert query.startswith("api-version=")
    assert call.request.headers.get("api-key") is None
    assert (
        call.request.headers.get("Authorization")
        == "Bearer managed-identity/system/https://cognitiveservices.azure.com"
    )
    assert ran.response.status == 200


def test_a_refusing_region_sits_out_for_what_it_asks_and_the_next_one_answers(driver):
    ran = driver.run(chat(), {MEMBERS[0]: [REFUSED], MEMBERS[1]: [OK]})
    assert (ran.response.status, ran.backends[0]) == (200, MEMBERS[0])
    assert len(ran.backends) == 2
    assert driver.gateway.instances[0].backends.sitting_out(driver.now) == {MEMBERS[0]: 20.0}


def test_a_503_says_why_what_was_tried_and_when_to_come_back(driver):
    answers = {name: [REFUSED] for name in MEMBERS}
    statuses = [driver.run(chat(), answers).response.status for _ in range(len(MEMBERS))]
    ran = driver.run(chat(), answers)
    assert set(statuses) <= {429, 503}
    assert (ran.response.status, ran.backends) == (503, [])
    error = ran.response.json()["error"]
    assert (error["code"], error["reason"], error["tried"]) == ("ServiceUnavailable", "pool exhausted", [])
    assert "chat-default" in error["message"]
    assert ran.response.headers.get("Retry-After") == "60"


@pytest.mark.parametrize(("accepts", "seconds"), [(True, "20"), (False, "90")])
def test_a_503_tells_when_the_first_region_is_back_by_its_breaker(accepts, seconds):
    backends = [
        replace(
            one, circuit_breaker=replace(one.circuit_breaker, trip_duration_s=90.0, accept_retry_after=accepts)
        )
        if one.circuit_breaker
        else one
        for one in TOPOLOGY.backends
    ]
    driver = Driver(gateway(replace(TOPOLOGY, backends=tuple(backends))))
    answers = {name: [REFUSED] for name in MEMBERS}
    first, second = driver.run(chat(), answers), driver.run(chat(), answers)
    assert (first.response.status, len(first.backends)) == (429, 3)
    assert (second.response.status, len(second.backends)) == (503, len(MEMBERS) - 3)
    assert second.response.headers.get("Retry-After") == seconds


def test_a_region_that_gives_no_reply_is_a_503_that_says_backend_failed(driver):
    ran = driver.run(chat(), {name: [ScriptedReply(error="reset")] for name in MEMBERS})
    assert (ran.response.status, ran.response.json()["error"]["reason"]) == (503, "backend failed")


def test_a_model_that_a_consumer_may_not_call_or_that_nobody_has_is_refused_in_words(driver):
    forbidden = driver.run(chat("chat-eu", "nightly"))
    assert (forbidden.response.status, forbidden.response.json()["error"]["code"], forbidden.calls) == (
        403,
        "ModelNotAllowed",
        [],
    )
    unknown = driver.run(chat("gpt-9"))
    assert (unknown.response.status, unknown.calls) == (403, [])
    assert driver.run(chat(consumer="nobody")).response.status == 401


def test_consumers_do_not_share_their_limits():
    [web, *others] = TOPOLOGY.consumers
    driver = Driver(gateway(replace(TOPOLOGY, consumers=(replace(web, requests_per_minute=1), *others))))
    assert driver.run(chat(), {MEMBERS[0]: [OK]}).response.status == 200
    assert driver.run(chat(), {MEMBERS[0]: [OK]}).response.status == 429
    assert driver.run(chat(consumer="nightly"), {MEMBERS[0]: [OK]}).response.status == 200


def test_a_stream_is_relayed_and_its_tokens_are_metered(driver):
    events = (b'data: {"choices":[{"delta":{"content":"hello there"}}]}\n\n', b"data: [DONE]\n\n")
    ran = driver.run(
        chat(), {MEMBERS[0]: [ScriptedReply(200, (("Content-Type", "text/event-stream"),), chunks=events)]}
    )
    assert ran.calls[0].stream
    assert ran.body == b"".join(events)
    assert [(metric.name, metric.value) for metric in ran.answer.recorded] == [
        ("Total Tokens", 3),
        ("Prompt Tokens", 0),
        ("Completion Tokens", 3),
    ]


def test_the_models_of_the_gateway_are_listed_without_a_region(driver):
    ran = driver.run(HttpRequest("GET", "/openai/v1/models", Headers({"api-key": "key-web-chat"})))
    assert [model["id"] for model in ran.response.json()["data"]] == [route.alias for route in TOPOLOGY.routes]
    assert ran.calls == []
