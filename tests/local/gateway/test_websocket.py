"""WebSocket APIs at the gateway: a handshake through the policies, then a session that stays with its backend."""

import contextlib
import socket
import struct
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from openai import OpenAI
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.sync.server import serve

from sinbin.local.gateway import pinned
from sinbin.local.http import websocket

ORIGINAL = "<policies><inbound><base />{}</inbound><backend>{}</backend><outbound><base /></outbound><on-error><base /></on-error></policies>"
BREAKER = {
    "name": "b",
    "failureCondition": {"count": 1, "interval": "PT1M", "statusCodeRanges": [{"min": 429, "max": 429}]},
    "tripDuration": "PT1M",
}
HEADERS = {
    "connection": "Upgrade",
    "upgrade": "websocket",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    "sec-websocket-version": "13",
}


def _chosen(connection, offered):
    return "chat.v2" if "chat.v2" in offered else None


class Backend:
    """A WebSocket server that sends back what it gets, and remembers handshakes and how sessions ended."""

    def __init__(self, status=None):
        self.handshakes, self.ends, self.open = [], [], []
        self._status = status
        self._server = serve(
            self._serve, "127.0.0.1", 0, process_request=self._look, select_subprotocol=_chosen, max_size=None
        )
        self.url = f"ws://127.0.0.1:{self._server.socket.getsockname()[1]}/socket"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def stop(self):
        self._server.shutdown()
        self._thread.join()

    def _look(self, connection, request):
        self.handshakes.append(request)
        return None if self._status is None else connection.respond(self._status, "no")

    def _serve(self, connection):
        self.open.append(connection)
        with contextlib.suppress(ConnectionClosed):
            for message in connection:
                connection.send(message if message != "pieces" else iter(["one ", "two"]))
        self.ends.append((connection.close_code, connection.close_reason))


@pytest.fixture
def backend():
    running = []

    def begin(status=None):
        running.append(Backend(status))
        return running[-1]

    yield begin
    for one in running:
        one.stop()


@pytest.fixture
def make(start):
    """Make a service with the WebSocket API `ws`, and return the address of its socket."""

    def begin(url, inbound="", forward="<base />", speed=1.0, **more):
        azure = start(speed=speed)
        azure.make_service()
        for name, one in more.pop("backends", {}).items():
            azure.backend(name, one.url, BREAKER)
        if members := more.pop("pool", None):
            azure.pool("pool", members)
        azure.make_api("ws", apiType="websocket", serviceUrl=url, **more)
        azure.policy("/apis/ws/operations/onHandshake", ORIGINAL.format(inbound, forward))
        azure.settle()
        azure.socket = f"ws{azure.url.removeprefix('http')}/ws"
        return azure

    return begin


def eventually(look):
    until = time.monotonic() + 10
    while not (found := look()):
        assert time.monotonic() < until
        time.sleep(0.02)
    return found


def test_messages_of_all_kinds_go_both_ways(backend, make):
    server = backend()
    azure = make(server.url, '<set-header name="x-from"><value>gateway</value></set-header>')
    with connect(f"{azure.socket}?a=1", subprotocols=["chat.v1", "chat.v2"]) as caller:
        for message in ("hello", b"\x00\xff", "", "ü" * 70_000):
            caller.send(message)
            assert caller.recv() == message
        caller.send(iter(["in ", "pieces"]))
        assert caller.recv() == "in pieces"
        caller.send("pieces")
        assert list(caller.recv_streaming()) == ["one ", "two", ""]
        assert caller.subprotocol == "chat.v2"
    [handshake] = server.handshakes
    assert (handshake.path, handshake.headers["x-from"]) == ("/socket?a=1", "gateway")
    assert handshake.headers["host"] == server.url.split("/")[2]


def test_a_close_goes_through_with_code_and_reason_from_either_side(backend, make):
    server = backend()
    azure = make(server.url)
    with connect(azure.socket) as caller:
        caller.close(4001, "bye")
    assert eventually(lambda: server.ends) == [(4001, "bye")]
    with connect(azure.socket) as caller:
        eventually(lambda: len(server.open) == 2)
        server.open[1].close(4002, "enough")
        with pytest.raises(ConnectionClosed):
            caller.recv()
        assert (caller.close_code, caller.close_reason) == (4002, "enough")


def test_a_session_stays_with_its_backend_and_ends_with_it(backend, make):
    first, second = backend(), backend()
    azure = make(
        first.url,
        '<set-backend-service backend-id="pool" />',
        backends={"a": first, "b": second},
        pool=[("a", 1, 1), ("b", 2, 1)],
    )
    with connect(azure.socket) as caller:
        for number in range(5):
            caller.send(str(number))
            assert caller.recv() == str(number)
        first.open[0].socket.shutdown(socket.SHUT_RDWR)  # gone without a close
        with pytest.raises(ConnectionClosed):
            caller.recv()
        assert caller.close_code == 1001
    assert (len(first.handshakes), len(second.handshakes)) == (1, 0)


def test_a_handshake_that_a_backend_refuses_trips_its_breaker_and_the_next_one_goes_elsewhere(backend, make):
    first, second = backend(status=429), backend()
    azure = make(
        first.url,
        '<set-backend-service backend-id="pool" />',
        backends={"a": first, "b": second},
        pool=[("a", 1, 1), ("b", 2, 1)],
    )
    with pytest.raises(InvalidStatus) as refused, connect(azure.socket):
        pass
    assert (refused.value.response.status_code, bytes(refused.value.response.body)) == (429, b"no")
    with connect(azure.socket) as caller:
        caller.send("x")
        assert caller.recv() == "x"
    assert (len(first.handshakes), len(second.handshakes)) == (1, 1)


def test_a_retry_in_the_policies_sends_the_handshake_again(backend, make):
    first, second = backend(status=429), backend()
    azure = make(
        first.url,
        '<set-backend-service backend-id="pool" />',
        '<retry condition="@(context.Response.StatusCode == 429)" count="1" interval="0"><forward-request /></retry>',
        backends={"a": first, "b": second},
        pool=[("a", 1, 1), ("b", 2, 1)],
    )
    with connect(azure.socket) as caller:
        caller.send("x")
        assert caller.recv() == "x"


def test_the_policies_of_the_handshake_may_refuse_it(backend, make):
    server = backend()
    azure = make(server.url, '<rate-limit-by-key calls="1" renewal-period="60" counter-key="all" />')
    with connect(azure.socket):
        pass
    with pytest.raises(InvalidStatus) as refused, connect(azure.socket):
        pass
    assert refused.value.response.status_code == 429
    assert len(server.handshakes) == 1


def test_an_answer_of_the_policies_in_place_of_the_101_ends_the_session_before_it_begins(backend, make):
    server = backend()
    azure = make(server.url)
    answer = '<return-response><set-status code="418" reason="no" /></return-response>'
    text = ORIGINAL.format("", "<base />").replace("<outbound><base />", f"<outbound>{answer}")
    azure.policy("/apis/ws/operations/onHandshake", text)
    azure.settle()
    with pytest.raises(InvalidStatus) as refused, connect(azure.socket):
        pass
    assert refused.value.response.status_code == 418
    assert eventually(lambda: server.ends) == [(1006, "")]


def test_a_missing_key_is_refused_before_the_backend_is_asked(backend, make):
    server = backend()
    azure = make(server.url, subscriptionRequired=True)
    with pytest.raises(InvalidStatus) as refused, connect(azure.socket):
        pass
    assert (refused.value.response.status_code, server.handshakes) == (401, [])


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"sec-websocket-key": None}, 400),
        ({"sec-websocket-key": "short"}, 400),
        ({"sec-websocket-version": "8"}, 400),
        ({"sec-websocket-protocol": "x" * 20_000}, 400),
        ({"upgrade": None, "connection": None}, 426),
    ],
)
def test_a_bad_handshake_gets_an_answer(backend, make, changed, status):
    server = backend()
    azure = make(server.url)
    headers = {name: value for name, value in {**HEADERS, **changed}.items() if value is not None}
    assert httpx.get(f"{azure.url}/ws", headers=headers, trust_env=False).status_code == status


def test_nobody_there_is_a_failed_connection(make):
    azure = make("ws://127.0.0.1:9/")
    with pytest.raises(InvalidStatus) as refused, connect(azure.socket):
        pass
    assert refused.value.response.status_code == 500
    azure = make("ws://example.com/")
    with pytest.raises(InvalidStatus), connect(azure.socket):
        pass


def test_a_message_that_is_too_long_ends_the_session_and_says_so(backend, make, monkeypatch):
    monkeypatch.setattr(websocket, "MESSAGE_BYTES", 1000)
    server = backend()
    azure = make(server.url)
    with connect(azure.socket) as caller:
        caller.send("x" * 1000)
        assert caller.recv() == "x" * 1000
        caller.send("x" * 1001)
        with pytest.raises(ConnectionClosed):
            caller.recv()
        assert caller.close_code == 1009
    assert eventually(lambda: server.ends) == [(1001, "")]


def test_what_is_no_websocket_frame_ends_the_session(backend, make):
    server = backend()
    azure = make(server.url)
    with connect(azure.socket) as caller:
        caller.socket.sendall(b"\xff\xff\xff\xff")
        with pytest.raises(ConnectionClosed):
            caller.recv()
        assert caller.close_code == 1002
    assert eventually(lambda: server.ends) == [(1001, "")]


def test_a_caller_that_is_gone_without_a_word_ends_the_session(backend, make):
    server = backend()
    azure = make(server.url)
    caller = connect(azure.socket)
    eventually(lambda: server.open)
    caller.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    caller.socket.shutdown(socket.SHUT_RDWR)
    assert eventually(lambda: server.ends) == [(1001, "")]
    caller.close()


def test_a_side_that_never_answers_a_close_is_waited_for_only_a_little(backend, make, monkeypatch):
    monkeypatch.setattr(websocket, "_CLOSE_S", 0.3)
    server = backend()
    azure = make(server.url)
    with socket.create_connection(("127.0.0.1", int(azure.url.rpartition(":")[2]))) as caller:
        lines = [f"{name}: {value}" for name, value in {"host": "localhost", **HEADERS}.items()]
        caller.sendall("\r\n".join(["GET /ws HTTP/1.1", *lines, "", ""]).encode())
        eventually(lambda: server.open)
        server.open[0].close(4002)
        caller.settimeout(5)
        got = b""
        while piece := _received(caller):
            got += piece
        assert b"101 Switching Protocols" in got
        assert got.endswith(struct.pack("!BBH", 0x88, 2, 4002))


def _received(caller):
    with contextlib.suppress(ConnectionResetError):
        return caller.recv(4096)
    return b""


def test_a_session_in_which_nothing_moves_for_four_minutes_is_closed(backend, make):
    server = backend()
    azure = make(server.url, speed=1000)
    began = time.monotonic()
    with connect(azure.socket, ping_interval=None) as caller, pytest.raises(ConnectionClosed):
        caller.recv()
    assert time.monotonic() - began >= 0.9 * pinned.IDLE_S / 1000
    assert (caller.close_code, caller.close_reason) == (1001, "idle for too long")
    assert eventually(lambda: server.ends) == [(1001, "idle for too long")]


def test_a_session_in_which_something_moves_is_not(backend, make):
    azure = make(backend().url, speed=1000)
    with connect(azure.socket, ping_interval=0.05) as caller:
        time.sleep(2.2 * pinned.IDLE_S / 1000)
        caller.send("still here")
        assert caller.recv() == "still here"


def test_a_unit_takes_so_many_sessions_and_no_more(backend, make, monkeypatch):
    monkeypatch.setattr("sinbin.local.gateway.pinned.CONNECTIONS", 2)
    azure = make(backend().url)
    with connect(azure.socket), connect(azure.socket):
        with pytest.raises(InvalidStatus) as refused, connect(azure.socket):
            pass
        assert refused.value.response.status_code == 503

    def again():
        with contextlib.suppress(InvalidStatus), connect(azure.socket) as caller:
            caller.send("x")
            return caller.recv() == "x"

    assert eventually(again)


def test_handshakes_that_are_still_going_on_are_counted_too(backend, make, monkeypatch):
    monkeypatch.setattr("sinbin.local.gateway.pinned.CONNECTIONS", 2)
    server = backend()
    azure = make(server.url)
    with ThreadPoolExecutor(8) as pool:
        callers = list(pool.map(lambda _: refused_or_open(azure.socket), range(8)))
    opened = [caller for caller in callers if not isinstance(caller, int)]
    for caller in opened:
        caller.close()
    assert (len(opened), len(server.handshakes)) == (2, 2)
    assert [caller for caller in callers if isinstance(caller, int)] == [503] * 6


def refused_or_open(address, **more):
    """Return an open WebSocket, or the status of the refusal."""
    try:
        return connect(address, **more)
    except InvalidStatus as refused:
        return refused.response.status_code


@pytest.mark.parametrize(
    "origin",
    [
        *("https://example.com", "http://127.0.0.1.example.com", "http://localhost.example.com:4690", "null", ""),
        *("http://93.184.216.34", "file://", "chrome-extension://abc", "http://localhost@example.com"),
    ],
)
def test_a_page_of_elsewhere_opens_no_websocket(backend, make, origin):
    server = backend()
    azure = make(server.url)
    assert refused_or_open(azure.socket, additional_headers={"origin": origin}) == 403
    assert server.handshakes == []


@pytest.mark.parametrize(
    "origin", ["http://localhost:3000", "http://127.0.0.1", "https://[::1]:8443", "http://app.localhost"]
)
def test_a_page_of_this_machine_opens_one(backend, make, origin):
    azure = make(backend().url)
    with connect(azure.socket, origin=origin) as caller:
        caller.send("x")
        assert caller.recv() == "x"


def test_a_handshake_that_is_none_leaves_no_trace_open(backend, make):
    azure = make(backend().url)
    headers = {**HEADERS, "x-sinbin-trace": "1", "sec-websocket-key": "short"}
    assert httpx.get(f"{azure.url}/ws", headers=headers, trust_env=False).status_code == 400
    assert azure.report("traces")["traces"] == []


def test_a_trace_tells_the_handshake_and_the_end(backend, make):
    azure = make(backend().url)
    with connect(azure.socket, additional_headers={"x-sinbin-trace": "1"}) as caller:
        number = caller.response.headers["x-sinbin-trace"]
        caller.close(4000, "done")
    entries = eventually(
        lambda: [e["text"] for e in azure.report(f"traces/{number}")["entries"] if "ended" in e["text"]]
    )
    assert entries == ["the caller ended the WebSocket: 4000 done"]
    assert azure.report(f"traces/{number}")["answer"]["status"] == 101


def test_a_service_that_stops_leaves_no_session_behind(backend, start):
    server = backend()
    azure = start()
    azure.make_service()
    azure.make_api("ws", apiType="websocket", serviceUrl=server.url)
    azure.settle()
    caller = connect(f"ws{azure.url.removeprefix('http')}/ws")
    azure.call(azure.gateways._end())
    azure.regions.stop()
    with pytest.raises(ConnectionClosed):
        caller.recv(timeout=5)
    caller.close()
    azure.gateways._store.close()
    azure.store.close()
    azure.stop = lambda: None


def test_the_openai_client_holds_a_realtime_session_through_the_gateway(start):
    from tests.local.gateway.conftest import LOCAL  # noqa: PLC0415

    azure = start(speed=20)
    azure.deploy(LOCAL)
    names = {"header": "api-key", "query": "api-key"}
    azure.make_api(
        "realtime",
        apiType="websocket",
        path="openai/v1/realtime",
        serviceUrl="wss://chat-local-uksouth.openai.azure.com/openai/v1/realtime",
        subscriptionRequired=True,
        subscriptionKeyParameterNames=names,
    )
    identity = '<authentication-managed-identity resource="https://cognitiveservices.azure.com" />'
    azure.policy("/apis/realtime/operations/onHandshake", ORIGINAL.format(identity, "<base />"))
    azure.put("/products/web-chat/apiLinks/realtime", {"apiId": "/apis/realtime"})
    azure.settle()
    hello = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hello"}]}
    said = []
    with (
        OpenAI(base_url=f"{azure.url}/openai/v1", api_key=azure.key("web-chat")) as client,
        client.realtime.connect(model="gpt-4-1-mini-standard") as session,
    ):
        session.conversation.item.create(item=hello)
        session.response.create()
        for event in session:
            said.append(event)
            if event.type == "response.done":
                break
    text = "".join(event.delta for event in said if event.type == "response.output_text.delta")
    assert text.startswith("Hello from UK South:")
    assert said[-1].response.output[0].content[0].text == text
    assert said[-1].response.usage.output_tokens > 0
