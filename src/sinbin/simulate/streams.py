"""Named streams of chance, and what one request drew from them.

Every source of chance (arrivals, pick, latency, …) has a stream of its own, so that asking one more often does
not move the others. A request draws one number per stream when it arrives; whatever it needs later (a second
pick, the latency of a third attempt) follows from that number. So two scenarios that differ in one thing see the
same requests, and a request that is tried again does not change what the next one draws (common random numbers).

Only `random()` of the standard generator is used, the one method whose sequence Python promises not to change;
everything else follows from it by the inverse of a distribution function.
"""

import random
from statistics import NormalDist

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15
normal_quantile = NormalDist().inv_cdf
SMALLEST = 2.0**-54
"""What a number of 0, which has no quantile, counts as."""


def stream(seed: int, name: str) -> random.Random:
    """Return the stream called `name` of the replication `seed`."""
    return random.Random(f"{seed}/{name}")  # noqa: S311 - a simulation wants repeatable chance


def follow(first: float, step: int) -> float:
    """Return the number (0 to 1) that follows `first` after `step` steps; step 0 is `first` itself.

    The mixing is splitmix64's. Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
    """
    if not step:
        return first
    mixed = (int(first * (1 << 53)) + step * _GOLDEN) & _MASK
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
    return ((mixed ^ (mixed >> 31)) >> 11) / (1 << 53)


_ID_STEP = 1 << 32
"""Where whole numbers begin in a request's sequence."""


class Draws(random.Random):
    """The chance of one request, as a generator that code written for `random.Random` can use.

    `load` it with the request's number; then every `random()` is the next of that request's own sequence.
    """

    def __init__(self) -> None:
        super().__init__(0)
        self._first = 0.5
        self._ids = 0
        self.step = 0
        """How far the sequence has gone."""

    def load(self, first: float, step: int = 0) -> "Draws":
        """Continue the sequence of `first` (0 to 1) at `step`; return self."""
        self._first = first
        self._ids = 0
        self.step = step
        return self

    def random(self) -> float:
        """Return the next number, 0 to 1."""
        step = self.step
        self.step = step + 1
        return follow(self._first, step)

    def getrandbits(self, bits: int, /) -> int:
        """Return a whole number of `bits`, 53 of them random; a request's id moves none of its other draws."""
        self._ids += 1
        return int(follow(self._first, _ID_STEP + self._ids) * (1 << bits))

    def gauss(self, mu: float = 0.0, sigma: float = 1.0) -> float:
        """Return a normal draw from exactly one number."""
        return mu + sigma * normal(self.random())


def normal(number: float) -> float:
    """Return the standard normal quantile of `number`."""
    return normal_quantile(number or SMALLEST)
