"""Backends on loopback that answer from a script and remember what they got."""

import asyncio

from sinbin.local.http.server import HttpServer
from sinbin.local.ports import bind


class Stub:
    """A server whose replies are taken in order, the last one again and again."""

    def __init__(self, call, *replies):
        self._call = call
        self.replies = list(replies)
        self.received = []
        self.broken = 0
        """Requests whose caller went away before they were answered."""
        listener = bind(0)
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self._server = HttpServer(self._answer)
        call(self._server.start(listener))

    def stop(self):
        self._call(self._server.stop(0.1))

    async def _answer(self, exchange):
        self.received.append(exchange.request)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        try:
            await reply(exchange)
        except asyncio.CancelledError:
            self.broken += 1
            raise


def answer(status=200, body=b"{}", **headers):
    """Answer at once."""
    lines = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]

    async def reply(exchange):
        exchange.respond(status, lines, body)

    return reply


def after(seconds, reply):
    """Wait first."""

    async def late(exchange):
        await asyncio.sleep(seconds)
        await reply(exchange)

    return late


def stream(*chunks, pause=0.0, breaks_off=False, **headers):
    """Answer with an event stream of these chunks."""
    lines = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]

    async def reply(exchange):
        exchange.start(200, [(b"content-type", b"text/event-stream"), *lines])
        for chunk in chunks:
            await exchange.write(chunk)
            await asyncio.sleep(pause)
        if breaks_off:
            exchange.reset()
        else:
            await exchange.end()

    return reply


async def reset(exchange):
    """Break the connection."""
    exchange.reset()
