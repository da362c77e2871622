"""Exchangeable limiters: how a region counts requests and tokens against a per-minute amount.

    Limiter
    ├── TokenBucket      token-bucket     one minute's amount, refilled continuously (the default)
    │   └── LeakyBucket      leaky-bucket     the same, but open as long as it is not full: one request more
    ├── FixedMinute      fixed-minute     counted from zero at every full minute
    └── SlidingWindow
        ├── SlidingMinute    sliding-minute   over the last 60 s
        ├── Window10s        window-10s       a sixth of the amount over the last 10 s
        └── Window1s         window-1s        a sixtieth of the amount over the last second

Documents and measurements disagree about which of them Azure uses. The bucket is the default because it alone
explains the published runs: 60 requests a minute served 72 a minute over five minutes: (5 + 1) / 5 x 60.

An amount may be taken for good (`admit`) or held and settled later at its true size (`take`, `settle`), the way
tokens are reserved on arrival and billed on completion. What is settled below its hold is given back only as
far as time has not given it back already, so that the amounts that remain charged never exceed the bound:

- bucket: at most `per_minute x (1 + length / 60)` over any stretch of `length` seconds, a leaky one by one
  amount more;
- fixed minute: at most `per_minute` in each full minute; sliding windows: at most `limit` over any `window_s`.

Source: observed 2026-11-02, 42 published load-test runs of three regions (both buckets);
https://learn.microsoft.com/azure/ai-foundry/openai/how-to/quota, read 2026-11-29 (fixed minute, 1 s and 10 s);
https://github.com/microsoft/aoai-api-simulator, read 2026-11-29 (sliding windows).
"""

import math
from collections import deque

from sinbin.foundry.limiter import LIMITERS, MINUTE_S, TOLERANCE, Hold, Limiter

__all__ = [
    "DEFAULT_LIMITER",
    "LIMITERS",
    "MINUTE_S",
    "FixedMinute",
    "Hold",
    "LeakyBucket",
    "Limiter",
    "SlidingMinute",
    "SlidingWindow",
    "TokenBucket",
    "Window1s",
    "Window10s",
    "make_limiter",
]

DEFAULT_LIMITER = "token-bucket"


class TokenBucket(Limiter):
    """A bucket that holds one minute's amount, full at the start, refilled at `per_minute / 60` a second.

    Kept as a debt that time pays off: settled debt first, then the holds in the order in which they were taken. So
    an early settlement returns as much as it can, and never what time has returned before.
    """

    name = "token-bucket"

    def __init__(self, per_minute: float) -> None:
        super().__init__(per_minute)
        self._settled = 0.0
        self._held = 0.0
        self._holds: deque[Hold] = deque()
        self._at = -math.inf

    def used(self, now: float) -> float:  # noqa: D102 - as in Limiter
        elapsed = now - self._at
        if elapsed > 0:
            self._at = now
            settled = self._settled
            if settled or self._held:
                rest = settled - elapsed * self.per_minute / MINUTE_S
                if rest >= 0:
                    self._settled = rest
                else:
                    self._settled = 0.0
                    self._pay_holds(-rest)
        return self._settled + self._held

    def fits(self, now: float, amount: float) -> bool:  # noqa: D102 - as in Limiter
        if now > self._at:
            self.used(now)
        return self._settled + self._held + amount <= self._ceiling

    def wait(self, now: float, amount: float) -> float:  # noqa: D102 - as in Limiter
        if amount > self._ceiling:
            return math.inf
        if self.fits(now, amount):
            return 0.0
        return (self.used(now) + amount - self.limit) * MINUTE_S / self.per_minute

    def reset(self, now: float) -> float:  # noqa: D102 - as in Limiter
        return self.used(now) * MINUTE_S / self.per_minute

    def take(self, now: float, amount: float) -> Hold:  # noqa: D102 - as in Limiter
        if now != self._at:
            self.used(now)
        hold = Hold(now, amount, unpaid=amount)
        self._holds.append(hold)
        self._held += amount
        return hold

    def settle(self, now: float, hold: Hold, amount: float) -> None:  # noqa: D102 - as in Limiter
        if now != self._at:
            self.used(now)
        unpaid, hold.unpaid = hold.unpaid, 0.0
        self._held -= unpaid
        self._settled += unpaid - min(hold.amount - amount, unpaid)
        self._drop_paid()

    def _pay_holds(self, paid: float) -> None:
        for hold in self._holds:
            part = min(paid, hold.unpaid)
            hold.unpaid -= part
            self._held -= part
            paid -= part
            if paid <= 0:
                break
        self._drop_paid()

    def _drop_paid(self) -> None:
        while self._holds and self._holds[0].unpaid <= 0:
            self._holds.popleft()
        if not self._holds:
            self._held = 0.0  # drops what rounding has left behind

    def charge(self, now: float, amount: float) -> None:  # noqa: ARG002, D102 - the debt is as of now already
        self._settled += amount


class LeakyBucket(TokenBucket):
    """A token bucket that asks whether it is full, not whether the amount still fits.

    So a burst gets one request more than a minute's amount: the generic cell rate algorithm with a tolerance of
    one minute. An amount above a whole minute's never fits.

    Source: https://learn.microsoft.com/azure/ai-foundry/openai/how-to/quota, read 2026-11-29 (requests are refused
    once the limit "is reached"); observed 2026-11-02: three regions of 10 a minute answered 33 within 3 to 6 s.
    """

    name = "leaky-bucket"

    def fits(self, now: float, amount: float) -> bool:  # noqa: D102 - as in Limiter
        if now > self._at:
            self.used(now)
        return self._settled + self._held < self._full and amount <= self._ceiling

    def wait(self, now: float, amount: float) -> float:  # noqa: D102 - as in Limiter
        if amount > self._ceiling:
            return math.inf
        if self.fits(now, amount):
            return 0.0
        return (self.used(now) - self._full + self.limit * TOLERANCE) * MINUTE_S / self.per_minute

    @property
    def _full(self) -> float:
        return self.limit * (1 - TOLERANCE)


class FixedMinute(Limiter):
    """Counts from zero at every full minute of `now`."""

    name = "fixed-minute"

    def __init__(self, per_minute: float) -> None:
        super().__init__(per_minute)
        self._start = -math.inf
        self._count = 0.0

    def used(self, now: float) -> float:  # noqa: D102 - as in Limiter
        if now >= self._start + MINUTE_S:
            self._start = math.floor(now / MINUTE_S) * MINUTE_S
            self._count = 0.0
        return self._count

    def wait(self, now: float, amount: float) -> float:  # noqa: D102 - as in Limiter
        if amount > self._ceiling:
            return math.inf
        return 0.0 if self.fits(now, amount) else self._start + MINUTE_S - now

    def reset(self, now: float) -> float:  # noqa: D102 - as in Limiter
        return self._start + MINUTE_S - now if self.used(now) else 0.0

    def take(self, now: float, amount: float) -> Hold:  # noqa: D102 - as in Limiter
        self.used(now)
        self._count += amount
        return Hold(self._start, amount)

    def settle(self, now: float, hold: Hold, amount: float) -> None:  # noqa: D102 - as in Limiter
        self.used(now)
        if hold.at == self._start or amount > hold.amount:
            self._count += amount - hold.amount

    def charge(self, now: float, amount: float) -> None:  # noqa: ARG002, D102 - the count is as of now already
        self._count += amount


class SlidingWindow(Limiter):
    """Counts what was taken in the last `window_s` seconds, to the instant.

    Deciding costs amortised constant time; `wait` walks over the entries that must leave first, at most
    `amount` of them for requests.
    """

    def __init__(self, per_minute: float) -> None:
        super().__init__(per_minute)
        self._entries: deque[Hold] = deque()
        self._count = 0.0

    def _window_limit(self, per_minute: float) -> float:
        # Rounded up: a window that allowed less than one request would refuse everything for ever.
        return float(math.ceil(per_minute * self.window_s / MINUTE_S - TOLERANCE))

    def used(self, now: float) -> float:  # noqa: D102 - as in Limiter
        entries = self._entries
        while entries and entries[0].at + self.window_s <= now:
            self._count -= entries.popleft().amount
        if not entries:
            self._count = 0.0  # drops what rounding has left behind
        return self._count

    def wait(self, now: float, amount: float) -> float:  # noqa: D102 - as in Limiter
        if amount > self._ceiling:
            return math.inf
        excess = self.used(now) + amount - self._ceiling
        if excess <= 0:
            return 0.0
        for entry in self._entries:
            excess -= entry.amount
            if excess <= 0:
                return entry.at + self.window_s - now
        return self.window_s

    def reset(self, now: float) -> float:  # noqa: D102 - as in Limiter
        return self._entries[-1].at + self.window_s - now if self.used(now) else 0.0

    def take(self, now: float, amount: float) -> Hold:  # noqa: D102 - as in Limiter
        hold = Hold(now, amount)
        self._entries.append(hold)
        self._count += amount
        return hold

    def settle(self, now: float, hold: Hold, amount: float) -> None:  # noqa: D102 - as in Limiter
        if amount > hold.amount:
            self.charge(now, amount - hold.amount)
        elif hold.at + self.window_s > now:
            self._count += amount - hold.amount
            hold.amount = amount

    def charge(self, now: float, amount: float) -> None:  # noqa: D102 - as in Limiter
        self.take(now, amount)


class SlidingMinute(SlidingWindow):
    """The whole amount over the last minute."""

    name = "sliding-minute"


class Window10s(SlidingWindow):
    """A sixth of the amount, rounded up, over the last ten seconds."""

    name = "window-10s"
    window_s = 10.0


class Window1s(SlidingWindow):
    """A sixtieth of the amount, rounded up, over the last second."""

    name = "window-1s"
    window_s = 1.0


def make_limiter(name: str, per_minute: float) -> Limiter:
    """Return a new limiter of the kind `name` for `per_minute`.

    Raises:
        ValueError: there is no limiter of that name, or the amount is not above 0.
    """
    if name not in LIMITERS:
        raise ValueError(f'there is no limiter "{name}"; choose {", ".join(sorted(LIMITERS))}')
    return LIMITERS[name](per_minute)
