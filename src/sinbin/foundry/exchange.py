"""A request as a region receives it, and its answer as data: status, headers, and chunks with their delays."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from sinbin.foundry.quota import Quota, Reservation

TransportError = Literal["dns", "tls", "refused", "reset"]
"""Why a caller gets no answer: the name is not found, no TLS session, nobody listens, the connection breaks."""


@dataclass(frozen=True, slots=True)
class Request:
    """An HTTP request; header names are in lower case, `path` has no query."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a body, sent `delay_s` after the one before it (the first: after the headers)."""

    delay_s: float
    data: bytes
    tokens: int = 0
    """Completion tokens that the piece brings."""


@dataclass(slots=True)
class Settlement:
    """What is still owed to a quota when an answer has been sent, or has broken off."""

    quota: Quota
    reservation: Reservation
    prompt_tokens: int
    completion_tokens: int


@dataclass(slots=True, kw_only=True)
class Answer:
    """What a region answers; with a `transport_error` there is no status to speak of."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    """From the request's arrival to the headers."""
    chunks: tuple[Chunk, ...] = ()
    breaks_off: bool = False
    """The connection is reset after the last chunk."""
    transport_error: TransportError | None = None
    deployment: str | None = None
    operation: str | None = None
    settlement: Settlement | None = None

    @property
    def body(self) -> bytes:
        """All chunks together."""
        return b"".join(chunk.data for chunk in self.chunks)

    @property
    def streamed(self) -> bool:
        """Whether the body is a stream of events."""
        return self.headers.get("content-type", "").startswith("text/event-stream")

    @property
    def total_s(self) -> float:
        """Seconds from the request's arrival to the end of the body."""
        return self.delay_s + sum(chunk.delay_s for chunk in self.chunks)
