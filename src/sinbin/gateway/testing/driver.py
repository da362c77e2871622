"""Drives a gateway on a virtual clock: backends answer from scripts, waiting costs nothing."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sinbin.gateway.answer import Answer
from sinbin.gateway.configuration import Subscription
from sinbin.gateway.effects import (
    Effect,
    Forward,
    Outcome,
    Parallel,
    ReadBody,
    SendRequest,
    SingleOutcome,
    TransportError,
    TransportErrorKind,
    Wait,
)
from sinbin.gateway.gateway import Gateway
from sinbin.gateway.messages import Headers, HttpRequest, HttpResponse
from sinbin.gateway.trace import Trace


@dataclass(frozen=True, slots=True)
class ScriptedReply:
    """What a backend answers to one request: a reply, or the error that stands in for one.

    `latency_s` passes before it; a reply that is slower than the request's timeout is a timeout. With `chunks` the
    body comes as a stream of these pieces, `latency_s` for the headers and `chunk_s` before each piece.
    """

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    reason: str | None = None
    latency_s: float = 0.0
    error: TransportErrorKind | None = None
    chunks: tuple[bytes, ...] | None = None
    chunk_s: float = 0.0


@dataclass(slots=True)
class ScriptedStream:
    """A body that comes in pieces."""

    reply: ScriptedReply

    @property
    def chunks(self) -> tuple[bytes, ...]:
        """The pieces, in order."""
        return self.reply.chunks or ()


EMPTY_OBJECT = ScriptedReply(headers=(("Content-Type", "application/json"),), body=b"{}")
"""What a backend without a script answers."""

Script = Sequence[ScriptedReply]


@dataclass(slots=True)
class Ran:
    """What one request came to: the answer, what left the gateway on the way, and when."""

    answer: Answer
    calls: list[Forward]
    """Every attempt, transport errors included."""
    sent: list[SendRequest]
    """Requests of the policies' own."""
    waited_s: float
    started_at: float
    ended_at: float
    body: bytes
    """The body as the caller got it, streams put together."""

    @property
    def response(self) -> HttpResponse:
        """The reply that the caller got."""
        return self.answer.response

    @property
    def backends(self) -> list[str]:
        """The backend of each attempt, the URL where there is none."""
        return [call.backend or call.request.url for call in self.calls]


@dataclass(slots=True)
class Driver:
    """Runs requests through `gateway` one after the other; `now` is the virtual clock in seconds."""

    gateway: Gateway
    seed: int = 1
    now: float = 0.0
    rng: random.Random = field(init=False)
    _scripts: dict[str, list[ScriptedReply]] = field(default_factory=dict)
    _calls: list[Forward] = field(default_factory=list)
    _sent: list[SendRequest] = field(default_factory=list)
    _waited_s: float = 0.0

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)  # noqa: S311 (a simulation wants the same draws again)

    def run(
        self,
        request: HttpRequest,
        answers: Mapping[str, Script] | None = None,
        *,
        instance: int = 0,
        trace: Trace | None = None,
        subscription: Subscription | None = None,
    ) -> Ran:
        """Run `request` to its end.

        Args:
            request: what the caller sends at `now`.
            answers: per backend (for a policy's own requests: per URL, or its beginning) what is answered, in
                order; the last one repeats.
            instance: number of the gateway instance.
            trace: where to note what happens.
            subscription: whose call it is, without a key being shown.
        """
        self._scripts = {name: list(script) for name, script in (answers or {}).items()}
        self._calls, self._sent, self._waited_s = [], [], 0.0
        started_at = self.now
        run = self.gateway.handle(
            request, self.now, self.rng, instance=instance, trace=trace, subscription=subscription
        )
        try:
            effect = next(run)
            while True:
                outcome = self._carry_out(effect)
                effect = run.send((self.now, outcome))
        except StopIteration as stop:
            answer: Answer = stop.value
        body = self._relay(answer)
        return Ran(answer, self._calls, self._sent, self._waited_s, started_at, self.now, body)

    def _carry_out(self, effect: Effect) -> Outcome:
        if isinstance(effect, Parallel):
            outcomes = [self._single(one) for one in effect.effects]
            if not effect.first_only:
                self.now += max((seconds for seconds, _ in outcomes), default=0.0)
                return [outcome for _, outcome in outcomes]
            first = min(range(len(outcomes)), key=lambda index: outcomes[index][0])
            self.now += outcomes[first][0]
            return [outcome if index == first else None for index, (_, outcome) in enumerate(outcomes)]
        seconds, outcome = self._single(effect)
        self.now += seconds
        return outcome

    def _single(self, effect: Effect) -> tuple[float, SingleOutcome]:
        """Return how long `effect` takes and what comes of it."""
        if isinstance(effect, Wait):
            self._waited_s += effect.seconds
            return effect.seconds, None
        if isinstance(effect, ReadBody):
            assert isinstance(effect.stream, ScriptedStream)
            reply = effect.stream.reply
            took = reply.chunk_s * len(effect.stream.chunks)
            if took > effect.timeout_s:
                return effect.timeout_s, TransportError("timeout")
            return took, b"".join(effect.stream.chunks)
        assert isinstance(effect, Forward | SendRequest)
        if isinstance(effect, Forward):
            self._calls.append(effect)
            name = effect.backend or effect.request.url
        else:
            self._sent.append(effect)
            if effect.one_way:
                return 0.0, None
            name = effect.request.url
        return _answer(self._next_reply(name), effect.timeout_s)

    def _next_reply(self, name: str) -> ScriptedReply:
        script = self._scripts.get(name)
        if script is None:
            prefixes = [known for known in self._scripts if "://" in known and name.startswith(known)]
            script = self._scripts[max(prefixes, key=len)] if prefixes else None
        if not script:
            return EMPTY_OBJECT
        return script.pop(0) if len(script) > 1 else script[0]

    def _relay(self, answer: Answer) -> bytes:
        body = answer.response.body
        if isinstance(body, bytes):
            return body
        if not isinstance(body, ScriptedStream):
            return b""
        for chunk in body.chunks:
            self.now += body.reply.chunk_s
            answer.watch(self.now, chunk)
        answer.watch(self.now, None)
        return b"".join(body.chunks)


def _answer(reply: ScriptedReply, timeout_s: float) -> tuple[float, SingleOutcome]:
    if reply.error == "timeout":
        return reply.latency_s or timeout_s, TransportError("timeout")
    if reply.latency_s > timeout_s:
        return timeout_s, TransportError("timeout")
    if reply.error is not None:
        return reply.latency_s, TransportError(reply.error)
    body = reply.body if reply.chunks is None else ScriptedStream(reply)
    return reply.latency_s, HttpResponse(reply.status, Headers(reply.headers), body, reply.reason)
