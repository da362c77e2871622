"""The virtual clock: a heap of processes, each with the instant at which it goes on.

A process is a generator that yields instants. Ties are served in the order in which the instants were yielded, so
a run is a function of its scenario and seed. Open-loop arrivals are not in the heap: they come in order already,
so the next one is compared with the heap's top, which keeps the heap as small as the requests under way.

Why not SimPy: see docs/adr, "A heap of generators instead of SimPy".
"""

from collections.abc import Callable, Iterable, Iterator
from heapq import heappop, heappush, heapreplace

from sinbin.simulate.direct_client import Process


def run_processes(
    processes: Iterable[Process],
    arrivals: Iterator[float],
    start: Callable[[float], Process],
    background: Process | None = None,
) -> float:
    """Run `processes` and what `start` returns at every arrival until all have ended.

    Args:
        processes: what is there from the start.
        arrivals: instants (s), in order.
        start: returns the process that begins at an arrival; it has not run yet.
        background: a process that nobody waits for: what is left of it when all others have ended is dropped.

    Returns:
        The instant of the last event (s).
    """
    heap: list[tuple[float, int, Process]] = []
    order = 0
    now = 0.0
    for process in (*processes, *([background] if background is not None else ())):
        at = next(process, None)
        if at is not None:
            heappush(heap, (at, order, process))
            order += 1
    for arrival in arrivals:
        while heap and heap[0][0] <= arrival:
            now, _, process = heap[0]
            at = next(process, None)
            if at is None:
                heappop(heap)
            else:
                heapreplace(heap, (at, order, process))
                order += 1
        now = arrival
        process = start(arrival)
        at = next(process, None)
        if at is not None:
            heappush(heap, (at, order, process))
            order += 1
    while heap:
        if background is not None and len(heap) == 1 and heap[0][2] is background:
            break
        now, _, process = heap[0]
        at = next(process, None)
        if at is None:
            heappop(heap)
        else:
            heapreplace(heap, (at, order, process))
            order += 1
    return now
