"""One request and the answer to it, as a handler sees them."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sinbin.local.http.messages import Header, HttpRequest, encode_head, status_line

if TYPE_CHECKING:
    from sinbin.local.http.connection import Connection

_BODILESS = frozenset({204, 304})


class Exchange:
    """A request with the means to answer it: whole (`respond`) or in pieces (`start`, `write`, `end`)."""

    __slots__ = ("_chunked", "_connection", "_silent", "close_after", "ended", "request", "started")

    def __init__(self, request: HttpRequest, connection: "Connection") -> None:
        self.request = request
        self._connection = connection
        self._chunked = False
        self._silent = False
        self.started = False
        self.ended = False
        self.close_after = not request.keep_alive

    @property
    def peer(self) -> str:
        """The caller's address."""
        return self._connection.peer

    def respond(self, status: int, headers: Sequence[Header], body: bytes, *, reason: str | None = None) -> None:
        """Answer at once with the whole `body`; its length is added unless `headers` have it.

        `reason` None stands for the usual phrase of the status, here and in `start`.
        """
        if not any(name == b"content-length" for name, _ in headers) and status not in _BODILESS:
            headers = [*headers, (b"content-length", str(len(body)).encode())]
        head = self._head(status, headers, reason)
        self._connection.send(head if self._silent else head + body)
        self._finish()

    def start(self, status: int, headers: Sequence[Header], *, reason: str | None = None) -> None:
        """Send the head; the body follows in pieces, chunked unless `headers` give its length."""
        measured = any(name == b"content-length" for name, _ in headers)
        if not measured and status not in _BODILESS:
            if self.request.http_version == "1.1":
                self._chunked = True
                headers = [*headers, (b"transfer-encoding", b"chunked")]
            else:
                self.close_after = True
        self._connection.send(self._head(status, headers, reason))

    async def write(self, data: bytes) -> None:
        """Send a piece of the body, and wait while the caller is slower than we are.

        Raises:
            ConnectionError: the caller has gone.
        """
        if not data or self._silent:
            return
        self._connection.send(b"%x\r\n%b\r\n" % (len(data), data) if self._chunked else data)
        if self._connection.paused:
            await self._connection.drained()

    async def end(self) -> None:
        """End the body; a handler that answered nothing at all breaks the connection."""
        if not self.started:
            self.reset()
            return
        if self._chunked and not self._silent:
            self._connection.send(b"0\r\n\r\n")
        self._finish()

    def take_over(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Return the connection as a plain stream, for a request with `upgrade`: the handler speaks for itself.

        Raises:
            ConnectionError: the caller has gone.
        """
        self.started = self.ended = True
        return self._connection.take_over()

    def reset(self) -> None:
        """Break the connection: the caller sees a reset."""
        self.ended = True
        self._connection.reset()

    def _head(self, status: int, headers: Sequence[Header], reason: str | None) -> bytes:
        if self.started:
            raise RuntimeError("an exchange is answered once")
        self._silent = self.request.method == "HEAD" or status in _BODILESS
        extra = [self._connection.date()]
        if self.close_after:
            extra.append((b"connection", b"close"))
        head = encode_head(status_line(status, reason), (*headers, *extra))
        self.started = True
        return head

    def _finish(self) -> None:
        self.ended = True
        self._connection.exchange_ended(self.close_after)
