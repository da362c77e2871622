"""What one gateway instance (a unit of the service in one region) remembers between requests."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sinbin.gateway.backends import BackendTable
from sinbin.gateway.configuration import GatewayConfiguration
from sinbin.gateway.counters import SWEEP_EVERY, Quotas, RateCounter, SlidingWindow, TokenBucket

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CachedValue:
    """A value of the cache and when it goes (s)."""

    value: Any
    expires_at: float


class Cache:
    """The internal cache: values by key until they expire.

    Nothing is evicted for lack of memory, and all instances share it, as they share an external one.
    """

    __slots__ = ("_sweep_in", "_values")

    def __init__(self) -> None:
        self._values: dict[Hashable, CachedValue] = {}
        self._sweep_in = SWEEP_EVERY

    def get(self, key: Hashable, now: float) -> CachedValue | None:
        """Return what is kept under `key` at `now`, None when there is nothing or no longer."""
        found = self._values.get(key)
        return found if found is not None and now < found.expires_at else None

    def put(self, key: Hashable, value: Any, now: float, duration_s: float) -> None:
        """Keep `value` under `key` for `duration_s` seconds from `now`."""
        self._values[key] = CachedValue(value, now + duration_s)
        self._sweep_in -= 1
        if self._sweep_in <= 0:
            self._sweep_in = SWEEP_EVERY
            self._values = {key: kept for key, kept in self._values.items() if now < kept.expires_at}

    def remove(self, key: Hashable) -> None:
        """Forget what is kept under `key`."""
        self._values.pop(key, None)


@dataclass(slots=True)
class Service:
    """What all instances of a service share: quotas by call volume and bandwidth, and the cache.

    Source: learn.microsoft.com/azure/api-management/api-management-sample-flexible-throttling, read 2026-11-29
    """

    quotas: Quotas = field(default_factory=Quotas)
    cache: Cache = field(default_factory=Cache)


class GatewayInstance:
    """Breakers, pool turns, rates and concurrency of one instance; nothing here is synchronised with another."""

    def __init__(self, number: int, configuration: GatewayConfiguration, service: Service) -> None:
        self.number = number
        self.service = service
        self.configuration = configuration
        self.epoch_s = configuration.epoch_s
        self.backends = BackendTable(configuration.backends, configuration.pools)
        self.rates: dict[Hashable, RateCounter] = {}
        self.token_quotas = Quotas()
        """Each instance counts alone. Source: llm-token-limit reference page, read 2026-11-29"""
        self.running: dict[str, int] = {}
        """Requests inside limit-concurrency, by key."""
        self.made: dict[int, Any] = {}
        """What expressions see of parts of the configuration, by the identity of the part."""
        self._sweep_in = SWEEP_EVERY

    def adopt(self, configuration: GatewayConfiguration) -> None:
        """Go on with a changed configuration; breakers and counters keep their state."""
        self.configuration = configuration
        self.epoch_s = configuration.epoch_s
        self.made.clear()
        self.backends.adopt(configuration.backends, configuration.pools)

    def rate(self, key: Hashable, limit: float, window_s: float, now: float) -> RateCounter:
        """Return the counter `key`, made when it is new: a sliding window, in the v2 tiers a token bucket.

        A key that is used with another limit or window is counted on under the new ones (assumed).
        """
        counter = self.rates.get(key)
        if counter is None:
            counter = self._new_counter(key, limit, window_s)
        elif counter.limit != limit or counter.window_s != window_s:
            counter.limit = limit
            counter.window_s = window_s
        self._sweep_in -= 1
        if self._sweep_in <= 0:
            self._sweep_in = SWEEP_EVERY
            self.rates = {
                known: kept for known, kept in self.rates.items() if kept is counter or not kept.idle(now)
            }
        return counter

    def _new_counter(self, key: Hashable, limit: float, window_s: float) -> RateCounter:
        kind: Callable[[float, float], RateCounter] = TokenBucket if self.configuration.v2 else SlidingWindow
        counter = self.rates[key] = kind(limit, window_s)
        return counter
