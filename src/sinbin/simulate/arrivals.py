"""When open-loop requests arrive: an endless or finite sequence of times per kind of load, in seconds.

`arrival_times` finds the function for a load by its class; a new kind of load is a class in `scenario` and a
function here. Closed-loop loads (burst, closed) have no arrivals of their own: their callers send when they are
free, see `callers`.
"""

import math
import random
from collections.abc import Iterator
from functools import singledispatch

from sinbin.simulate.loads import BurstyLoad, DiurnalLoad, PoissonLoad, SteadyLoad, TraceLoad


@singledispatch
def arrival_times(load: object, rng: random.Random) -> Iterator[float]:  # noqa: ARG001 - no kind, no chance
    """Yield the arrival times of `load` in order.

    Args:
        load: an open-loop load.
        rng: the stream `arrivals`.

    Raises:
        TypeError: the load is closed-loop.
    """
    raise TypeError(f"{type(load).__name__} has no arrivals of its own")


@arrival_times.register
def _steady(load: SteadyLoad, rng: random.Random) -> Iterator[float]:
    # A request at a random instant of its slot: at an exactly even spacing every retry meets its neighbours at
    # the same instant, which no real generator does.
    slot = 1 / load.requests_per_second
    draw = rng.random
    for index in range(math.ceil(load.duration_seconds * load.requests_per_second - 1e-9)):
        yield (index + draw()) * slot


def _exponential(rng: random.Random, mean: float) -> float:
    return -mean * math.log(1.0 - rng.random())


@arrival_times.register
def _poisson(load: PoissonLoad, rng: random.Random) -> Iterator[float]:
    now = 0.0
    mean, end = 1 / load.requests_per_second, load.duration_seconds
    draw, log = rng.random, math.log
    while True:
        now -= mean * log(1.0 - draw())
        if now >= end:
            return
        yield now


@arrival_times.register
def _bursty(load: BurstyLoad, rng: random.Random) -> Iterator[float]:
    now, busy = 0.0, False
    while now < load.duration_seconds:
        rate = load.burst_requests_per_second if busy else load.quiet_requests_per_second
        until = min(
            now + _exponential(rng, load.burst_seconds if busy else load.quiet_seconds), load.duration_seconds
        )
        while rate:
            now += _exponential(rng, 1 / rate)
            if now >= until:
                break
            yield now
        now, busy = until, not busy


@arrival_times.register
def _diurnal(load: DiurnalLoad, rng: random.Random) -> Iterator[float]:
    # Thinning: arrivals at the peak rate, each kept with the share that the rate of its instant has of the peak.
    peak, trough = load.peak_requests_per_second, load.trough_requests_per_second
    now = 0.0
    while True:
        now += _exponential(rng, 1 / peak)
        keep = rng.random()
        if now >= load.duration_seconds:
            return
        phase = 2 * math.pi * (now - load.peak_at_seconds) / load.period_seconds
        if keep * peak < trough + (peak - trough) * (1 + math.cos(phase)) / 2:
            yield now


@arrival_times.register
def _trace(load: TraceLoad, rng: random.Random) -> Iterator[float]:  # noqa: ARG001 - recorded, so no chance
    yield from load.times
