"""How far a simulation is, on stderr: a bar where a person is watching, else a line now and then."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from sinbin.simulate.load_size import most_requests
from sinbin.simulate.processes import stopped_by_sigterm
from sinbin.simulate.scenario import Scenario

_LONG = 1_000_000
"""Requests in all from which on a command says what it is about to do: ten seconds at the best rate."""
_EVERY_S = 10


@contextmanager
def progress_bar(total: int, what: str) -> Iterator[Callable[[], None]]:
    """Show how many of `total` are done while the block runs; the block calls what it is given for each.

    A SIGTERM ends the block as Ctrl-C does.
    """
    console = Console(file=sys.stderr)
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with (
        stopped_by_sigterm(),
        Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress,
    ):
        task = progress.add_task(what, total=total or None)
        said = 0.0

        def done() -> None:
            nonlocal said
            progress.advance(task)
            now = progress.tasks[0]
            if not console.is_terminal and (now.elapsed or 0) >= said + _EVERY_S:
                said = now.elapsed or 0
                of = f" of {total}" if total else ""
                sys.stderr.write(f"{what}: {now.completed:.0f}{of} after {said:.0f} s\n")

        yield done


def announce(scenarios: Sequence[Scenario], runs: int) -> None:
    """Say on stderr what is about to be simulated when that takes a while."""
    each = [most_requests(scenario.load) for scenario in scenarios]
    if runs * sum(each) >= _LONG:
        sys.stderr.write(
            f"simulating about {runs * sum(each):,.0f} requests ({runs} x {len(each)} runs); Ctrl-C stops it\n"
        )
