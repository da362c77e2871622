"""What every limiter does, and the registry of them; the kinds are in `limiters.py`."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

MINUTE_S = 60.0
TOLERANCE = 1e-9
"""Share by which a sum of floats that should meet a limit exactly may miss it."""

LIMITERS: dict[str, type["Limiter"]] = {}
"""Every limiter by its name, filled as the classes are defined."""


@dataclass(slots=True)
class Hold:
    """An amount held by a limiter: taken at `at` (seconds), not yet settled."""

    at: float
    amount: float
    unpaid: float = 0.0
    """What time has not given back of it, where a limiter keeps account of that."""


class Limiter(ABC):
    """Counts amounts (requests or tokens) against `per_minute`; subclasses with a `name` are registered."""

    name: ClassVar[str]
    window_s: ClassVar[float] = MINUTE_S
    """Seconds over which `limit` counts."""

    def __init_subclass__(cls) -> None:
        if "name" in cls.__dict__:
            if cls.name in LIMITERS:
                raise TypeError(f"limiter {cls.name} is defined twice")
            LIMITERS[cls.name] = cls

    def __init__(self, per_minute: float) -> None:
        self._set(per_minute)

    def _set(self, per_minute: float) -> None:
        if not per_minute > 0:
            raise ValueError(f"a limiter needs an amount above 0 per minute, not {per_minute:g}")
        self.per_minute = per_minute
        self.limit = self._window_limit(per_minute)
        self._ceiling = self.limit * (1 + TOLERANCE)

    def _window_limit(self, per_minute: float) -> float:
        return per_minute

    def admit(self, now: float, amount: float = 1.0) -> bool:
        """Take `amount` for good if it fits at `now`; return whether it did."""
        if not self.fits(now, amount):
            return False
        self.charge(now, amount)
        return True

    def fits(self, now: float, amount: float) -> bool:
        """Return whether `amount` would be admitted at `now`."""
        return self.used(now) + amount <= self._ceiling

    def remaining(self, now: float) -> float:
        """Return what is left at `now`; never below 0, not even when settlements overdrew."""
        return max(0.0, self.limit - self.used(now))

    def resize(self, now: float, per_minute: float) -> None:
        """Change the amount per minute from `now` on; what is charged stays charged."""
        self.used(now)
        self._set(per_minute)

    @abstractmethod
    def used(self, now: float) -> float:
        """Return what counts against `limit` at `now`."""

    @abstractmethod
    def wait(self, now: float, amount: float) -> float:
        """Return the seconds until `amount` would fit if nothing else came: 0 = now, infinity = never.

        Never means that `amount` is above the limit itself.
        """

    @abstractmethod
    def reset(self, now: float) -> float:
        """Return the seconds until nothing counts any more if nothing else came."""

    @abstractmethod
    def take(self, now: float, amount: float) -> Hold:
        """Hold `amount` from `now` on, to be settled once; the caller has asked `fits` before."""

    @abstractmethod
    def settle(self, now: float, hold: Hold, amount: float) -> None:
        """Replace `hold` by the true `amount`: 0 releases it, more than was held is charged at `now`."""

    @abstractmethod
    def charge(self, now: float, amount: float) -> None:
        """Count `amount` for good at `now`, the instant of the last `used` or `fits`."""
