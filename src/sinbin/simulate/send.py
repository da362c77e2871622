"""How a caller hands a request over."""

from typing import Protocol

from sinbin.simulate.engine import Process
from sinbin.simulate.request_source import Request


class Send(Protocol):
    """Sends requests, directly or through a gateway."""

    def __call__(self, request: Request, caller: int, waits: bool, /) -> Process | None:
        """Send `request` for `caller` when it arrives.

        Returns:
            What is still to come, None when that is nothing. With `waits` the process lasts until the caller has
            its answer; without, nobody minds when it ends, and an answer that needs no further decision is
            counted at once.
        """
