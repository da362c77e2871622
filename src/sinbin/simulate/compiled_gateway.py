"""The gateway of a stack: its own policy documents, compiled, on the virtual clock."""

import copy
import json
from dataclasses import dataclass
from functools import lru_cache

from sinbin.errors import SinbinError
from sinbin.gateway.answer import Answer
from sinbin.gateway.backends import UNAVAILABLE
from sinbin.gateway.configuration import GatewayConfiguration, Subscription
from sinbin.gateway.effects import Effect, Forward, Outcome, ReadBody, TransportError, Wait
from sinbin.gateway.gateway import Gateway
from sinbin.gateway.instance import GatewayInstance, Service
from sinbin.gateway.messages import Headers, HttpRequest, HttpResponse
from sinbin.simulate.engine import Process
from sinbin.simulate.request_source import Request, pause_chance
from sinbin.simulate.send import Send
from sinbin.simulate.sites import OK, TOO_MANY, Site
from sinbin.simulate.streams import Draws, follow
from sinbin.simulate.tally import LIMITS, POOL_EMPTY, Tally

_INSTANCE_STEP = 1 << 16
"""Where the choice of instances begins among the pauses of a request."""


@dataclass(frozen=True, slots=True)
class Caller:
    """How one kind of request knocks at the gateway."""

    subscription: Subscription
    url: str


@dataclass(frozen=True, slots=True)
class Deployed:
    """A gateway as a stack deploys it; `callers` by kind of request."""

    configuration: GatewayConfiguration
    callers: tuple[tuple[str, Caller], ...]
    instances: int
    own_reply_s: float


@dataclass(slots=True)
class _Stream:
    """The body of a reply that is still arriving."""

    usage: bytes
    end: float


@dataclass(slots=True)
class _Sent:
    """What is known of the request under way."""

    site: Site | None = None
    forwards: int = 0
    status: int = 0
    """What the last region answered."""


@lru_cache(maxsize=4)
def _compiled(configuration: GatewayConfiguration) -> Gateway:
    return Gateway(configuration)


def fresh_gateway(deployed: Deployed) -> Gateway:
    """Return the gateway with nothing remembered; documents are compiled once per process.

    Raises:
        PolicyLoadError: a document is wrong, or says something that is not modelled.
    """
    gateway = copy.copy(_compiled(deployed.configuration))
    gateway.service = Service()
    gateway.instances = [
        GatewayInstance(number, deployed.configuration, gateway.service) for number in range(deployed.instances)
    ]
    return gateway


def make_compiled_client(deployed: Deployed, sites: dict[str, Site], tally: Tally) -> Send:
    """Return how callers send one request through the gateway that `deployed` describes.

    Every backend's name is a site's. Callers do not try again: what the policy answers is the answer.
    """
    gateway = fresh_gateway(deployed)
    callers = dict(deployed.callers)
    prepared: dict[str, HttpRequest] = {}
    draws_of_requests: list[Draws] = []

    def prepare(request: Request) -> HttpRequest:
        kind = request.kind
        known = prepared.get(kind.name)
        if known is None or kind.demand is None:
            body: dict[str, object] = {
                "messages": [{"role": "user", "content": "word " * request.demand.prompt_tokens}],
                "stream": kind.stream,
            }
            if kind.max_tokens is not None:
                body["max_tokens"] = kind.max_tokens
            headers = Headers({"Content-Type": "application/json"})
            known = HttpRequest("POST", callers[kind.name].url, headers, json.dumps(body).encode())
            prepared[kind.name] = known
        return known

    def carry_out(effect: Effect, request: Request, now: float, sent: _Sent) -> tuple[float, Outcome]:
        if isinstance(effect, Forward):
            site = sites.get(effect.backend or "")
            if site is None:
                target = effect.backend or effect.request.url
                raise SinbinError(
                    f'the policy forwards to "{target}", which is no region here; there is {", ".join(sites)}'
                )
            status, at, retry_after = site.call(request, now, follow(request.latency, sent.forwards))
            sent.forwards += 1
            sent.status = status
            sent.site = site
            if at - now > effect.timeout_s:
                return now + effect.timeout_s, TransportError("timeout")
            return at, _response(request, status, at, retry_after)
        if isinstance(effect, Wait):
            return now + effect.seconds, None
        if isinstance(effect, ReadBody) and isinstance(effect.stream, _Stream):
            return effect.stream.end, effect.stream.usage
        raise SinbinError(
            f"the policy does what a simulation has no answer for: {type(effect).__name__} "
            "(a request of its own, to a service that is no region)"
        )

    def send(request: Request, _caller: int, _waits: bool) -> Process:
        # Requests overlap: each has its own draws while it is under way.
        draws = (draws_of_requests.pop() if draws_of_requests else Draws()).load(request.pick)
        number = int(pause_chance(request, _INSTANCE_STEP) * deployed.instances)
        table = gateway.instances[number].backends
        sent = _Sent()
        now = request.arrived
        run = gateway.handle(
            prepare(request), now, draws, instance=number, subscription=callers[request.kind.name].subscription
        )
        try:
            effect = next(run)
            while True:
                now, outcome = carry_out(effect, request, now, sent)
                yield now
                site = sent.site
                breaker = table.breaker(site.name) if site is not None else None
                trips = breaker.trips if breaker is not None else 0
                effect = run.send((now, outcome))
                if breaker is not None and site is not None and breaker.trips > trips:
                    tally.sits_out(site.name, now, breaker.open_until)
        except StopIteration as stop:
            answer: Answer = stop.value
        draws_of_requests.append(draws)
        status = answer.response.status
        body = answer.response.body
        if status == OK and sent.site is not None:
            sent.site.answer(request, now)
            if isinstance(body, _Stream):
                yield body.end
                answer.watch(body.end, body.usage)
                answer.watch(body.end, None)
            return
        if not sent.forwards:
            now += deployed.own_reply_s
            yield now
        if status != sent.status:
            tally.refuse(_reason(answer))
        tally.fail(request, now, status)

    return send


def _reason(answer: Answer) -> str:
    # A reply that a policy makes up itself leaves no error behind: its status tells.
    reason, status = answer.last_error.reason if answer.last_error else "", answer.response.status
    if reason in ("PoolExhausted", "BreakerOpen") or (not reason and status == UNAVAILABLE):
        return POOL_EMPTY
    if reason.endswith("Exceeded") or (not reason and status in (403, TOO_MANY)):
        return LIMITS
    return reason or f"status {status}"


def _response(request: Request, status: int, at: float, retry_after: int | None) -> HttpResponse:
    headers = Headers({"Content-Type": "application/json"})
    if status != OK:
        if retry_after is not None:
            headers.set("Retry-After", str(retry_after))
        return HttpResponse(status, headers, b'{"error":{"code":"%d"}}' % status)
    prompt, completion = request.demand.prompt_tokens, request.completion
    usage = (
        f'{{"object":"chat.completion","choices":[],"usage":{{"prompt_tokens":{prompt},'
        f'"completion_tokens":{completion},"total_tokens":{prompt + completion}}}}}'
    )
    if not request.kind.stream:
        return HttpResponse(status, headers, usage.encode())
    headers.set("Content-Type", "text/event-stream")
    return HttpResponse(status, headers, _Stream(f"data: {usage}\n\ndata: [DONE]\n\n".encode(), at))
