"""The sessions of WebSocket APIs: a caller and the backend that its handshake chose, bound to each other."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from sinbin.local.clock import Clock
from sinbin.local.http.websocket import GONE, WebSocket

CONNECTIONS = 5_000
"""Sessions at a time that one unit of the service takes.

Source: https://learn.microsoft.com/azure/api-management/service-limits, read 2026-11-29.
"""
IDLE_S = 240.0
"""After how long without a byte in either direction a session ends, on the gateways' clock.

Source: https://learn.microsoft.com/azure/api-management/forward-request-policy, read 2026-11-29: the network below
drops connections that are idle for four minutes; that this holds for WebSockets is assumed.
"""
_LOOKS = 20
"""How often in that time it is looked whether something moved."""


class Sessions:
    """All sessions of one gateway."""

    def __init__(self, clock: Clock) -> None:
        """Count idle time on `clock`."""
        self._clock = clock
        self._open: Counter[int] = Counter()

    @contextlib.contextmanager
    def place(self, instance: int) -> Iterator[bool]:
        """Take a place at `instance` for a handshake and its session; give whether there was one."""
        free = self._open[instance] < CONNECTIONS
        self._open[instance] += free
        try:
            yield free
        finally:
            self._open[instance] -= free

    async def relay(self, caller: WebSocket, backend: WebSocket, note: Callable[[str], None]) -> None:
        """Carry frames both ways until one side ends; then end the other one."""
        pumps: list[asyncio.Future[WebSocket | None]] = [
            asyncio.ensure_future(_pump(caller, backend)),
            asyncio.ensure_future(_pump(backend, caller)),
            asyncio.ensure_future(self._idle(caller, backend)),
        ]
        try:
            done, _ = await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            await _cancel(pumps)
            ended = next(pump.result() for pump in pumps if pump in done)
            if ended is None:
                closed: tuple[int | None, str] = GONE, "idle for too long"
                note(f"the gateway ended the WebSocket: {GONE} idle for too long")
            else:
                closed = ended.closed_with() or (GONE, "")
                note(_told(ended, "the caller" if ended is caller else "the backend"))
            await asyncio.gather(caller.close(*closed), backend.close(*closed))
        except asyncio.CancelledError:
            caller.abort()
            backend.abort()
            raise
        finally:
            await _cancel(pumps)

    async def _idle(self, caller: WebSocket, backend: WebSocket) -> None:
        """Return, naming no side, when nothing has moved for too long."""
        still, before = 0, -1
        while still < _LOOKS:
            await self._clock.sleep(IDLE_S / _LOOKS)
            now = caller.received_bytes + backend.received_bytes
            still = still + 1 if now == before else 0
            before = now


async def _pump(source: WebSocket, target: WebSocket) -> WebSocket:
    """Carry frames until one side ends; return that side."""
    async for frame in source.frames():
        try:
            await target.send(frame)
        except ConnectionError:
            return target
    return source


def _told(ended: WebSocket, name: str) -> str:
    """Return what a trace says of the side `name` that has ended."""
    if (closed := ended.closed_with()) is not None:
        code, reason = closed
        return f"{name} ended the WebSocket: {code or 'no code'} {reason}".rstrip()
    if (failed := ended.failed_with()) is not None:
        return f"the gateway ended the WebSocket for what {name} sent: {failed[0]} {failed[1]}".rstrip()
    return f"{name} ended the WebSocket without a close"


async def _cancel(tasks: Sequence[asyncio.Future[WebSocket | None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
