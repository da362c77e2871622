"""How many requests a load makes in one run, and how many are too many."""

import math
from functools import singledispatch

from sinbin.simulate.bounds import MOST_REQUESTS
from sinbin.simulate.loads import (
    BurstLoad,
    BurstyLoad,
    ClosedLoad,
    DiurnalLoad,
    PoissonLoad,
    SteadyLoad,
    TraceLoad,
)

_FASTEST_S = 0.01
"""An answer that is sure not to be the mean: what bounds callers that do not think."""


@singledispatch
def most_requests(load: object) -> float:
    """Return about how many requests `load` makes in one run, or changes its rate if that is more often.

    Callers in a closed loop wait for answers: theirs is a bound from above.

    Raises:
        TypeError: `load` is none.
    """
    raise TypeError(f"{type(load).__name__} is no load")


@most_requests.register
def _even(load: SteadyLoad | PoissonLoad) -> float:
    return load.requests_per_second * load.duration_seconds


@most_requests.register
def _bursty(load: BurstyLoad) -> float:
    changes_per_second = 2 / (load.quiet_seconds + load.burst_seconds)
    rates = (load.quiet_requests_per_second, load.burst_requests_per_second, changes_per_second)
    return max(rates) * load.duration_seconds


@most_requests.register
def _diurnal(load: DiurnalLoad) -> float:
    return load.peak_requests_per_second * load.duration_seconds


@most_requests.register
def _burst(load: BurstLoad) -> float:
    return load.requests


@most_requests.register
def _closed(load: ClosedLoad) -> float:
    return load.callers * load.duration_seconds / (load.think_seconds + _FASTEST_S)


@most_requests.register
def _trace(load: TraceLoad) -> float:
    return len(load.times)


def too_large(load: object) -> str | None:
    """Return what is wrong with the size of `load`, None when a run of it ends in good time."""
    requests = most_requests(load)
    if requests <= MOST_REQUESTS:
        return None
    about = "endlessly many" if math.isinf(requests) else f"about {requests:.3g}"
    return f"makes {about} requests in a run, allowed are {MOST_REQUESTS:,}; lower the rate or shorten it"
