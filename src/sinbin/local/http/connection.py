"""The server's side of one connection: parsing, limits, one request after the other."""

import asyncio
import socket
import struct
import time
from collections import deque
from typing import TYPE_CHECKING, cast

import httptools

from sinbin.local.http.exchange import Exchange
from sinbin.local.http.messages import Header, HttpRequest, decline_http2

if TYPE_CHECKING:
    from sinbin.local.http.server import HttpServer

_LINGER_S = 30.0
"""How long a caller that was refused in the middle of its body may go on sending it."""
_TOO_LARGE = "the request line and headers are too large"
_MOST_WAITING = 16
"""Pipelined requests that are read ahead; a caller that sends more waits."""


class Connection(asyncio.Protocol):
    """Reads requests and hands them to the server one after the other."""

    def __init__(self, server: "HttpServer", loop: asyncio.AbstractEventLoop) -> None:
        self._server = server
        self._loop = loop
        self._transport: asyncio.Transport | None = None
        self._parser = httptools.HttpRequestParser(self)
        self._request: HttpRequest | None = None
        self._body: list[bytes] = []
        self._receiving = False
        """Whether a request has begun to come and is not complete."""
        self._head_read = False
        self._unread_head = self._head_bytes = self._body_bytes = 0
        self._waiting: deque[HttpRequest] = deque()
        self._task: asyncio.Task[None] | None = None
        self._deadline = time.monotonic() + server.limits.head_s
        self._refused = False
        self._ending = False
        self._drain: asyncio.Future[None] | None = None
        self._unparsed: bytes | None = None
        """What came after a request to change the protocol, while it is not decided."""
        self.paused = False
        self.peer = ""

    # What asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection, unless there are too many."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's is one in all but name
        self.peer = (transport.get_extra_info("peername") or ("",))[0]
        self._server.connections.add(self)
        if len(self._server.connections) > self._server.limits.connections:
            self._refuse(503, "too many connections")

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection and stop what was done for it."""
        del exc
        self._server.forget(self)
        self._transport = None
        if self._task is not None:
            self._task.cancel()
        if self._drain is not None and not self._drain.done():
            self._drain.set_exception(ConnectionResetError("the caller has gone"))

    def data_received(self, data: bytes) -> None:
        """Parse what came; a refused caller's data is thrown away."""
        if self._refused:
            return
        if self._unparsed is not None:
            self._unparsed += data
            return
        if not self._receiving:
            self._deadline = time.monotonic() + self._server.limits.head_s
        self._receiving = True
        self._unread_head += 0 if self._head_read else len(data)
        if not self._head_read and b"h2c" in data:
            data = decline_http2(data)
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            # What follows may be of another protocol: it waits until the request has been answered or taken over.
            self._unparsed = data[upgrade.args[0] :]
            if self._transport is not None:
                self._transport.pause_reading()
        except httptools.HttpParserError:
            self._refuse(400, "the request is no valid HTTP/1.1")
            return
        # A header that goes on and on reaches on_header only when it ends.
        if not self._head_read and self._unread_head > self._server.limits.head_bytes:
            self._refuse(431, _TOO_LARGE)

    def eof_received(self) -> None:
        """Close: a caller that sends no more is taken for one that has gone, whatever it waited for."""

    def pause_writing(self) -> None:
        """Remember that the caller is slower than we are."""
        self.paused = True

    def resume_writing(self) -> None:
        """Let the handler go on."""
        self.paused = False
        if self._drain is not None and not self._drain.done():
            self._drain.set_result(None)

    # What the parser calls.

    def on_message_begin(self) -> None:
        """Begin a request."""
        self._request = HttpRequest()
        self._body = []
        self._head_bytes = self._body_bytes = 0
        self._head_read = False

    def on_url(self, url: bytes) -> None:
        """Take a piece of the target."""
        if self._request is not None:
            self._request.target += url.decode("latin-1")
            self._measure_head(len(url))

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header."""
        if self._request is not None:
            self._request.headers.append((name.lower(), value))
            self._measure_head(len(name) + len(value))

    def on_headers_complete(self) -> None:
        """Judge the head before the body comes."""
        self._head_read = True
        request, limits = self._request, self._server.limits
        if request is None or self._refused:
            return
        request.method = self._parser.get_method().decode("latin-1")
        request.http_version = self._parser.get_http_version()
        request.keep_alive = self._parser.should_keep_alive()
        request.upgrade = self._parser.should_upgrade()
        self._deadline = time.monotonic() + limits.body_s
        hosts, waits = 0, False
        for name, value in request.headers:
            if name == b"host":
                hosts += 1
            elif name == b"content-length" and int(value) > limits.body_bytes:
                self._refuse(413, "the body is too large")
                return
            elif name == b"expect":
                waits = value.lower() == b"100-continue"
        if hosts > 1 or (hosts == 0 and request.http_version == "1.1"):
            self._refuse(
                400, "the request has more than one Host header" if hosts else "the request has no Host header"
            )
        elif waits:
            self.send(b"HTTP/1.1 100 Continue\r\n\r\n")

    def on_body(self, body: bytes) -> None:
        """Take a piece of the body."""
        self._body_bytes += len(body)
        if self._refused:
            return
        if self._body_bytes > self._server.limits.body_bytes:
            self._refuse(413, "the body is too large")
            return
        self._body.append(body)

    def on_message_complete(self) -> None:
        """Hand the request over, or let it wait for the one before it."""
        request, self._request = self._request, None
        self._receiving = self._head_read = False
        self._unread_head = 0
        if request is None or self._refused:
            return
        request.body = self._body[0] if len(self._body) == 1 else b"".join(self._body)
        self._body = []
        self._waiting.append(request)
        if self._task is None:
            self._task = self._loop.create_task(self._answer())
        elif len(self._waiting) >= _MOST_WAITING and self._transport is not None:
            self._transport.pause_reading()

    # What exchange and server call.

    def send(self, data: bytes) -> None:
        """Write `data`.

        Raises:
            ConnectionError: the caller has gone.
        """
        if self._transport is None:
            raise ConnectionResetError("the caller has gone")
        self._transport.write(data)

    async def drained(self) -> None:
        """Wait until the caller has taken enough of what was written."""
        self._drain = self._loop.create_future()
        try:
            await self._drain
        finally:
            self._drain = None

    def date(self) -> Header:
        """Return the `date` header."""
        return self._server.date.at(time.time())

    def exchange_ended(self, close: bool) -> None:
        """Go on to the next request, or end."""
        if close or self._ending or self._refused:
            self._close()
        if not self._refused:
            self._deadline = time.monotonic() + self._server.limits.idle_s

    def reset(self) -> None:
        """Break the connection so that the caller sees a reset, not an end."""
        if self._transport is not None:
            raw = self._transport.get_extra_info("socket")
            if raw is not None:
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._transport.abort()

    def abort(self) -> None:
        """Break the connection."""
        if self._transport is not None:
            self._transport.abort()

    def take_over(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Leave the connection to the caller as a plain stream.

        Raises:
            ConnectionError: the other side has gone.
        """
        transport = self._transport
        if transport is None:
            raise ConnectionResetError("the caller has gone")
        reader = asyncio.StreamReader(loop=self._loop)
        protocol = asyncio.StreamReaderProtocol(reader, loop=self._loop)
        transport.set_protocol(protocol)
        protocol.connection_made(transport)
        self._transport = None
        self._server.forget(self)
        if self._unparsed:
            reader.feed_data(self._unparsed)
        transport.resume_reading()
        return reader, asyncio.StreamWriter(transport, protocol, reader, self._loop)

    def end_when_idle(self) -> None:
        """Close after the request that is being answered, or now if there is none."""
        self._ending = True
        if self._task is None:
            self._close()

    def check_deadline(self, now: float) -> None:
        """Refuse or close what has taken too long; a request that is being answered takes as long as it takes."""
        if now < self._deadline or self._task is not None:
            return
        if self._refused or not self._receiving:
            self.abort()
        else:
            self._refuse(408, "the request took too long to arrive")

    def _measure_head(self, size: int) -> None:
        self._head_bytes += size
        if self._head_bytes > self._server.limits.head_bytes:
            self._refuse(431, _TOO_LARGE)

    async def _answer(self) -> None:
        try:
            while self._waiting and self._transport is not None:
                exchange = Exchange(self._waiting.popleft(), self)
                await self._server.run(exchange)
                if self._unparsed is not None and self._transport is not None:
                    unparsed, self._unparsed = self._unparsed, None
                    self._transport.resume_reading()
                    self.data_received(unparsed)
                if len(self._waiting) == _MOST_WAITING - 1 and self._transport is not None:
                    self._transport.resume_reading()
        finally:
            self._task = None

    def _refuse(self, status: int, reason: str) -> None:
        if self._refused or self._transport is None:
            return
        self._refused = True
        self._request = None
        self._waiting.clear()
        self._deadline = time.monotonic() + _LINGER_S
        if self._task is not None:
            return  # a request before it is being answered; its answer must not be mixed up with this one
        exchange = Exchange(HttpRequest(method="GET", keep_alive=False), self)
        exchange.respond(status, [(b"content-type", b"application/json")], self._server.refuse(status, reason))

    def _close(self) -> None:
        if self._transport is None:
            return
        if self._refused and self._transport.can_write_eof():
            # Closing with unread data would reset the connection before the caller has read the refusal.
            self._transport.write_eof()
        else:
            self._transport.close()
