"""One gateway over HTTP: a request from the wire through the policies, and the answer back."""

import itertools
import json
import random
from collections.abc import Callable

from sinbin.gateway.answer import Answer
from sinbin.gateway.effects import Forward, Run
from sinbin.gateway.gateway import Gateway
from sinbin.gateway.messages import HttpRequest
from sinbin.local.gateway.activity import Activity
from sinbin.local.gateway.effects import Carrier, Effects, Relayed
from sinbin.local.gateway.pinned import CONNECTIONS, Sessions
from sinbin.local.gateway.traces import HEADER, TRIED, RequestTrace, Traces, breakers
from sinbin.local.gateway.wire import read_headers, to_caller
from sinbin.local.http import websocket
from sinbin.local.http.exchange import Exchange
from sinbin.local.http.guard import is_own_origin, names_this_machine
from sinbin.local.http.messages import Header
from sinbin.local.http.websocket import WebSocket

_JSON: Header = (b"content-type", b"application/json")


class GatewayHandler:
    """Answers exchanges as one API Management service does; its instances take turns."""

    def __init__(
        self,
        base_url: str,
        effects: Effects,
        now: Callable[[], float],
        rng: random.Random,
        traces: Traces,
        *,
        trace_all: bool = False,
    ) -> None:
        """Make a handler without a gateway.

        Args:
            base_url: where callers reach it, without a slash at the end.
            effects: sends what the gateway sends.
            now: the gateway's clock (s).
            rng: where weighted choices and jitter come from.
            traces: where traces are kept.
            trace_all: trace also requests that do not ask for it.
        """
        self.gateway: Gateway | None = None
        """None = there is nothing to serve; `why` says why."""
        self.why = "no API Management service is deployed; deploy one with `pulumi up`"
        self.activity = Activity()
        self._base_url = base_url
        self._effects = effects
        self._now = now
        self._rng = rng
        self._traces = traces
        self._trace_all = trace_all
        self._turns = itertools.count()
        self._sessions = Sessions(effects.clock)

    async def __call__(self, exchange: Exchange) -> None:
        """Answer one exchange."""
        gateway = self.gateway
        if gateway is None:
            exchange.respond(503, [_JSON], refuse(503, self.why))
            return
        if not exchange.request.target.startswith("/"):
            exchange.respond(400, [_JSON], refuse(400, "the target of the request is no path"))
            return
        host = exchange.request.header(b"host")
        if host is not None and not names_this_machine(host):
            exchange.respond(
                403, [_JSON], refuse(403, "the gateway is reached by a name of loopback or an address")
            )
            return
        instance = next(self._turns) % len(gateway.instances)
        if not websocket.is_handshake(exchange.request) or not gateway.opens_websocket(exchange.request.path):
            await self._handle(exchange, gateway, instance, handshake=False)
            return
        # The place is taken before the policies run, and kept: handshakes at the same time are counted, too.
        with self._sessions.place(instance) as free:
            refusal = _refusal(exchange, free=free)
            if refusal is None:
                await self._handle(exchange, gateway, instance, handshake=True)
            else:
                exchange.respond(refusal[0], [_JSON], refuse(*refusal))

    async def _handle(self, exchange: Exchange, gateway: Gateway, instance: int, *, handshake: bool) -> None:
        request = self._read(exchange)
        now = self._now()
        trace = None
        asked = request.headers.fields.pop(HEADER, None)
        told = self._trace_all if asked is None else asked[1] != ("0",)
        if told or self._traces.watched:
            trace = self._traces.begin(gateway, instance, request, exchange.request.target, now)
        carrier = self._effects.begin(
            None if trace is None else lambda text: self._note(trace, text),
            websocket.offered(exchange.request) if handshake else None,
        )
        run = gateway.handle(
            request, now, self._rng, instance=instance, trace=None if trace is None else trace.notes
        )
        kept = None
        try:
            answer = await self._run(run, carrier, trace)
            kept = answer.response.body
            if trace is not None:
                now = self._now()
                trace.end(now, answer, breakers(gateway, instance, now))
                if told:
                    answer.response.headers.set(HEADER, str(trace.number))
                    answer.response.headers.set(TRIED, trace.tried())
            pinned = carrier.pinned if answer.response.status == 101 else None
            carrier.close(pinned or kept)
            if pinned is None:
                await self._relay(exchange, answer)
            else:
                await self._bind(exchange, answer, pinned, trace)
        finally:
            run.close()
            carrier.close()

    async def _bind(
        self, exchange: Exchange, answer: Answer, pinned: WebSocket, trace: RequestTrace | None
    ) -> None:
        headers = to_caller(answer.response.headers, keep_length=False)
        caller = websocket.accept(exchange, headers, pinned.subprotocol)
        note = (lambda _: None) if trace is None else (lambda text: self._note(trace, text))
        await self._sessions.relay(caller, pinned, note)

    def _read(self, exchange: Exchange) -> HttpRequest:
        request = exchange.request
        headers = read_headers(request.headers)
        url = self._base_url + request.target
        return HttpRequest(request.method, url, headers, request.body or None, exchange.peer)

    async def _run(self, run: Run, carrier: Carrier, trace: RequestTrace | None) -> Answer:
        try:
            effect = next(run)
            while True:
                began = self._now()
                outcome = await carrier.carry_out(effect)
                now = self._now()
                if type(effect) is Forward and effect.backend is not None:
                    self.activity.note(now, effect.backend, outcome)
                if trace is not None:
                    trace.effect(effect, outcome, began, now)
                effect = run.send((now, outcome))
        except StopIteration as stop:
            answer: Answer = stop.value
            return answer

    async def _relay(self, exchange: Exchange, answer: Answer) -> None:
        response = answer.response
        body = response.body
        if not isinstance(body, Relayed):
            content = body if isinstance(body, bytes) else b""
            keep_length = exchange.request.method == "HEAD" and not content
            headers = to_caller(response.headers, keep_length=keep_length)
            exchange.respond(response.status, headers, content, reason=response.reason)
            return
        headers = to_caller(response.headers, keep_length=True)
        exchange.start(response.status, headers, reason=response.reason)
        try:
            async for chunk in body.response.chunks():
                answer.watch(self._now(), chunk)
                await exchange.write(chunk)
        finally:
            answer.watch(self._now(), None)
        await exchange.end()

    def _note(self, trace: RequestTrace, text: str) -> None:
        trace.notes.note(self._now(), text)


def _refusal(exchange: Exchange, *, free: bool) -> tuple[int, str] | None:
    """Return status and reason to refuse a handshake that is none, a website's, or one too many."""
    origin = exchange.request.header(b"origin")
    if origin is not None and not is_own_origin(origin):
        return 403, "a WebSocket is opened by no page of another machine"
    refusal = websocket.refusal(exchange.request)
    if refusal is None and not free:
        return 503, f"the unit has {CONNECTIONS} WebSocket connections, which is all it takes"
    return refusal


def refuse(status: int, reason: str) -> bytes:
    """Return the body of a refusal of the gateway itself, in the shape of API Management."""
    return json.dumps({"statusCode": status, "message": reason}).encode()
