"""Many replications of many scenarios, on as many cores as wanted; the cores change nothing but the time."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice

from sinbin.simulate.cost import Prices, load_prices
from sinbin.simulate.processes import processes
from sinbin.simulate.results import Result, summarise
from sinbin.simulate.run import run
from sinbin.simulate.scenario import Scenario
from sinbin.simulate.tally import Tally

_AHEAD = 4
"""Replications that may wait per core: results are taken in order, memory stays bounded."""


def replicate(
    scenarios: Sequence[Scenario],
    *,
    runs: int,
    seed: int = 0,
    workers: int = 1,
    prices: Prices | None = None,
    done: Callable[[], None] = lambda: None,
) -> list[Result]:
    """Run every scenario `runs` times; replication n of each has the seed `seed + n`.

    So replications of different scenarios pair up: they see the same requests.

    Args:
        scenarios: what to simulate.
        runs: replications of each.
        seed: the first replication's.
        workers: processes; 1 = this one.
        prices: for the cost; None = those that come with sinbin.
        done: called after every replication, for a progress bar.
    """
    known = prices or load_prices()
    work = [(scenario, seed + number) for scenario in scenarios for number in range(runs)]
    if workers > 1 and len(work) > 1:
        with processes(min(workers, len(work))) as pool:
            tallies = _in_order(pool, work, workers * _AHEAD)
            return [summarise(scenario, seed, islice(tallies, runs), known, done) for scenario in scenarios]
    tallies = (run(scenario, one) for scenario, one in work)
    return [summarise(scenario, seed, islice(tallies, runs), known, done) for scenario in scenarios]


def _in_order(pool: ProcessPoolExecutor, work: list[tuple[Scenario, int]], ahead: int) -> Iterator[Tally]:
    waiting: list[Future[Tally]] = []
    rest = iter(work)
    try:
        for scenario, seed in islice(rest, ahead):
            waiting.append(pool.submit(run, scenario, seed))
        while waiting:
            yield waiting.pop(0).result()
            for scenario, seed in islice(rest, 1):
                waiting.append(pool.submit(run, scenario, seed))
    finally:
        for future in waiting:
            future.cancel()
