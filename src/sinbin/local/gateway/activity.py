"""The calls that left a gateway in the last minute, by where they went: what its routing really did."""

from dataclasses import dataclass, field

from sinbin.gateway.effects import Outcome
from sinbin.gateway.messages import HttpResponse

WINDOW_S = 60


@dataclass(slots=True)
class Calls:
    """Calls to one backend."""

    sent: int = 0
    refused: int = 0
    """Answered 429."""
    failed: int = 0
    """Answered 5xx, or not at all."""


@dataclass(slots=True)
class _Second:
    second: int = -1
    calls: dict[str, Calls] = field(default_factory=dict)


class Activity:
    """Counts calls by the second, for the last minute of the clock that it is told."""

    __slots__ = ("_ring",)

    def __init__(self) -> None:
        self._ring = [_Second() for _ in range(WINDOW_S)]

    def note(self, now: float, backend: str, outcome: Outcome) -> None:
        """Count a call to `backend` that came back with `outcome` at `now` (s)."""
        second = int(now)
        slot = self._ring[second % WINDOW_S]
        if slot.second != second:
            slot.second = second
            slot.calls = {}
        calls = slot.calls.get(backend)
        if calls is None:
            calls = slot.calls[backend] = Calls()
        calls.sent += 1
        status = outcome.status if isinstance(outcome, HttpResponse) else 599
        if status == 429:
            calls.refused += 1
        elif status >= 500:
            calls.failed += 1

    def last_minute(self, now: float) -> dict[str, Calls]:
        """Return the calls that were answered within the minute before `now` (s), by backend."""
        total: dict[str, Calls] = {}
        for slot in self._ring:
            if slot.second > now - WINDOW_S:
                for backend, calls in slot.calls.items():
                    so_far = total.setdefault(backend, Calls())
                    so_far.sent += calls.sent
                    so_far.refused += calls.refused
                    so_far.failed += calls.failed
        return total
