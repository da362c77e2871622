"""What goes over the wire between caller, gateway and backends."""

import asyncio
import base64
import json
import socket
import time

import httpx
import pytest

from sinbin.local.gateway import effects
from sinbin.local.gateway.wire import read_headers
from tests.local.gateway.stub import after, answer, reset, stream

POLICY = """<policies><inbound><base />{inbound}</inbound><backend>{backend}</backend>
<outbound><base /></outbound><on-error><base />
<set-header name="x-reason"><value>@(context.LastError.Reason)</value></set-header></on-error></policies>"""
FORWARD = '<forward-request timeout-ms="{ms}" buffer-request-body="true" buffer-response="{buffered}" />'


@pytest.fixture
def api(azure):
    """Make an API of a policy and give a client for what is below its path; it is gone after the test."""
    clients = []

    def make(backend=None, url=None, inbound="", ms=2000, buffered="false"):
        forward = backend or FORWARD.format(ms=ms, buffered=buffered)
        azure.make_api("t", POLICY.format(inbound=inbound, backend=forward), serviceUrl=url)
        azure.settle()
        clients.append(httpx.Client(base_url=f"{azure.url}/t", trust_env=False, timeout=20))
        return clients[-1]

    yield make
    for client in clients:
        client.close()
    azure.delete("/apis/t")
    azure.settle()


def test_a_request_arrives_as_it_was_sent_without_what_speaks_of_one_connection(api, stub):
    backend = stub(answer(201, b'{"made":1}', x_backend="1", connection="x-drop", x_drop="1"))
    reply = api(url=f"{backend.url}/base").post(
        "/things/a%20b?x=1&y=%2F",
        content=b'{"a":1}',
        headers={"x-mine": "m", "connection": "keep-alive, x-hop", "x-hop": "h", "te": "trailers", "expect": ""},
    )
    [request] = backend.received
    assert (request.method, request.target, request.body) == ("POST", "/base/things/a%20b?x=1&y=%2F", b'{"a":1}')
    names = {name.decode() for name, _ in request.headers}
    assert names == {"host", "accept", "accept-encoding", "user-agent", "x-mine", "content-length"}
    assert dict(request.headers)[b"host"] == backend.url.removeprefix("http://").encode()
    assert (reply.status_code, reply.content, reply.headers["x-backend"]) == (201, b'{"made":1}', "1")
    assert "x-drop" not in reply.headers


def status_lines(reply):
    return (reply.status_code, reply.reason_phrase)


@pytest.mark.parametrize("reply", [answer(429, b"{}"), stream(b"data: 1\n\n")], ids=["whole", "stream"])
def test_the_reason_that_a_policy_sets_is_on_the_wire(api, stub, reply):
    backend = (
        '<choose><when condition="@(true)"><forward-request buffer-response="false" />'
        '<set-status code="418" reason="@(&quot;Sat\\r\\nout &quot; + context.Response.StatusCode)" /></when></choose>'
    )
    got = api(backend=backend, url=stub(reply).url).get("/x")
    assert status_lines(got)[0] == 418
    assert status_lines(got)[1].startswith("Sat  out ")


def test_the_reason_of_return_response_is_on_the_wire(api):
    answers = '<return-response><set-status code="503" reason="No region left" /></return-response>'
    assert status_lines(api(inbound=answers).get("/x")) == (503, "No region left")


def test_the_reason_of_a_backend_is_seen_by_policies_and_callers(api, stub):
    async def odd(exchange):
        exchange.respond(299, [], b"", reason="Almost")

    backend = stub(odd)
    assert status_lines(api(url=backend.url).get("/x")) == (299, "Almost")
    seen = (
        '<choose><when condition="@(true)"><forward-request /><return-response>'
        "<set-body>@(context.Response.StatusReason)</set-body></return-response></when></choose>"
    )
    assert api(backend=seen, url=backend.url).get("/x").text == "Almost"


def test_a_caller_is_known_by_the_address_it_calls_from(api, azure):
    answers = "<return-response><set-body>@(context.Request.IpAddress)</set-body></return-response>"
    filtered = '<ip-filter action="allow"><address>127.0.0.2</address></ip-filter>' + answers
    api(inbound=filtered)
    got = []
    for address in ("127.0.0.1", "127.0.0.2"):
        with httpx.Client(transport=httpx.HTTPTransport(local_address=address), trust_env=False) as client:
            reply = client.get(f"{azure.url}/t/x")
            got.append((reply.status_code, reply.text if reply.is_success else None))
    assert got == [(403, None), (200, "127.0.0.2")]


@pytest.mark.parametrize(("method", "status", "body"), [("GET", 204, b""), ("HEAD", 200, b""), ("GET", 304, b"")])
def test_replies_without_a_body_stay_without_one(api, stub, method, status, body):
    client = api(url=stub(answer(status, body)).url)
    for _ in range(2):  # the connection stays good
        reply = client.request(method, "/x")
        assert (reply.status_code, reply.content) == (status, b"")


def test_a_stream_goes_by_chunk_by_chunk(api, stub):
    chunks = [f"data: {number}\n\n".encode() for number in range(5)]
    with api(url=stub(stream(*chunks, pause=0.1)).url).stream("GET", "/x") as reply:
        began, got = time.monotonic(), []
        got.extend((chunk, time.monotonic() - began) for chunk in reply.iter_raw())
    assert [chunk for chunk, _ in got] == chunks
    assert got[0][1] < 0.1
    assert got[-1][1] > 0.3


def test_a_stream_of_known_length_keeps_it(api, stub):
    backend = stub(stream(b"a" * 70_000, b"b" * 70_000, pause=0.05, content_length="140000"))
    reply = api(url=backend.url).get("/x")
    assert (reply.headers["content-length"], reply.content) == ("140000", b"a" * 70_000 + b"b" * 70_000)


def test_a_large_body_goes_by_whole(api, stub):
    body = bytes(range(256)) * 40_000
    backend = stub(answer(200, body))
    reply = api(url=backend.url).post("/x", content=body)
    assert reply.content == body == backend.received[0].body


def test_a_stream_that_breaks_off_breaks_off_for_the_caller(api, stub):
    with pytest.raises(httpx.TransportError):
        api(url=stub(stream(b"data: 1\n\n", pause=0.05, breaks_off=True)).url).get("/x")


def test_a_buffered_reply_that_breaks_off_is_a_failed_connection(api, stub):
    backend = stub(stream(b"data: 1\n\n", pause=0.05, breaks_off=True))
    reply = api(url=backend.url, buffered="true").get("/x")
    assert (reply.status_code, reply.headers["x-reason"]) == (500, "BackendConnectionFailure")


def test_failures_of_transport_have_the_reasons_of_azure(api, stub):
    slow, broken = stub(after(5, answer())), stub(reset)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        silent = f"http://127.0.0.1:{closed.getsockname()[1]}"
        urls = {slow.url: "Timeout", broken.url: "BackendConnectionFailure", silent: "BackendConnectionFailure"}
        urls[broken.url.replace("http:", "https:")] = "BackendConnectionFailure"
        got = {}
        for url in urls:
            reply = api(url=url, ms=200).get("/x")
            got[url] = reply.headers["x-reason"]
            assert reply.status_code == 500
    assert got == urls


@pytest.mark.parametrize(
    ("url", "kind", "why"),
    [
        (
            "https://example.com/x",
            "reset",
            "example.com is not on this machine; a local gateway calls nothing else",
        ),
        ("http://10.0.0.1", "reset", "10.0.0.1 is not on this machine; a local gateway calls nothing else"),
        ("https://nobody.openai.azure.com", "dns", "there is no Foundry account nobody in the local Azure"),
    ],
)
def test_nothing_outside_this_machine_is_called_and_the_trace_says_so(azure, api, url, kind, why):
    reply = api(url=url).get("/x", headers={"x-sinbin-trace": "1"})
    trace = azure.report(f"traces/{reply.headers['x-sinbin-trace']}")
    assert [call["error"] for call in trace["calls"]] == [kind]
    assert why in [entry["text"] for entry in trace["entries"]]
    assert reply.headers["x-reason"] == "BackendConnectionFailure"


def test_a_policys_own_requests_are_sent_and_read(api, stub):
    own = stub(answer(200, b'{"name":"sinbin"}'))
    inbound = f"""<send-request mode="new" response-variable-name="own" timeout="5">
<set-url>{own.url}/who</set-url><set-method>GET</set-method></send-request>
<return-response><set-status code="203" />
<set-body>@(((IResponse)context.Variables["own"]).Body.As&lt;string&gt;())</set-body></return-response>"""
    reply = api(inbound=inbound).get("/x")
    assert (reply.status_code, reply.content, own.received[0].target) == (203, b'{"name":"sinbin"}', "/who")


def test_a_request_that_nobody_waits_for_does_not_keep_the_caller(api, stub):
    own, backend = stub(after(0.3, answer())), stub(answer())
    inbound = f"""<send-one-way-request mode="new"><set-url>{own.url}</set-url><set-method>POST</set-method>
<set-body>hello</set-body></send-one-way-request>"""
    client = api(url=backend.url, inbound=inbound)
    began = time.monotonic()
    assert client.get("/x").status_code == 200
    assert time.monotonic() - began < 0.25
    _until(lambda: own.received)
    assert own.received[0].body == b"hello"


def test_requests_side_by_side_take_as_long_as_the_longest(api, stub):
    first, second = stub(after(1, answer(200, b"1"))), stub(after(1, answer(200, b"2")))
    send = """<send-request mode="new" response-variable-name="{}" timeout="5"><set-url>{}</set-url>
<set-method>GET</set-method></send-request>"""
    inbound = f"""<wait for="all">{send.format("a", first.url)}{send.format("b", second.url)}</wait>
<return-response><set-body>@(((IResponse)context.Variables["a"]).Body.As&lt;string&gt;() +
((IResponse)context.Variables["b"]).Body.As&lt;string&gt;())</set-body></return-response>"""
    client = api(inbound=inbound)
    began = time.monotonic()
    assert client.get("/x").content == b"12"
    assert time.monotonic() - began < 1.9  # one after the other they take 2


def test_a_caller_that_goes_away_ends_the_call_to_the_backend(azure, api, stub):
    backend = stub(after(5, answer()))
    client = api(url=backend.url)
    with pytest.raises(httpx.ReadTimeout):
        client.get("/x", timeout=0.2)
    _until(lambda: backend.broken == 1)


def test_a_caller_that_leaves_a_stream_ends_it_at_the_backend(api, stub):
    backend = stub(stream(*[b"data: x\n\n"] * 50, pause=0.1))
    with api(url=backend.url).stream("GET", "/x") as reply:
        next(reply.iter_raw())
    _until(lambda: backend.broken == 1)


def test_a_header_of_several_lines_becomes_one(api, stub):
    backend = stub(answer())
    inbound = """<set-header name="x-made"><value>@(context.Request.Url.Query.GetValueOrDefault("h", ""))</value></set-header>"""
    reply = api(url=backend.url, inbound=inbound).get("/x?h=a%0D%0Ax-evil:%201")
    assert reply.status_code == 200
    assert dict(backend.received[0].headers)[b"x-made"] == b"a x-evil: 1"


def test_the_managed_identity_shows_a_token_that_names_its_audience(api, stub):
    backend = stub(answer())
    inbound = '<authentication-managed-identity resource="https://cognitiveservices.azure.com" />'
    api(url=backend.url, inbound=inbound).get("/x")
    scheme, _, token = dict(backend.received[0].headers)[b"authorization"].decode().partition(" ")
    assert (scheme, json.loads(_decode(token.split(".")[1]))) == (
        "Bearer",
        {"aud": "https://cognitiveservices.azure.com"},
    )


def test_two_hundred_streams_at_once_lose_nothing_and_keep_their_order(azure, api, stub):
    chunks = [f"data: {number}\n\n".encode() for number in range(8)]
    api(url=stub(stream(*chunks, pause=0.01)).url)

    async def run():
        limits = httpx.Limits(max_connections=None)
        async with httpx.AsyncClient(trust_env=False, limits=limits, timeout=30) as client:
            return await asyncio.gather(*(client.get(f"{azure.url}/t/x") for _ in range(200)))

    assert {reply.content for reply in asyncio.run(run())} == {b"".join(chunks)}


def _decode(part):
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def _until(true, seconds=5.0):
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until
        time.sleep(0.01)


def endless(exchange_headers=()):
    """A reply that goes on for ever."""

    async def reply(exchange):
        exchange.start(200, list(exchange_headers))
        while True:
            await exchange.write(b"x" * 1024)
            await asyncio.sleep(0.01)

    return reply


def test_the_timeout_covers_a_body_that_is_buffered(api, stub):
    reply = api(url=stub(endless()).url, buffered="true", ms=300).get("/x")
    assert (reply.status_code, reply.headers["x-reason"]) == (500, "Timeout")


def test_a_body_that_is_buffered_has_a_largest_size(api, stub, monkeypatch):
    monkeypatch.setattr(effects, "_BUFFERED_BYTES", 10_000)
    reply = api(url=stub(endless()).url, buffered="true").get("/x")
    assert (reply.status_code, reply.headers["x-reason"]) == (500, "BackendConnectionFailure")


def test_a_policys_own_request_has_its_time_for_the_body_too(api, stub):
    send = """<send-request mode="new" response-variable-name="own" timeout="1" ignore-error="true">
      <set-url>{}</set-url><set-method>GET</set-method></send-request>
      <return-response><set-body>@(context.Variables["own"] == null ? "null" : "an answer")</set-body></return-response>"""
    assert api(inbound=send.format(stub(endless()).url)).get("/x").text == "null"


def test_equal_headers_are_read_in_their_order():
    lines = [(b"a", b"%d" % number) for number in range(20_000)] + [(b"b", b"x")]
    headers = read_headers(lines)
    assert headers.fields == {"a": ("a", tuple(map(str, range(20_000)))), "b": ("b", ("x",))}
