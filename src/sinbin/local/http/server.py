"""An HTTP/1.1 server on loopback: one handler for every request, answered whole or in pieces."""

import asyncio
import contextlib
import logging
import socket
import time
from collections.abc import Awaitable, Callable

from sinbin.local.http.connection import Connection
from sinbin.local.http.exchange import Exchange
from sinbin.local.http.messages import DateLine, Limits

Handler = Callable[[Exchange], Awaitable[None]]
Refuse = Callable[[int, str], bytes]
"""Returns the JSON body with which the server itself refuses: status and reason in, body out."""

_LOG = logging.getLogger(__name__)
_SWEEP_S = 0.5


def refuse_plainly(status: int, reason: str) -> bytes:
    """Return a refusal in the shape of the inference API."""
    return f'{{"error":{{"code":"{status}","message":"{reason}"}}}}'.encode()


class HttpServer:
    """Serves one handler on one socket; all of it in the loop that called `start`."""

    def __init__(self, handler: Handler, limits: Limits | None = None, refuse: Refuse = refuse_plainly) -> None:
        """Make a server.

        Args:
            handler: answers an exchange; cancelled when its caller goes away.
            limits: what a caller may take.
            refuse: the body of refusals that never reach the handler (malformed, too large, too slow).
        """
        self.handler = handler
        self.limits = limits or Limits()
        self.refuse = refuse
        self.connections: set[Connection] = set()
        self.date = DateLine()
        self._server: asyncio.Server | None = None
        self._empty = asyncio.Event()
        self._sweeper: asyncio.Task[None] | None = None

    async def start(self, listener: socket.socket) -> None:
        """Serve what connects to `listener`, which is bound to loopback already."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: Connection(self, loop), sock=listener, backlog=1024)
        self._sweeper = loop.create_task(self._sweep())

    async def stop(self, grace_s: float = 2.0) -> None:
        """Take no more connections, let running requests end for `grace_s`, then break what is left."""
        if self._server is None or self._sweeper is None:
            return
        self._server.close()
        for connection in tuple(self.connections):
            connection.end_when_idle()
        with contextlib.suppress(TimeoutError):
            if self.connections:
                self._empty.clear()
                await asyncio.wait_for(self._empty.wait(), grace_s)
        for connection in tuple(self.connections):
            connection.abort()
        self._sweeper.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._sweeper
        self._server = None

    def forget(self, connection: Connection) -> None:
        """Count a connection no more."""
        self.connections.discard(connection)
        if not self.connections:
            self._empty.set()

    async def run(self, exchange: Exchange) -> None:
        """Let the handler answer `exchange`; its own failure is a 500 and a traceback in the log."""
        try:
            await self.handler(exchange)
            if not exchange.ended:
                await exchange.end()
        except ConnectionError:
            exchange.reset()
        except Exception:  # noqa: BLE001 - whatever went wrong in a handler, the server goes on
            _LOG.exception("%s %s failed", exchange.request.method, exchange.request.path)
            if exchange.started:
                exchange.reset()
            else:
                body = self.refuse(500, "the local server failed; its log says more")
                exchange.respond(500, [(b"content-type", b"application/json")], body)

    async def _sweep(self) -> None:
        # One timer for all connections: a timer per request costs more than the parser.
        while True:
            await asyncio.sleep(_SWEEP_S)
            now = time.monotonic()
            for connection in tuple(self.connections):
                connection.check_deadline(now)
