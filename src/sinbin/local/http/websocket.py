"""WebSockets over streams: the handshake of either side, then frames.

The protocol itself is that of the package `websockets`, which does no input or output of its own. No extension is
offered or accepted, so a frame is on one side what it is on the other.
"""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import cast

from websockets.client import ClientProtocol
from websockets.datastructures import Headers
from websockets.exceptions import InvalidStatus
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import Event, State
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

from sinbin.local.http.client import Origin
from sinbin.local.http.exchange import Exchange
from sinbin.local.http.messages import Header, HttpRequest

MESSAGE_BYTES = 16 * 1024 * 1024
"""The longest message that is taken; a longer one ends the connection with 1009."""
GONE = 1001
"""The close code for a side whose other side is gone without saying why."""
_CLOSE_S = 5.0
"""How long a side may take to answer a close, seconds on the wall."""
_READ_BYTES = 64 * 1024
_DATA = (Opcode.TEXT, Opcode.BINARY, Opcode.CONT)
_OWN_HEADERS = b"sec-websocket-"
_HANDSHAKE = (b"host", b"connection", b"upgrade")


class WebSocket:
    """One end of an open WebSocket."""

    def __init__(
        self,
        protocol: ServerProtocol | ClientProtocol,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        self._protocol = protocol
        self._reader = reader
        self._writer = writer
        self._ended = False
        self._early: list[Event] = []
        """What came with the answer to the handshake."""
        self.received_bytes = 0
        """Everything that came, pings as well."""
        self.headers: list[tuple[str, str]] = []
        """Of the answer to the handshake, where this end has asked for it."""

    @classmethod
    async def connect(
        cls, origin: Origin, target: str, headers: Sequence[Header], protocols: Sequence[str]
    ) -> "WebSocket | Response":
        """Open a WebSocket and return it, or the answer that refuses it.

        Args:
            origin: where to connect to.
            target: path and query.
            headers: of the handshake, with `host`; those of the protocol itself are made anew.
            protocols: subprotocols to offer.

        Raises:
            OSError: no connection, or it broke before the answer.
        """
        tls = ssl.create_default_context() if origin.secure else None
        reader, writer = await asyncio.open_connection(origin.host, origin.port, ssl=tls)
        names = [Subprotocol(name) for name in protocols]
        protocol = ClientProtocol(parse_uri("ws://localhost/"), subprotocols=names or None, max_size=MESSAGE_BYTES)
        request = protocol.connect()
        request.path = target
        del request.headers["Host"]
        for name, value in headers:
            if not name.lower().startswith(_OWN_HEADERS):
                request.headers[name.decode("latin-1")] = value.decode("latin-1")
        protocol.send_request(request)
        opened = cls(protocol, reader, writer)
        try:
            await opened._flush()
            while protocol.state is State.CONNECTING and protocol.handshake_exc is None:
                if not await opened._receive():
                    break
        except BaseException:
            writer.transport.abort()
            raise
        if protocol.state is State.OPEN:
            answer, *opened._early = protocol.events_received()
            opened.headers = list(cast("Response", answer).headers.raw_items())
            return opened
        writer.close()
        if isinstance(protocol.handshake_exc, InvalidStatus):
            return protocol.handshake_exc.response
        raise ConnectionResetError(f"the answer to the handshake is none: {protocol.handshake_exc}")

    @property
    def subprotocol(self) -> str | None:
        """What both ends have agreed on."""
        return self._protocol.subprotocol

    async def frames(self) -> AsyncIterator[Frame]:
        """Yield the frames of messages (text, binary, continuation) until this end closes, breaks off or errs."""
        while True:
            early, self._early = self._early, []
            for event in (*early, *self._protocol.events_received()):
                if isinstance(event, Frame) and event.opcode in _DATA:
                    yield event
            if self._protocol.state is not State.OPEN or not await self._receive():
                return

    async def send(self, frame: Frame) -> None:
        """Send a frame as it came from the other side, and wait while this end is slow.

        Raises:
            ConnectionError: this end is gone.
        """
        if self._protocol.state is not State.OPEN:
            raise ConnectionResetError("the WebSocket is closed")
        data = bytes(frame.data)
        if frame.opcode is Opcode.TEXT:
            self._protocol.send_text(data, frame.fin)
        elif frame.opcode is Opcode.BINARY:
            self._protocol.send_binary(data, frame.fin)
        else:
            self._protocol.send_continuation(data, frame.fin)
        await self._flush()

    def closed_with(self) -> tuple[int | None, str] | None:
        """Return code and reason that the peer has closed this end with, None if it has not."""
        close = self._protocol.close_rcvd
        return None if close is None else (None if close.code == 1005 else close.code, close.reason)

    def failed_with(self) -> tuple[int, str] | None:
        """Return code and reason that the peer got for what it sent; None, before `close`, if that was good."""
        close = self._protocol.close_sent
        return None if close is None or self._protocol.close_rcvd is not None else (close.code, close.reason)

    async def close(self, code: int | None = None, reason: str = "") -> None:
        """Close, unless that has begun; wait a little for the other end's answer, then end the connection."""
        try:
            async with asyncio.timeout(_CLOSE_S):
                if self._protocol.state is State.OPEN:
                    self._protocol.send_close(code, reason)
                await self._flush()
                # Data that nobody reads would make a reset of the end, and the close that was sent would be lost.
                while self._protocol.close_rcvd is None and await self._receive():
                    self._protocol.events_received()
        except (TimeoutError, ConnectionError):
            self._writer.transport.abort()
        self._writer.close()

    def abort(self) -> None:
        """Break the connection."""
        self._writer.transport.abort()

    async def _receive(self) -> bool:
        if self._ended:
            return False
        try:
            data = await self._reader.read(_READ_BYTES)
        except ConnectionError:
            data = b""
        self.received_bytes += len(data)
        if data:
            self._protocol.receive_data(data)
        else:
            self._ended = True
            self._protocol.receive_eof()
        with contextlib.suppress(ConnectionError):
            await self._flush()
        return bool(data)

    async def _flush(self) -> None:
        for data in self._protocol.data_to_send():
            if data:
                self._writer.write(data)
            elif self._writer.can_write_eof() and not self._writer.is_closing():
                self._writer.write_eof()
        await self._writer.drain()


def is_handshake(request: HttpRequest) -> bool:
    """Return whether `request` asks for a WebSocket."""
    return request.upgrade and (request.header(b"upgrade") or b"").lower() == b"websocket"


def offered(request: HttpRequest) -> list[str]:
    """Return the subprotocols that a handshake offers."""
    lines = [value.decode("latin-1") for name, value in request.headers if name == b"sec-websocket-protocol"]
    return [name.strip() for line in lines for name in line.split(",") if name.strip()]


def refusal(request: HttpRequest) -> tuple[int, str] | None:
    """Return status and reason to refuse a handshake that is none, None when it is good."""
    protocol = ServerProtocol()
    read = _read(protocol, request)
    if read is None:
        return 400, "Failed to open a WebSocket connection: its headers cannot be read."
    answer = protocol.accept(read)
    return None if answer.status_code == 101 else (answer.status_code, answer.body.decode().strip())


def accept(exchange: Exchange, headers: Iterable[Header] = (), subprotocol: str | None = None) -> WebSocket:
    """Answer a good handshake (`refusal` says which is one) with 101 and return the WebSocket.

    Raises:
        ConnectionError: the caller has gone.
    """
    chosen = None if subprotocol is None else Subprotocol(subprotocol)
    protocol = ServerProtocol(max_size=MESSAGE_BYTES, select_subprotocol=lambda _, __: chosen)
    answer = protocol.accept(cast("Request", _read(protocol, exchange.request)))
    for name, value in headers:
        if not name.lower().startswith(_OWN_HEADERS):
            answer.headers[name.decode("latin-1")] = value.decode("latin-1")
    reader, writer = exchange.take_over()
    protocol.send_response(answer)
    for data in protocol.data_to_send():
        writer.write(data)
    return WebSocket(protocol, reader, writer)


def _read(protocol: ServerProtocol, request: HttpRequest) -> Request | None:
    """Let `protocol` read a handshake that our server has read already; None when it cannot.

    It gets what it looks at, and no more: it takes shorter heads than our server does.
    """
    headers = Headers()
    for name, value in request.headers:
        if name in _HANDSHAKE or name.startswith(_OWN_HEADERS):
            headers[name.decode("latin-1")] = value.decode("latin-1")
    protocol.receive_data(Request("/", headers).serialize())
    events = protocol.events_received()
    return cast("Request", events[0]) if events else None
