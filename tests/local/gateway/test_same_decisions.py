"""The same requests, once on a virtual clock without I/O and once over HTTP, are decided alike."""

import random
import time

import pytest

from sinbin.gateway.gateway import Gateway
from sinbin.gateway.messages import Headers, HttpRequest
from sinbin.gateway.testing.driver import Driver, ScriptedReply
from sinbin.local.gateway.deployed import deployed_gateways
from sinbin.local.gateway.issuer import LocalIssuer
from tests.local.gateway.stub import Stub, answer

SPEED = 40
ASKED_S, TRIP_S = 20, 60
POLICY = """<policies><inbound><base />
<rate-limit-by-key calls="12" renewal-period="60" counter-key="all" remaining-calls-header-name="x-left" />
<set-backend-service backend-id="pool" /></inbound>
<backend><retry condition="@(context.Response == null || context.Response.StatusCode >= 429)" count="2" interval="1" first-fast-retry="true">
<forward-request buffer-request-body="true" buffer-response="false" /></retry></backend>
<outbound><base /></outbound>
<on-error><base /><set-header name="x-reason"><value>@(context.LastError.Reason)</value></set-header></on-error></policies>"""
BREAKER = {
    "name": "b",
    "failureCondition": {
        "count": 1,
        "interval": "PT1M",
        "statusCodeRanges": [{"min": 429, "max": 429}, {"min": 500, "max": 599}],
    },
    "tripDuration": f"PT{TRIP_S}S",
    "acceptRetryAfter": True,
}
MEMBERS = [("a", 1, 3), ("b", 1, 1), ("c", 2, 1)]


def times(count):
    """Return moments (s) such that nothing ends within two seconds of one that begins at another."""
    found = []
    at = 0.0
    while len(found) < count:
        if all(abs(at - before - lasts) > 3 for before in found for lasts in (ASKED_S, TRIP_S)):
            found.append(at)
        at += 2.5
    return found


def scripts(seed):
    """Return for every backend what it answers: status and whether it asks for time."""
    rng = random.Random(seed)
    return {
        name: [(rng.choice([200, 200, 200, 429, 503]), rng.random() < 0.5) for _ in range(60)] for name in "abc"
    }


def headers(asks):
    return {"Retry-After": str(ASKED_S)} if asks else {}


def decided_by_the_core(configuration, script):
    driver = Driver(Gateway(configuration))
    driver.rng = random.Random("0/0")
    replies = {
        name: [ScriptedReply(status, tuple(headers(asks).items()), b"") for status, asks in script[name]]
        for name in script
    }
    decisions = []
    for at in times(20):
        driver.now = max(driver.now, at)
        request = HttpRequest("POST", "/t/x", Headers(), b"{}")
        ran = driver.run(request, replies)
        for name in ran.backends:
            replies[name].pop(0)
        found = ran.response.headers
        decisions.append((ran.backends, ran.response.status, found.get("x-left"), found.get("x-reason")))
    return decisions


def decided_by_the_servers(azure):
    decisions = []
    began = azure.clock.now()
    with azure.client() as client:
        for at in times(20):
            time.sleep(max(0.0, began + at - azure.clock.now()) / SPEED)
            reply = client.post("/t/x", content=b"{}")
            tried = azure.report("traces")["traces"][0]["tried"]
            found = reply.headers
            decisions.append((tried, reply.status_code, found.get("x-left"), found.get("x-reason")))
    return decisions


@pytest.mark.parametrize("seed", [1, 2])
def test_core_and_servers_decide_alike(start, seed):
    azure = start(speed=SPEED, trace_all=True)
    azure.make_service()
    script = scripts(seed)
    stubs = {
        name: Stub(azure.call, *(answer(status, b"", **headers(asks)) for status, asks in script[name]))
        for name in script
    }
    try:
        for name, stub in stubs.items():
            azure.backend(name, stub.url, BREAKER)
        azure.pool("pool", MEMBERS)
        azure.make_api("t", POLICY)
        azure.settle()
        configuration = deployed_gateways(azure.store, time.time(), 0.0, LocalIssuer())["apim"].configuration
        expected = decided_by_the_core(configuration, script)
        decided = decided_by_the_servers(azure)
    finally:
        for stub in stubs.values():
            stub.stop()
    assert {status for _, status, _, _ in expected} >= {200, 503}
    assert decided == expected
