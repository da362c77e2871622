"""`sinbin local traces`, `key` and `status`, on what a local Azure says."""

import json
import os
import re

import pytest

from sinbin.cli import local
from sinbin.local.ports import bind
from sinbin.local.state_dir import Running, StateDir
from tests.local.gateway.stub import Stub, answer

BREAKER = {
    "name": "b",
    "failureCondition": {"count": 1, "interval": "PT1M", "statusCodeRanges": [{"min": 429, "max": 429}]},
    "tripDuration": "PT1M",
}
POLICY = """<policies><inbound><base /><set-backend-service backend-id="pool" /></inbound>
<backend><retry condition="@(context.Response.StatusCode == 429)" count="1" interval="1"><forward-request /></retry></backend>
<outbound><base /></outbound><on-error><base /></on-error></policies>"""


@pytest.fixture
def azure(start):
    azure = start(speed=20)
    azure.make_service()
    stubs = [Stub(azure.call, answer(429)), Stub(azure.call, answer(200))]
    for name, stub in zip("ab", stubs, strict=True):
        azure.backend(name, stub.url, BREAKER)
    azure.pool("pool", [("a", 1, 1), ("b", 2, 1)])
    azure.make_api("t", POLICY)
    azure.put("/subscriptions/web", {"scope": "/apis", "state": "active", "displayName": "web"})
    azure.settle()
    yield azure
    for stub in stubs:
        stub.stop()


def test_a_trace_tells_scopes_policies_choices_attempts_waits_and_the_answer(azure, sinbin):
    assert sinbin("traces") == (0, "no request was traced; send one with the header x-sinbin-trace: 1\n", "")
    with azure.client() as client:
        assert "x-sinbin-trace" not in client.get("/t/x").headers
        reply = client.get("/t/x?subscription-key=secret", headers={"x-sinbin-trace": "1"})
    assert reply.headers["x-sinbin-trace"] == "1"
    code, out, _ = sinbin("traces")
    assert code == 0
    assert re.fullmatch(r"    1 GET /t/x: 200 after \d\.\d{3} s, tried b\n", out)
    assert json.loads(sinbin("traces", "--format", "json")[1])["traces"][0]["tried"] == ["b"]
    assert "secret" not in json.dumps(azure.report("traces/1"))
    assert sinbin("traces", "7") == (2, "", "error: there is no trace 7; only the last ones are kept\n")


def test_one_trace_is_shown_line_by_line(azure, sinbin):
    with azure.client(headers={"x-sinbin-trace": "1"}) as client:
        client.get("/t/x")
    shown = re.sub(r"\d+\.\d+ s", "T", sinbin("traces", "1")[1])
    shown = re.sub(r"http://127\.0\.0\.1:\d+", "URL", re.sub(r" +T", " T", shown))
    assert re.sub(r"until [\d.e+]+s", "until Us", shown) == (
        "GET /t/x: 200 after T, tried a → b, waited 1 s (service apim, instance 0)\n"
        " T  gateway: scopes: global, API t; no subscription\n"
        " T  api/inbound set-backend-service[1]: set-backend-service (apim/apis/t:1)\n"
        " T  api/backend retry[1]: retry (apim/apis/t:2)\n"
        " T  api/backend retry[1]\\forward-request[1]: forward-request (apim/apis/t:2)\n"
        " T  api/backend retry[1]\\forward-request[1]: pool → a\n"
        " T  api/backend retry[1]\\forward-request[1]: a answered 429: its breaker opens until Us\n"
        " T  api/backend retry[1]\\forward-request[1]: retry 1 after 1s\n"
        " T  api/backend retry[1]\\forward-request[1]: forward-request (apim/apis/t:2)\n"
        " T  api/backend retry[1]\\forward-request[1]: pool → b (sitting out: a until Us)\n"
        " T  api/backend retry[1]\\forward-request[1]: b answered 200\n"
        " T  gateway: answered 200\n"
        " T  forward GET URL/x: 429\n"
        " T  forward GET URL/x: 200\n"
        "breaker a: closed, 0 failures → open for T\n"
    )


def test_the_status_tells_who_sits_out(azure, sinbin):
    with azure.client() as client:
        client.get("/t/x")
    assert re.search(
        r"\ngateway apim on http://127\.0\.0\.1:\d+\n  a sits out for \d\d s more", sinbin("status")[1]
    )


@pytest.mark.parametrize("words", [["status"], ["traces"], ["regions"], ["fault", "uksouth", "region-down"]])
def test_a_local_azure_that_does_not_answer_is_one_clear_message(sinbin, monkeypatch, words):
    monkeypatch.setattr(local, "ANSWER_S", 0.2)
    with bind(0) as listener:
        port = listener.getsockname()[1]
        running = Running(
            pid=os.getpid(), ports={"arm": port, "regions": port, "page": 1}, subscription="s", tenant="t"
        )
        monkeypatch.setattr(StateDir, "running", lambda _: running)
        listener.listen()
        said = f"the local Azure (process {os.getpid()}) does not answer; end it with `sinbin local down`"
        assert sinbin(*words) == (2, "", f"error: {said}\n")


def test_a_key_is_printed_when_it_is_asked_for(azure, sinbin):
    keys = azure.send("POST", "/subscriptions/web/listSecrets").body
    assert sinbin("key", "web") == (0, keys["primaryKey"] + "\n", "")
    assert sinbin("key", "web", "--secondary", "--service", "apim") == (0, keys["secondaryKey"] + "\n", "")
    assert sinbin("key", "me") == (2, "", 'error: there is no consumer "me" in the local Azure; there are: web\n')
