"""Closed-loop callers: each sends its next request only when the last one is answered."""

import math
import random

from sinbin.simulate.engine import Process
from sinbin.simulate.loads import BurstLoad, ClosedLoad
from sinbin.simulate.request_source import RequestSource
from sinbin.simulate.send import Send

_START_WITHIN_S = 0.01
"""Callers of a burst start within this time of each other. Source: assumed, no tool starts all at one instant."""


def closed_loop_callers(
    load: BurstLoad | ClosedLoad, source: RequestSource, send: Send, rng: random.Random
) -> list[Process]:
    """Return one process per caller.

    The callers of a burst share its requests: who is free takes the next one (k6's shared iterations).

    Args:
        load: who sends how much.
        source: where requests come from.
        send: how a request is sent.
        rng: the stream `arrivals`.
    """
    if isinstance(load, BurstLoad):
        left = iter(range(load.requests))

        def burst(caller: int, start: float) -> Process:
            yield start
            now = start
            for _ in left:
                for at in send(source.draw(now), caller, True) or ():
                    now = at
                    yield at

        return [burst(caller, rng.random() * _START_WITHIN_S) for caller in range(load.callers)]

    def closed(caller: int, start: float) -> Process:
        yield start
        now = start
        while now < load.duration_seconds:
            for at in send(source.draw(now), caller, True) or ():
                now = at
                yield at
            if load.think_seconds:
                now -= load.think_seconds * math.log(1.0 - rng.random())
                yield now

    spread = load.think_seconds or _START_WITHIN_S
    return [closed(caller, rng.random() * spread) for caller in range(load.callers)]
