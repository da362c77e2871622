"""One region over HTTP: a request from the wire to the region, its answer back with the delays it asks for."""

import asyncio
import random
from urllib.parse import parse_qsl, unquote

from sinbin.foundry.exchange import Answer, Request
from sinbin.foundry.realtime import RealtimeSession
from sinbin.foundry.region import Region
from sinbin.local.clock import Clock
from sinbin.local.foundry.realtime import converse
from sinbin.local.http import websocket
from sinbin.local.http.exchange import Exchange
from sinbin.local.http.messages import Header, HttpRequest


class RegionHandler:
    """Answers exchanges as a region does."""

    def __init__(self, region: Region, clock: Clock) -> None:
        """Serve `region` on `clock`."""
        self.region = region
        self._rng = random.Random(region.account.name)  # noqa: S311 - not for secrets
        self._clock = clock

    async def __call__(self, exchange: Exchange) -> None:
        """Answer one exchange; what it owes to the quota is settled however it ends."""
        request = to_request(exchange.request)
        answer = self.region.receive(self._clock.now(), request)
        if answer.transport_error is not None:
            # A region that does not answer is seen as a connection that breaks: names and TLS are the business
            # of whoever connects, who asks the region itself (`Region.connect`).
            exchange.reset()
            return
        if answer.status == 101:
            await self._converse(exchange, request, answer)
            return
        sent = 0
        try:
            await self._clock.sleep(answer.delay_s)
            headers = encode_headers(answer)
            if len(answer.chunks) == 1 and not answer.breaks_off:
                exchange.respond(answer.status, headers, answer.chunks[0].data)
                sent = 1
            else:
                exchange.start(answer.status, headers)
                for chunk in answer.chunks:
                    await self._clock.sleep(chunk.delay_s)
                    await exchange.write(chunk.data)
                    sent += 1
                if answer.breaks_off:
                    # Let what was sent leave first: a reset throws away what is still in the buffer.
                    await asyncio.sleep(_SETTLE_S)
                    exchange.reset()
                else:
                    await exchange.end()
        finally:
            complete = sent == len(answer.chunks) and not answer.breaks_off
            self.region.finish(self._clock.now(), answer, None if complete else sent)

    async def _converse(self, exchange: Exchange, request: Request, answer: Answer) -> None:
        refusal = websocket.refusal(exchange.request)
        if refusal is not None:
            status, reason = refusal
            exchange.respond(status, [], reason.encode())
            return
        await self._clock.sleep(answer.delay_s)
        protocol = _REALTIME if _REALTIME in websocket.offered(exchange.request) else None
        opened = websocket.accept(exchange, encode_headers(answer), protocol)
        session = RealtimeSession(self.region.receive, request, answer.deployment or "", self._rng)
        await converse(opened, session, self.region, self._clock)


_SETTLE_S = 0.05
_REALTIME = "realtime"
"""The subprotocol that browsers offer, beside one that holds a key."""


def to_request(request: HttpRequest) -> Request:
    """Return what came over the wire as a region reads it; of a repeated header the last one counts."""
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in request.headers}
    query = dict(parse_qsl(request.query, keep_blank_values=True))
    return Request(request.method, unquote(request.path), query, headers, request.body)


def encode_headers(answer: Answer) -> list[Header]:
    """Return the headers of `answer` as they go over the wire."""
    return [(name.encode(), value.encode("latin-1", "replace")) for name, value in answer.headers.items()]
