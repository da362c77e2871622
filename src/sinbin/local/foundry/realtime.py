"""A realtime session of a region over a WebSocket, with the delays that its events ask for."""

import asyncio
from collections.abc import AsyncIterator

from websockets.frames import Frame, Opcode

from sinbin.foundry.exchange import Answer
from sinbin.foundry.realtime import SESSION_S, RealtimeSession
from sinbin.foundry.region import Region
from sinbin.local.clock import Clock
from sinbin.local.http.websocket import GONE, WebSocket

_UNREADABLE = 1003
"""The close code for a kind of message that is not taken."""


async def converse(websocket: WebSocket, session: RealtimeSession, region: Region, clock: Clock) -> None:
    """Answer the caller's events one after the other until either side ends."""
    code, reason = 1000, ""
    try:
        async with asyncio.timeout(clock.wall_s(SESSION_S)):
            await _send(websocket, session.begin(), region, clock)
            async for message in _messages(websocket):
                if message is None:
                    code, reason = _UNREADABLE, "events are text"
                    break
                answer = session.receive(clock.now(), message)
                if answer.transport_error is not None:
                    websocket.abort()
                    return
                await _send(websocket, answer, region, clock)
    except TimeoutError:
        code, reason = GONE, "the session has lasted as long as one may"
    except ConnectionError:
        pass
    await websocket.close(code, reason)


async def _messages(websocket: WebSocket) -> AsyncIterator[bytes | None]:
    """Yield whole text messages; None for one that is no text."""
    pieces: list[bytes] = []
    async for frame in websocket.frames():
        if frame.opcode is Opcode.BINARY:
            yield None
            return
        pieces.append(bytes(frame.data))
        if frame.fin:
            yield b"".join(pieces)
            pieces.clear()


async def _send(websocket: WebSocket, answer: Answer, region: Region, clock: Clock) -> None:
    sent = 0
    try:
        for chunk in answer.chunks:
            await clock.sleep(chunk.delay_s)
            await websocket.send(Frame(Opcode.TEXT, chunk.data))
            sent += 1
        if answer.breaks_off:
            websocket.abort()
    finally:
        region.finish(clock.now(), answer, None if sent == len(answer.chunks) else sent)
