"""Which member of a pool gets the next request, in one gateway instance."""

import random
from collections.abc import Mapping
from dataclasses import dataclass

from sinbin.gateway.circuit_breaker import BreakerState
from sinbin.topology import PoolMember


@dataclass(frozen=True, slots=True)
class _Seat:
    backend: str
    weight: int
    breaker: BreakerState | None


class PoolState:
    """The members of a pool by priority, and whose turn it is.

    Among the members of the lowest priority number that has one not sitting out: equal weights take turns, unequal
    ones are drawn by weight. A member of weight 0 is drawn only when all weights of its priority are 0.

    Source: learn.microsoft.com/azure/api-management/backends, read 2026-11-29 (priorities, weights, turns); that
    unequal weights are drawn independently, and what weight 0 means, is assumed.
    """

    __slots__ = ("_seats", "_tiers", "_turns", "name")

    def __init__(self, name: str, members: tuple[PoolMember, ...], breakers: Mapping[str, BreakerState]) -> None:
        """Seat `members`; `breakers` holds the state of every member that has a breaker."""
        self.name = name
        seats = {
            member.backend: _Seat(member.backend, member.weight, breakers.get(member.backend))
            for member in members
        }
        priorities = sorted({member.priority for member in members})
        self._tiers = [
            [seats[member.backend] for member in members if member.priority == priority] for priority in priorities
        ]
        self._turns = [0] * len(self._tiers)
        self._seats = seats

    def choose(self, now: float, rng: random.Random, sticky: str | None = None) -> str | None:
        """Return the backend for a request at `now`, None when every member sits out.

        Args:
            now: seconds.
            rng: where the draw comes from; untouched when there is nothing to draw.
            sticky: the member that the caller's session belongs to; it wins unless it sits out (assumed).
        """
        if sticky is not None:
            seat = self._seats.get(sticky)
            if seat is not None and (seat.breaker is None or now >= seat.breaker.open_until):
                return sticky
        for tier, seats in enumerate(self._tiers):
            free = [seat for seat in seats if seat.breaker is None or now >= seat.breaker.open_until]
            if free:
                return free[0].backend if len(free) == 1 else self._pick(tier, free, rng)
        return None

    def frees_at(self) -> float:
        """Return when the first of the members that sit out comes back (seconds)."""
        return min(seat.breaker.open_until if seat.breaker else 0.0 for seat in self._seats.values())

    def _pick(self, tier: int, free: list[_Seat], rng: random.Random) -> str:
        weights = [seat.weight for seat in free]
        if min(weights) == max(weights):
            turn = self._turns[tier]
            self._turns[tier] = turn + 1
            return free[turn % len(free)].backend
        point = rng.random() * sum(weights)
        for seat in free:
            point -= seat.weight
            if point < 0:
                return seat.backend
        return next(seat.backend for seat in reversed(free) if seat.weight)
