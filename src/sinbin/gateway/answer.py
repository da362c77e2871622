"""What comes out of one request: the reply, and what was recorded on the way."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from sinbin.gateway.messages import HttpResponse


class Metric(NamedTuple):
    """A value of `emit-metric` or of a token metric policy."""

    namespace: str
    name: str
    value: float
    dimensions: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """A message of `log-to-eventhub`."""

    logger_id: str
    message: str
    partition: str | None = None


@dataclass(frozen=True, slots=True)
class TraceMessage:
    """A message of the `trace` policy."""

    source: str
    message: str
    severity: str
    metadata: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class LastError:
    """`context.LastError`: what stopped the request.

    Source: learn.microsoft.com/azure/api-management/api-management-error-handling-policies, read 2026-11-29
    """

    source: str
    reason: str
    message: str
    scope: str = ""
    section: str = ""
    path: str = ""
    policy_id: str = ""


Recorded: TypeAlias = Metric | LoggedEvent | TraceMessage
StreamWatcher: TypeAlias = Callable[[float, bytes | None], None]
"""Called with `(now, chunk)` for every chunk of a relayed stream and with `(now, None)` at its end."""


@dataclass(slots=True)
class Answer:
    """The reply for the caller and what the policies recorded.

    When `response.body` is a stream, the driver passes every chunk to `watch` as it relays it, and None when the
    stream has ended or broken: token counts of a stream are settled there.
    """

    response: HttpResponse
    last_error: LastError | None = None
    recorded: list[Recorded] = field(default_factory=list)
    watchers: list[StreamWatcher] = field(default_factory=list)
    variables: dict[str, Any] = field(default_factory=dict)
    """`context.Variables` as the policies left them."""

    def watch(self, now: float, chunk: bytes | None) -> None:
        """Tell the policies that `chunk` of the reply went by at `now`; None = there is no more."""
        for watcher in self.watchers:
            watcher(now, chunk)
