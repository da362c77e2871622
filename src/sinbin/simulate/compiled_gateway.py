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
from sinbin.gateway.retry_after import retry_after_seconds
from sinbin.simulate.engine import Process
from sinbin.simulate.instances import Handling, Reply
from sinbin.simulate.request_source import Request
from sinbin.simulate.sites import OK, TOO_MANY, Site
from sinbin.simulate.streams import Draws, follow
from sinbin.simulate.tally import LIMITS, POOL_EMPTY, Tally


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


def compiled_instances(deployed: Deployed, sites: dict[str, Site], tally: Tally) -> "list[CompiledInstance]":
    """Return the instances of the gateway that `deployed` describes; every backend's name is a site's.

    Raises:
        PolicyLoadError: a document is wrong, or says something that is not modelled.
    """
    gateway = fresh_gateway(deployed)
    requests = _Requests(dict(deployed.callers))
    return [
        CompiledInstance(gateway, number, requests, sites, tally, own_reply_s=deployed.own_reply_s)
        for number in range(deployed.instances)
    ]


class _Requests:
    """HTTP requests as the callers send them, made once where all of a kind are alike."""

    def __init__(self, callers: dict[str, Caller]) -> None:
        self.callers = callers
        self._made: dict[str, HttpRequest] = {}

    def make(self, request: Request) -> HttpRequest:
        """Return `request` as HTTP."""
        kind = request.kind
        known = self._made.get(kind.name)
        if known is None or kind.demand is None:
            body: dict[str, object] = {
                "messages": [{"role": "user", "content": "word " * request.demand.prompt_tokens}],
                "stream": kind.stream,
            }
            if kind.max_tokens is not None:
                body["max_tokens"] = kind.max_tokens
            headers = Headers({"Content-Type": "application/json"})
            known = HttpRequest("POST", self.callers[kind.name].url, headers, json.dumps(body).encode())
            self._made[kind.name] = known
        return known


class CompiledInstance:
    """One instance of a gateway that runs compiled policies."""

    def __init__(
        self,
        gateway: Gateway,
        number: int,
        requests: _Requests,
        sites: dict[str, Site],
        tally: Tally,
        *,
        own_reply_s: float,
    ) -> None:
        self._gateway = gateway
        self._number = number
        self._requests = requests
        self._sites = sites
        self._tally = tally
        self._own_reply_s = own_reply_s
        self._free_draws: list[Draws] = []

    def handle(self, request: Request, now: float, step: int) -> Handling:
        """Answer `request`; see `Instance`."""
        # Requests overlap: each has its own draws while it is under way.
        draws = (self._free_draws.pop() if self._free_draws else Draws()).load(request.pick, step)
        table = self._gateway.instances[self._number].backends
        sent = _Sent()
        run = self._gateway.handle(
            self._requests.make(request),
            now,
            draws,
            instance=self._number,
            subscription=self._requests.callers[request.kind.name].subscription,
        )
        try:
            effect = next(run)
            while True:
                now, outcome = self._carry_out(effect, request, now, sent, step)
                yield now
                site = sent.site
                breaker = table.breaker(site.name) if site is not None else None
                trips = breaker.trips if breaker is not None else 0
                try:
                    effect = run.send((now, outcome))
                finally:
                    # Also when the reply that trips the breaker ends the run.
                    if breaker is not None and site is not None and breaker.trips > trips:
                        self._tally.sits_out(site.name, now, breaker.open_until)
        except StopIteration as stop:
            answer: Answer = stop.value
        self._free_draws.append(draws)
        response = answer.response
        wait = retry_after_seconds(response.headers.get("Retry-After"), now)
        if response.status == OK and sent.site is not None:
            body = response.body
            rest = _until_read(answer, body) if isinstance(body, _Stream) else None
            return Reply(OK, now, wait, sent.site, rest=rest)
        if response.status == sent.status and answer.last_error is None:
            return Reply(response.status, now, wait, sent.site)
        now += self._own_reply_s
        yield now
        return Reply(response.status, now, wait, reason=_reason(answer))

    def _carry_out(
        self, effect: Effect, request: Request, now: float, sent: _Sent, step: int
    ) -> tuple[float, Outcome]:
        if isinstance(effect, Forward):
            site = self._sites.get(effect.backend or "")
            if site is None:
                target = effect.backend or effect.request.url
                known = ", ".join(self._sites)
                raise SinbinError(f'the policy forwards to "{target}", which is no region here; there is {known}')
            status, at, retry_after = site.call(request, now, follow(request.latency, step + sent.forwards))
            sent.forwards += 1
            sent.status = status
            sent.site = site
            if at - now > effect.timeout_s:
                return now + effect.timeout_s, TransportError("timeout")
            return at, _response(request, status, at, retry_after)
        if isinstance(effect, Wait):
            return now + effect.seconds, None
        if isinstance(effect, ReadBody) and isinstance(effect.stream, _Stream):
            if effect.stream.end - now > effect.timeout_s:
                return now + effect.timeout_s, TransportError("timeout")
            return effect.stream.end, effect.stream.usage
        raise SinbinError(
            f"the policy does what a simulation has no answer for: {type(effect).__name__} "
            "(a request of its own, to a service that is no region)"
        )


def _until_read(answer: Answer, body: _Stream) -> Process:
    yield body.end
    answer.watch(body.end, body.usage)
    answer.watch(body.end, None)


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
