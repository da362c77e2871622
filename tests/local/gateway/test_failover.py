"""What a caller sees when regions fail: others take over, the failed one sits out and comes back."""

import time

import openai
import pytest
import yaml

from sinbin.foundry.faults import parse_fault
from sinbin.settings.load import parse_settings

CHAT = {"model": "chat-default", "messages": [{"role": "user", "content": "hi"}], "max_tokens": 5}
SPEED = 60
"""A minute passes in a second."""
MAIN, SECOND, THIRD = (f"gpt-4-1-mini-standard-{region}" for region in ("uksouth", "swedencentral", "westeurope"))
STACK = """
workload: chat
environment: test
location: uksouth
apiManagement: {tier: Developer, location: uksouth, publisher: {name: Contoso, email: api@contoso.com}}
regions: [{location: uksouth}, {location: swedencentral}, {location: westeurope}]
models:
  - alias: chat-default
    model: {name: gpt-4.1-mini, version: "2025-04-14"}
    deployments:
      - {sku: Standard, tokensPerMinute: 1000, regions: [uksouth], priority: 1}
      - {sku: Standard, tokensPerMinute: 100000, regions: [swedencentral], priority: 2}
      - {sku: Standard, tokensPerMinute: 100000, regions: [westeurope], priority: 3}
consumers: [{name: web-chat, models: [chat-default]}]
"""


@pytest.fixture(scope="module")
def topology():
    return parse_settings(yaml.safe_load(STACK), source="test").to_topology()


@pytest.fixture
def azure(start, topology):
    azure = start(speed=SPEED, trace_all=True)
    azure.deploy(topology)
    return azure


@pytest.fixture
def ask(azure):
    """Send one chat request and return status and the reason of a refusal."""
    with openai.OpenAI(base_url=f"{azure.url}/openai/v1", api_key=azure.key("web-chat"), max_retries=0) as client:

        def send(client=client):
            try:
                client.chat.completions.create(**CHAT)
            except openai.APIStatusError as error:
                return error.status_code, error.body.get("reason")
            return 200, None

        yield send


def tried(azure):
    """Return the backends that the last request tried."""
    return azure.report("traces")["traces"][0]["tried"]


def fault(azure, region, **raw):
    async def begin():
        azure.regions.servers.regions[f"chat-test-{region}"].faults.begin(azure.clock.now(), parse_fault(raw))

    azure.call(begin())


def test_the_main_region_runs_dry_sits_out_and_comes_back(azure, ask):
    # A thousand tokens a minute allow one request a minute.
    assert (ask(), tried(azure)) == ((200, None), [MAIN])
    assert (ask(), tried(azure)) == ((200, None), [MAIN, SECOND])
    assert (ask(), tried(azure)) == ((200, None), [SECOND])
    [gateway] = azure.report()["gateways"]
    breakers = gateway["instances"][0]["breakers"]
    assert {name: breaker["open"] for name, breaker in breakers.items()} == {
        MAIN: True,
        SECOND: False,
        THIRD: False,
    }
    time.sleep(breakers[MAIN]["secondsLeft"] / SPEED + 0.05)
    assert ask() == (200, None)
    assert tried(azure)[0] == MAIN


def test_when_every_region_sits_out_the_caller_is_told_why_and_when_to_come_back(azure, ask):
    for region in ("uksouth", "swedencentral", "westeurope"):
        fault(azure, region, kind="status", status=429, retryAfterS=600, calls=1)
    assert (ask(), tried(azure)) == ((429, None), [MAIN, SECOND, THIRD])
    key = azure.key("web-chat")
    with azure.client(headers={"api-key": key}) as client:
        reply = client.post("/openai/v1/chat/completions", json=CHAT)
    assert reply.json()["error"] == {
        "code": "ServiceUnavailable",
        "reason": "pool exhausted",
        "message": "pool exhausted: no region could answer for chat-default; tried in this request: none",
        "tried": [],
    }
    assert (reply.status_code, reply.headers["retry-after"], tried(azure)) == (503, "60", [])


def test_the_clients_own_retries_outlast_a_short_sit_out(azure, ask):
    for region in ("uksouth", "swedencentral", "westeurope"):
        fault(azure, region, kind="status", status=429, retryAfterS=1, calls=1)
    with openai.OpenAI(base_url=f"{azure.url}/openai/v1", api_key=azure.key("web-chat"), max_retries=2) as patient:
        assert ask(patient) == (200, None)
    assert [trace["status"] for trace in azure.report("traces")["traces"]] == [200, 429]


@pytest.mark.parametrize("kind", ["dns", "tls", "region-down", "reset-before-headers"])
def test_a_region_that_cannot_be_reached_is_left_for_the_next_one(azure, ask, kind):
    fault(azure, "uksouth", kind=kind)
    assert ask() == (200, None)
    assert tried(azure) == [MAIN, SECOND]
    assert (ask(), tried(azure)) == ((200, None), [SECOND])
    [first, second] = azure.report("traces/1")["calls"]
    assert (first["error"], second["status"]) == (kind if kind in {"dns", "tls"} else "reset", 200)


def test_two_instances_learn_of_a_failure_each_for_itself(start, topology):
    azure = start(speed=SPEED, trace_all=True, instances=2)
    azure.deploy(topology)
    fault(azure, "uksouth", kind="status", status=503)
    with azure.client(headers={"api-key": azure.key("web-chat")}) as client:
        for _ in range(4):
            client.post("/openai/v1/chat/completions", json=CHAT)
    traces = azure.report("traces")["traces"]
    assert [(trace["instance"], trace["tried"][0]) for trace in reversed(traces)] == [
        (0, MAIN),
        (1, MAIN),
        (0, SECOND),
        (1, SECOND),
    ]
