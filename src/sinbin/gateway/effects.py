"""What a running policy asks of the outside world.

Handling one request is a generator. It yields an effect, the driver carries it out (on a virtual clock or with
real sockets) and resumes it with `(now, outcome)`, `now` in seconds on the driver's clock at that very moment:

    run = gateway.handle(request, now, rng)
    effect = next(run)
    while True:
        outcome = ...                     # carry `effect` out
        effect = run.send((now, outcome))   # StopIteration.value is the Answer

| effect | outcome |
|---|---|
| `Forward`, `SendRequest` | `HttpResponse` (headers arrived; the body may be a `BodyStream`) or `TransportError` |
| `ReadBody` | `bytes`, or `TransportError` when the stream broke, took too long or is too large |
| `Wait` | None |
| `Parallel` | a list of outcomes in the order of its effects; with `first_only` None for those cancelled |

A `BodyStream` that a later `Forward` of the same run replaces (the reply was retried) is never asked for: the
driver closes it. A driver that gives up on a request (its caller went away) closes the generator: `run.close()`.
"""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from sinbin.gateway.answer import Answer
from sinbin.gateway.messages import BodyStream, HttpRequest, HttpResponse

TransportErrorKind = Literal["timeout", "dns", "tls", "reset"]


@dataclass(slots=True)
class TransportError:
    """No reply came: the time ran out, the name is unknown, TLS failed, or the connection broke."""

    kind: TransportErrorKind

    @property
    def reason(self) -> str:
        """`context.LastError.Reason` for it, and what a breaker's error reasons are compared with.

        Source: learn.microsoft.com/azure/api-management/api-management-error-handling-policies, read 2026-11-29
        """
        return "Timeout" if self.kind == "timeout" else "BackendConnectionFailure"


@dataclass(slots=True)
class Forward:
    """Send `request` to the backend called `backend` (None = a bare URL) and wait for the headers of the reply.

    `timeout_s` is how long the headers may take; the driver answers `TransportError("timeout")` then.
    """

    backend: str | None
    request: HttpRequest
    timeout_s: float
    stream: bool = False
    """The reply is relayed as it comes (`buffer-response="false"`)."""


@dataclass(slots=True)
class SendRequest:
    """Send a request of the policy's own; `one_way` = nobody waits, resume at once with None."""

    request: HttpRequest
    timeout_s: float
    one_way: bool = False
    backend: str | None = None
    """Name of the backend entity when the policy named one (an embeddings backend)."""


@dataclass(slots=True)
class ReadBody:
    """Read a reply's body to its end, within `timeout_s`; a driver may take only so many bytes of it."""

    stream: BodyStream
    timeout_s: float


@dataclass(slots=True)
class Wait:
    """Let `seconds` pass."""

    seconds: float


@dataclass(slots=True)
class Parallel:
    """Carry `effects` out at once, until all have finished or, with `first_only`, one has."""

    effects: "tuple[Forward | SendRequest | ReadBody | Wait, ...]"
    first_only: bool = False


Effect: TypeAlias = Forward | SendRequest | ReadBody | Wait | Parallel
SingleOutcome: TypeAlias = HttpResponse | TransportError | bytes | None
Outcome: TypeAlias = SingleOutcome | list[SingleOutcome]
Run: TypeAlias = Generator[Effect, tuple[float, Outcome], Answer]
