"""The virtual clock: a heap of processes, each with the instant at which it goes on.

A process is a generator that yields instants. Ties are served in the order in which the instants were yielded, so
a run is a function of its scenario and seed. Open-loop arrivals are not in the heap: they come in order already,
so the next one is compared with the heap's top, which keeps the heap as small as the requests under way.

Why not SimPy: see docs/adr, "A heap of generators instead of SimPy".
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from heapq import heappop, heappush, heapreplace

Process = Generator[float, None, None]
"""Something that takes time: yields the instant (s) at which it wants to go on; the engine resumes it then."""


def run_processes(
    processes: Iterable[Process],
    arrivals: Iterator[float],
    start: Callable[[float], Process | None],
    background: Process | None = None,
) -> None:
    """Run `processes` and what `start` returns at every arrival until all have ended.

    Args:
        processes: what is there from the start.
        arrivals: instants (s), in order.
        start: returns the process that begins at an arrival and has not run yet, None when nothing is to come.
        background: a process that nobody waits for: what is left of it when all others have ended is dropped.
    """
    heap: list[tuple[float, int, Process]] = []
    order = 0
    for process in (*processes, *([background] if background is not None else ())):
        at = next(process, None)
        if at is not None:
            heappush(heap, (at, order, process))
            order += 1
    for arrival in arrivals:
        while heap and heap[0][0] <= arrival:
            process = heap[0][2]
            at = next(process, None)
            if at is None:
                heappop(heap)
            else:
                heapreplace(heap, (at, order, process))
                order += 1
        begun = start(arrival)
        if begun is not None:
            at = next(begun, None)
            if at is not None:
                heappush(heap, (at, order, begun))
                order += 1
    while heap and not (len(heap) == 1 and heap[0][2] is background):
        process = heap[0][2]
        at = next(process, None)
        if at is None:
            heappop(heap)
        else:
            heapreplace(heap, (at, order, process))
            order += 1
