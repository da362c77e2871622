"""The backends of one gateway instance: who is chosen, who sits out."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sinbin.gateway.circuit_breaker import BreakerState
from sinbin.gateway.configuration import Backend, Pool
from sinbin.gateway.pool import PoolState

UNAVAILABLE = 503


@dataclass(frozen=True, slots=True)
class Refusal:
    """Nothing may be called: the breaker is open, or every member of the pool sits out."""

    target: str
    status: int
    reason: str
    """`BreakerOpen` or `PoolExhausted`; the words are assumed, Azure documents none."""
    frees_at: float
    """When the first backend comes back (s)."""


class BackendTable:
    """Backends, pools and breakers of one gateway instance; instances share nothing.

    Breaker state belongs to a backend's name: it is shared by all pools that hold it and outlives a change
    of configuration.
    """

    def __init__(self, backends: Iterable[Backend] = (), pools: Iterable[Pool] = ()) -> None:
        self._breakers: dict[str, BreakerState] = {}
        self._backends: dict[str, Backend] = {}
        self._pools: dict[str, Pool] = {}
        self._pool_states: dict[str, PoolState] = {}
        self.adopt(backends, pools)

    def adopt(self, backends: Iterable[Backend], pools: Iterable[Pool]) -> None:
        """Take over a changed configuration; breakers of backends that remain keep their state."""
        self._backends = {backend.name: backend for backend in backends}
        known, self._breakers = self._breakers, {}
        for backend in self._backends.values():
            if backend.circuit_breaker is None:
                continue
            state = known.get(backend.name) or BreakerState(backend.circuit_breaker)
            state.adopt(backend.circuit_breaker)
            self._breakers[backend.name] = state
        self._pools = {pool.name: pool for pool in pools}
        self._pool_states = {
            pool.name: PoolState(pool.name, pool.members, self._breakers) for pool in self._pools.values()
        }

    def __contains__(self, target: object) -> bool:
        return target in self._backends or target in self._pools

    def __iter__(self) -> Iterator[Backend]:
        return iter(self._backends.values())

    def pool(self, target: str) -> Pool | None:
        """Return the pool called `target`, None when it is a single backend or unknown."""
        return self._pools.get(target)

    def backend(self, name: str) -> Backend:
        """Return the single backend called `name`.

        Raises:
            KeyError: there is none.
        """
        return self._backends[name]

    def breaker(self, name: str) -> BreakerState | None:
        """Return the breaker state of the backend `name`, None when it has no breaker."""
        return self._breakers.get(name)

    def choose(self, target: str, now: float, rng: random.Random, sticky: str | None = None) -> Backend | Refusal:
        """Return the backend for a request to the backend or pool `target`, chosen anew at every call.

        Args:
            target: name of a backend or a pool.
            now: seconds.
            rng: for draws by weight.
            sticky: the pool member that the caller's session cookie names.

        Raises:
            KeyError: `target` is neither a backend nor a pool.
        """
        state = self._pool_states.get(target)
        if state is not None:
            chosen = state.choose(now, rng, sticky)
            if chosen is not None:
                return self._backends[chosen]
            status = self._pools[target].failure_response_status or UNAVAILABLE
            return Refusal(target, status, "PoolExhausted", state.frees_at())
        backend = self._backends[target]
        breaker = self._breakers.get(target)
        if breaker is not None and now < breaker.open_until:
            return Refusal(
                target, breaker.rule.failure_response_status or UNAVAILABLE, "BreakerOpen", breaker.open_until
            )
        return backend

    def record(
        self, name: str, now: float, status: int | None, reason: str = "", retry_after_s: float | None = None
    ) -> bool:
        """Tell the breaker of `name` what came back at `now`; return whether that tripped it."""
        breaker = self._breakers.get(name)
        return breaker is not None and breaker.record(now, status, reason, retry_after_s)

    def sitting_out(self, now: float) -> dict[str, float]:
        """Return when each backend that sits out at `now` comes back (s), by name."""
        return {name: breaker.open_until for name, breaker in self._breakers.items() if breaker.is_open(now)}
