"""A progress bar on stderr, where a person is watching."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress


@contextmanager
def progress_bar(total: int, what: str) -> Iterator[Callable[[], None]]:
    """Show how many of `total` are done while the block runs; the block calls what it is given for each."""
    console = Console(file=sys.stderr)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(what, total=total)
        yield lambda: progress.advance(task)
