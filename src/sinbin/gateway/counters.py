"""Counters behind rate limits, quotas and token limits: how much was used, how much is left, when it frees.

| counter | used by |
|---|---|
| `SlidingWindow` | rate and token limits of the classic tiers |
| `TokenBucket` | the same in the v2 tiers |
| `FixedPeriod` | quotas: what was used since the period began |

All times are seconds on the caller's clock, amounts are requests, tokens or kilobytes.
Source: learn.microsoft.com/azure/api-management/api-management-sample-flexible-throttling, read 2026-11-29
"""

import math
from collections import deque
from collections.abc import Hashable
from typing import Protocol

SWEEP_EVERY = 10_000
"""Uses of keyed counters between two sweeps of idle ones: memory stays flat however many keys come by."""


class RateCounter(Protocol):
    """A limit of `limit` per window, one counter per key."""

    limit: float
    window_s: float

    def left(self, now: float) -> float:
        """Return how much may still be used at `now`; negative after an overshoot."""

    def add(self, now: float, amount: float) -> None:
        """Use `amount` (0 or more) at `now`, whether it is left or not."""

    def correct(self, at: float, now: float, amount: float) -> None:
        """Change by `amount` what was used at `at`, because at `now` the true figure is known."""

    def wait(self, now: float, amount: float) -> float:
        """Return after how many seconds `amount` (at most the limit) is left if nothing else is used."""

    def idle(self, now: float) -> bool:
        """Return whether the counter at `now` is as good as a new one."""


class SlidingWindow:
    """What was used in the last `window_s` seconds may not exceed `limit`."""

    __slots__ = ("_used", "_uses", "limit", "window_s")

    def __init__(self, limit: float, window_s: float) -> None:
        self.limit = limit
        self.window_s = window_s
        self._uses: deque[tuple[float, float]] = deque()
        self._used = 0.0

    def left(self, now: float) -> float:
        """Return how much may still be used at `now`."""
        uses = self._uses
        horizon = now - self.window_s
        while uses and uses[0][0] <= horizon:
            self._used -= uses.popleft()[1]
        return self.limit - self._used

    def add(self, now: float, amount: float) -> None:
        """Use `amount` at `now`; several uses at the same instant are kept as one."""
        if not amount:
            return
        uses = self._uses
        if uses and uses[-1][0] == now:
            uses[-1] = (now, uses[-1][1] + amount)
        else:
            uses.append((now, amount))
        self._used += amount

    def correct(self, at: float, now: float, amount: float) -> None:
        """Change the use of `at`, so that it leaves the window with it; nothing when it has left already."""
        if not amount or at <= now - self.window_s:
            return
        uses = self._uses
        for index in range(len(uses) - 1, -1, -1):
            if uses[index][0] <= at:
                if uses[index][0] == at:
                    uses[index] = (at, uses[index][1] + amount)
                else:
                    uses.insert(index + 1, (at, amount))
                break
        else:
            uses.appendleft((at, amount))
        self._used += amount

    def wait(self, now: float, amount: float) -> float:
        """Return the seconds until enough uses have left the window."""
        missing = min(amount, self.limit) - self.left(now)
        for at, used in self._uses:
            if missing <= 0:
                break
            missing -= used
            if missing <= 0:
                # Rounding may have left nothing to wait for, and the use in the window.
                return max(at + self.window_s - now, math.ulp(now))
        return 0.0

    def idle(self, now: float) -> bool:
        """Return whether nothing was used within the window."""
        self.left(now)
        return not self._uses


class TokenBucket:
    """A bucket that holds `limit`, full at the start, refilled evenly within `window_s` seconds."""

    __slots__ = ("_at", "_left", "limit", "window_s")

    def __init__(self, limit: float, window_s: float) -> None:
        self.limit = limit
        self.window_s = window_s
        self._left = float(limit)
        self._at = 0.0

    def left(self, now: float) -> float:
        """Return what is in the bucket at `now`."""
        if now > self._at:
            self._left = min(self.limit, self._left + (now - self._at) * self.limit / self.window_s)
            self._at = now
        return self._left

    def add(self, now: float, amount: float) -> None:
        """Take `amount` out at `now`."""
        self._left = self.left(now) - amount

    def correct(self, at: float, now: float, amount: float) -> None:  # noqa: ARG002 (a bucket has no past)
        """Take `amount` out, or put it back as far as there is room."""
        self._left = min(self.limit, self.left(now) - amount)

    def wait(self, now: float, amount: float) -> float:
        """Return the seconds until the refill has brought `amount`."""
        missing = min(amount, self.limit) - self.left(now)
        return max(0.0, missing * self.window_s / self.limit) if self.limit else math.inf

    def idle(self, now: float) -> bool:
        """Return whether the bucket is full."""
        return self.left(now) >= self.limit


class FixedPeriod:
    """What was used since the current period began; the caller says when that was."""

    __slots__ = ("_start", "_used", "ends_at", "limit")

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.ends_at = math.inf
        """When the counter may be forgotten."""
        self._start = -math.inf
        self._used = 0.0

    def left(self, period_start: float) -> float:
        """Return how much is left in the period that began at `period_start`."""
        if period_start > self._start:
            self._start = period_start
            self._used = 0.0
        return self.limit - self._used

    def add(self, period_start: float, amount: float) -> None:
        """Use `amount` in the period that began at `period_start`; what belongs to a past period is dropped."""
        if period_start < self._start:
            return
        self.left(period_start)
        self._used += amount


class Quotas:
    """Quota counters by key; those whose period is over are forgotten now and then."""

    __slots__ = ("_counters", "_sweep_in")

    def __init__(self) -> None:
        self._counters: dict[Hashable, FixedPeriod] = {}
        self._sweep_in = SWEEP_EVERY

    def counter(self, key: Hashable, limit: float, now: float, ends_at: float) -> FixedPeriod:
        """Return the counter `key`, made when it is new; a changed limit applies at once.

        Args:
            key: what is counted.
            limit: how much may be used in the period.
            now: seconds.
            ends_at: when the period that holds `now` ends, on the same clock; infinite for an endless one.
        """
        counter = self._counters.get(key)
        if counter is None:
            counter = self._counters[key] = FixedPeriod(limit)
        counter.limit, counter.ends_at = limit, ends_at
        self._sweep_in -= 1
        if self._sweep_in <= 0:
            self._sweep_in = SWEEP_EVERY
            self._counters = {known: kept for known, kept in self._counters.items() if kept.ends_at > now}
        return counter

    def __len__(self) -> int:
        return len(self._counters)
