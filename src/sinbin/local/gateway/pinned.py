"""The sessions of WebSocket APIs: a caller and the backend that its handshake chose, bound to each other."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Sequence

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

    def full(self, instance: int) -> bool:
        """Return whether `instance` takes no further session."""
        return self._open[instance] >= CONNECTIONS

    async def relay(
        self, instance: int, caller: WebSocket, backend: WebSocket, note: Callable[[str], None]
    ) -> None:
        """Carry frames both ways until one side ends; then end the other one."""
        self._open[instance] += 1
        pumps = [
            asyncio.ensure_future(_pump(caller, backend)),
            asyncio.ensure_future(_pump(backend, caller)),
            asyncio.ensure_future(self._idle(caller, backend)),
        ]
        try:
            done, _ = await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            await _cancel(pumps)
            if pumps[0] in done:
                who, (code, reason) = "the caller", caller.ending()
            elif pumps[1] in done:
                who, (code, reason) = "the backend", backend.ending()
            else:
                who, (code, reason) = "the gateway, idle for too long,", (GONE, "idle for too long")
            note(f"{who} ended the WebSocket: {code or 'no code'} {reason}".rstrip())
            await asyncio.gather(caller.close(code, reason), backend.close(code, reason))
        except asyncio.CancelledError:
            caller.abort()
            backend.abort()
            raise
        finally:
            self._open[instance] -= 1
            await _cancel(pumps)

    async def _idle(self, caller: WebSocket, backend: WebSocket) -> None:
        """Return when nothing has moved for too long."""
        still, before = 0, -1
        while still < _LOOKS:
            await self._clock.sleep(IDLE_S / _LOOKS)
            now = caller.received_bytes + backend.received_bytes
            still = still + 1 if now == before else 0
            before = now


async def _pump(source: WebSocket, target: WebSocket) -> None:
    with contextlib.suppress(ConnectionError):
        async for frame in source.frames():
            await target.send(frame)


async def _cancel(tasks: Sequence[asyncio.Future[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
