"""The client's side of one connection, and the response that comes over it."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import cast

import httptools

from sinbin.local.http.messages import Header

_HIGH_WATER = 256 * 1024
"""Bytes of a body that may wait for a slow reader before the server is made to wait."""
_HEAD_BYTES = 64 * 1024
"""Bytes that the headers of a response may have: what the HTTP client of .NET takes as it comes.

Source: learn.microsoft.com/dotnet/api/system.net.http.httpclienthandler.maxresponseheaderslength, read 2026-11-30
"""


class BodyTooLargeError(Exception):
    """The body is larger than its reader takes."""


class ClientResponse:
    """A response: its head, and its body as it comes. A body that is not read to its end must be closed."""

    __slots__ = (
        "_chunks",
        "_connection",
        "_error",
        "_waiter",
        "_waiting_bytes",
        "complete",
        "head",
        "headers",
        "reason",
        "status",
    )

    def __init__(self, connection: "ClientConnection", loop: asyncio.AbstractEventLoop) -> None:
        self._connection = connection
        self.head: asyncio.Future[None] = loop.create_future()
        """Done when status and headers are there."""
        self.status = 0
        self.reason = ""
        """The phrase after the status, as the server wrote it."""
        self.headers: list[Header] = []
        """Names in lower case, in the order of the wire."""
        self.complete = False
        self._chunks: deque[bytes] = deque()
        self._waiting_bytes = 0
        self._waiter: asyncio.Future[None] | None = None
        self._error: Exception | None = None

    async def read(self, most_bytes: int | None = None) -> bytes:
        """Return the whole body, or what is left of it.

        Args:
            most_bytes: how many bytes are taken; None = any number.

        Raises:
            ConnectionError: the connection broke before its end.
            BodyTooLargeError: there are more than `most_bytes`; the response is given up.
        """
        if self.complete and len(self._chunks) == 1:
            return self._chunks.popleft()
        pieces, size = [], 0
        async for chunk in self.chunks():
            size += len(chunk)
            if most_bytes is not None and size > most_bytes:
                self.close()
                raise BodyTooLargeError(f"the body has more than {most_bytes} bytes")
            pieces.append(chunk)
        return b"".join(pieces)

    async def chunks(self) -> AsyncIterator[bytes]:
        """Yield the body in the pieces in which it comes.

        Raises:
            ConnectionError: the connection broke before its end.
        """
        while True:
            while self._chunks:
                chunk = self._chunks.popleft()
                self._waiting_bytes -= len(chunk)
                yield chunk
            if self._error is not None:
                raise self._error
            if self.complete:
                return
            self._connection.resume()
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None

    def close(self) -> None:
        """Give the response up; a connection in the middle of a body can't be used again."""
        if not self.complete:
            self._connection.abort()

    # What the connection calls.

    def add(self, data: bytes) -> bool:
        """Take a piece of the body; return whether the server should wait."""
        self._chunks.append(data)
        self._waiting_bytes += len(data)
        self._wake()
        return self._waiting_bytes > _HIGH_WATER

    def finish(self) -> None:
        """The body is complete."""
        self.complete = True
        self._wake()

    def fail(self, error: Exception) -> None:
        """The connection broke."""
        self._error = error
        if not self.head.done():
            self.head.set_exception(error)
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


class ClientConnection(asyncio.Protocol):
    """One connection, one request at a time."""

    def __init__(self, loop: asyncio.AbstractEventLoop, release: Callable[["ClientConnection"], None]) -> None:
        self._loop = loop
        self._release = release
        self._transport: asyncio.Transport | None = None
        self._parser = httptools.HttpResponseParser(self)
        self._response: ClientResponse | None = None
        self._method = ""
        self._until_close = False
        self._head_bytes = 0
        self._reading_paused = False
        self.idle_since = 0.0

    @property
    def is_open(self) -> bool:
        """Whether a request can be sent."""
        return self._transport is not None and not self._transport.is_closing()

    def begin(self, data: bytes, method: str) -> ClientResponse:
        """Send a request and return its response, whose head is still to come."""
        self._response = ClientResponse(self, self._loop)
        self._method = method
        self._head_bytes = 0
        if self._transport is None:
            self._response.fail(ConnectionResetError("the server has closed the connection"))
        else:
            self._transport.write(data)
        return self._response

    def abort(self) -> None:
        """Break the connection."""
        if self._transport is not None:
            self._transport.abort()

    def time_out(self) -> None:
        """Give up waiting for the head."""
        response = self._response
        if response is not None and not response.head.done():
            self._response = None
            response.fail(TimeoutError())
            self.abort()

    def resume(self) -> None:
        """Let the server go on."""
        if self._reading_paused and self._transport is not None:
            self._reading_paused = False
            self._transport.resume_reading()

    # What asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's is one in all but name

    def connection_lost(self, exc: Exception | None) -> None:
        """End what is being received."""
        self._transport = None
        response, self._response = self._response, None
        if response is None:
            return
        if self._until_close and response.head.done() and exc is None:
            response.finish()
        else:
            response.fail(ConnectionResetError("the server has broken the connection"))

    def data_received(self, data: bytes) -> None:
        """Parse what came."""
        if self._response is None:
            self.abort()  # nobody asked for it
            return
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self._refuse("the server's answer is no valid HTTP/1.1")

    # What the parser calls.

    def on_status(self, reason: bytes) -> None:
        """Take (a piece of) the phrase after the status."""
        if self._response is not None:
            self._response.reason += reason.decode("latin-1")

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header."""
        if self._response is None:
            return
        self._head_bytes += len(name) + len(value)
        if self._head_bytes > _HEAD_BYTES:
            self._refuse("the headers of the server's answer are too large")
        else:
            self._response.headers.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        """Tell the caller; an interim response (1xx) is thrown away."""
        response = self._response
        if response is None:
            return
        status = self._parser.get_status_code()
        if 100 <= status < 200:
            response.headers.clear()
            response.reason = ""
            return
        if status < 100:
            self._refuse(f"{status:03} is no status of HTTP")
            return
        response.status = status
        names = {name for name, _ in response.headers}
        self._until_close = b"content-length" not in names and b"transfer-encoding" not in names
        if not response.head.done():
            response.head.set_result(None)
        if self._method == "HEAD":
            # The parser waits for a body that never comes, so this connection is not used again.
            self._response = None
            response.finish()
            self.abort()

    def on_body(self, body: bytes) -> None:
        """Take a piece of the body."""
        if self._response is not None and self._response.add(body) and self._transport is not None:
            self._reading_paused = True
            self._transport.pause_reading()

    def on_message_complete(self) -> None:
        """End the response and become idle."""
        response = self._response
        if response is None or not response.status:
            return
        self._response = None
        self.resume()
        response.finish()
        if self._parser.should_keep_alive() and self.is_open:
            self.idle_since = time.monotonic()
            self._release(self)
        else:
            self.abort()

    def _refuse(self, why: str) -> None:
        response, self._response = self._response, None
        if response is not None:
            response.fail(ConnectionResetError(why))
        self.abort()
