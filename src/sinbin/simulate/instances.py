"""What answers requests in a gateway: one instance of it, and its reply."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Protocol

from sinbin.simulate.engine import Process
from sinbin.simulate.request_source import Request
from sinbin.simulate.sites import Site


@dataclass(frozen=True, slots=True)
class Reply:
    """What the gateway answers its caller."""

    status: int
    at: float
    """When the caller has the headers (s)."""
    retry_after_s: float | None = None
    site: Site | None = None
    """The region that the reply comes from; None when the gateway answered itself."""
    reason: str = ""
    """Why the gateway answered itself."""
    rest: Process | None = None
    """What the gateway still does after the headers: it watches a stream end."""


Handling = Generator[float, None, Reply]


class Instance(Protocol):
    """One unit of a gateway; units share no breaker, no turn and no counter."""

    def handle(self, request: Request, now: float, step: int) -> Handling:
        """Answer `request`, which arrives at `now` (s).

        Args:
            request: what was sent.
            now: seconds.
            step: how many numbers the request's earlier attempts may have drawn.
        """
