"""Who ended a session, and what the other side and the trace are told of it."""

import asyncio

import pytest
from websockets.client import ClientProtocol
from websockets.frames import Close, Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.uri import parse_uri

from sinbin.local.clock import Clock
from sinbin.local.gateway.pinned import Sessions
from sinbin.local.http import websocket
from sinbin.local.http.websocket import WebSocket


class Wire:
    """The writing half of a connection, which keeps what was written; it is broken when told so."""

    def __init__(self):
        self.data, self.broken, self.transport = b"", False, self

    def write(self, data):
        self.data += data

    async def drain(self):
        if self.broken:
            raise ConnectionResetError

    def can_write_eof(self):
        return False

    def close(self):
        """Nothing is open here."""

    abort = close


class End:
    """An open WebSocket of the gateway, and what its peer sends and gets."""

    def __init__(self, protocol):
        self.reader, self.wire, self._masked = asyncio.StreamReader(), Wire(), protocol.side.name == "SERVER"
        self.socket = WebSocket(protocol, self.reader, self.wire)

    def send(self, opcode, data):
        self.reader.feed_data(Frame(opcode, data).serialize(mask=self._masked))

    def close(self, code, reason=""):
        self.send(Opcode.CLOSE, Close(code, reason).serialize())

    def was_closed_with(self, code, reason=""):
        masked = not self._masked
        if masked:  # the key is drawn by chance: compare what comes out
            return self.socket._protocol.close_sent == Close(code, reason)
        return self.wire.data.endswith(Frame(Opcode.CLOSE, Close(code, reason).serialize()).serialize(mask=False))


def hold(act):
    """Hold a session in which `act(caller, backend)` happens; return both ends and what the trace says."""

    async def session():
        caller = End(ServerProtocol(state=State.OPEN, max_size=websocket.MESSAGE_BYTES))
        backend = End(
            ClientProtocol(parse_uri("ws://localhost/"), state=State.OPEN, max_size=websocket.MESSAGE_BYTES)
        )
        notes = []
        relay = asyncio.ensure_future(Sessions(Clock()).relay(caller.socket, backend.socket, notes.append))
        await asyncio.sleep(0)
        await asyncio.sleep(0)  # both directions wait for something to come
        act(caller, backend)
        await asyncio.wait_for(relay, 10)
        return caller, backend, notes

    return asyncio.run(session())


@pytest.fixture(autouse=True)
def _short_closes(monkeypatch):
    monkeypatch.setattr(websocket, "_CLOSE_S", 0.05)


def test_a_backend_that_closes_while_the_caller_sends_is_the_one_that_ended_it():
    def act(caller, backend):
        backend.close(4001, "bye")
        caller.send(Opcode.TEXT, b"hello")

    caller, _, notes = hold(act)
    assert notes == ["the backend ended the WebSocket: 4001 bye"]
    assert caller.was_closed_with(4001, "bye")


def test_a_caller_that_closes_while_the_backend_sends_is_the_one_that_ended_it():
    def act(caller, backend):
        caller.close(4002, "enough")
        backend.send(Opcode.TEXT, b"hello")

    _, backend, notes = hold(act)
    assert notes == ["the caller ended the WebSocket: 4002 enough"]
    assert backend.was_closed_with(4002, "enough")


def test_a_backend_that_cannot_be_written_to_is_the_one_that_is_gone():
    def act(caller, backend):
        backend.wire.broken = True
        caller.send(Opcode.TEXT, b"hello")

    caller, _, notes = hold(act)
    assert notes == ["the backend ended the WebSocket without a close"]
    assert caller.was_closed_with(1001)


def test_a_message_that_is_too_long_is_ended_by_the_gateway(monkeypatch):
    monkeypatch.setattr(websocket, "MESSAGE_BYTES", 10)
    caller, backend, [note] = hold(lambda caller, _: caller.send(Opcode.TEXT, b"x" * 11))
    assert note.startswith("the gateway ended the WebSocket for what the caller sent: 1009 ")
    assert caller.socket.failed_with()[0] == 1009
    assert backend.was_closed_with(1001)


def test_a_side_that_breaks_off_is_said_to_have_sent_no_close():
    _, backend, notes = hold(lambda caller, _: caller.reader.feed_eof())
    assert notes == ["the caller ended the WebSocket without a close"]
    assert backend.was_closed_with(1001)
