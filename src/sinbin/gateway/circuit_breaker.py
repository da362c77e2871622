"""The circuit breaker of one backend in one gateway instance: closed or open, nothing between.

    closed ──(a reply or an error makes the rule true)──► open ──(the trip is over)──► closed, counters empty

The clock of a trip starts when the reply that trips it reaches the gateway, not when its request was sent: the
breaker learns nothing earlier. Failures of requests that were under way when it tripped arrive while it is open;
they are dropped, so they neither lengthen the trip nor count against the next one.
"""

from collections import deque
from dataclasses import dataclass, field

from sinbin.topology import CircuitBreaker


@dataclass(slots=True)
class BreakerState:
    """Failures that a backend showed one gateway instance; all times in seconds on the caller's clock.

    Source: learn.microsoft.com/azure/api-management/backends, read 2026-11-29; that `interval` slides and that a
    percentage needs no smallest sample is assumed.
    """

    rule: CircuitBreaker
    open_until: float = 0.0
    trips: int = 0
    _failures: deque[float] = field(default_factory=deque)
    _calls: deque[float] = field(default_factory=deque)
    _failing: frozenset[int] = frozenset()
    """The statuses that the rule counts as failures."""

    def __post_init__(self) -> None:
        self.adopt(self.rule)

    def is_open(self, now: float) -> bool:
        """Return whether the backend sits out at `now`."""
        return now < self.open_until

    def record(self, now: float, status: int | None, reason: str = "", retry_after_s: float | None = None) -> bool:
        """Count what came back at `now`; return whether that tripped the breaker.

        Args:
            now: when the reply arrived or the error was noticed.
            status: HTTP status; None when no reply came.
            reason: why no reply came, as `context.LastError.Reason` says it.
            retry_after_s: what the reply's Retry-After asks for, None without one.
        """
        if now < self.open_until:
            return False
        rule = self.rule
        failed = self._is_failure(status, reason)
        if rule.failure_count is None:
            self._calls.append(now)
            _forget(self._calls, now - rule.interval_s)
        if not failed:
            return False
        failures = self._failures
        failures.append(now)
        _forget(failures, now - rule.interval_s)
        if not self._reached(len(failures)):
            return False
        trip = rule.trip_duration_s
        if rule.accept_retry_after and retry_after_s is not None:
            trip = retry_after_s
        self.open_until = now + trip
        self.trips += 1
        failures.clear()
        self._calls.clear()
        return True

    def adopt(self, rule: CircuitBreaker) -> None:
        """Go on under a changed rule: an open breaker stays open, counted failures stay counted."""
        self.rule = rule
        self._failing = frozenset(
            status for span in rule.status_ranges for status in range(span.low, span.high + 1)
        )

    def failures(self, now: float) -> int:
        """Return how many failures count at `now`."""
        _forget(self._failures, now - self.rule.interval_s)
        return len(self._failures)

    def _is_failure(self, status: int | None, reason: str) -> bool:
        if status is None:
            return any(reason.casefold() == known.casefold() for known in self.rule.error_reasons)
        return status in self._failing

    def _reached(self, failures: int) -> bool:
        if self.rule.failure_count is not None:
            return failures >= self.rule.failure_count
        return failures * 100 >= (self.rule.failure_percentage or 0) * len(self._calls)


def _forget(times: deque[float], until: float) -> None:
    while times and times[0] <= until:
        times.popleft()
