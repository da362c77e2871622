"""Processes for replications that end quietly, and at once, when the command is stopped."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from types import FrameType


@contextmanager
def processes(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of `workers` processes; when the block ends early they are ended, not waited for.

    Ctrl-C reaches every process of a terminal: the workers leave it to this one, which raises KeyboardInterrupt.
    """
    pool = ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))
    before = set(multiprocessing.active_children())
    try:
        with _handled(signal.SIGINT, signal.SIG_IGN):
            # What is ignored here is ignored there from the first instruction on. A pool starts a process only
            # for a task that no idle one can take: one task for each is not always enough.
            while len(set(multiprocessing.active_children()) - before) < workers:
                pool.submit(os.getpid)
        yield pool
    except BaseException:
        for process in set(multiprocessing.active_children()) - before:
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def stopped_by_sigterm() -> Iterator[None]:
    """Take SIGTERM for Ctrl-C inside the block, so that what was begun is put away."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    with _handled(signal.SIGTERM, interrupt):
        yield


@contextmanager
def _handled(number: signal.Signals, handler: object) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        # Python lets only the main thread handle signals; another one has none to be afraid of.
        yield
        return
    before = signal.signal(number, handler)  # type: ignore[arg-type]
    try:
        yield
    finally:
        signal.signal(number, before)
