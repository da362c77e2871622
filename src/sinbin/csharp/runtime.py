"""What an expression has at hand while it runs: the clock, chance, and a bounded number of steps."""

import random
from collections.abc import Iterator
from itertools import chain, repeat
from operator import length_hint
from typing import TYPE_CHECKING, Any

from sinbin.csharp.exceptions import StepsExceededError, raised
from sinbin.csharp.text_size import MAX_TEXT

if TYPE_CHECKING:
    from sinbin.csharp.context import Context

DEFAULT_MAX_STEPS = 1_000_000
REQUEST_STEPS = 5 * DEFAULT_MAX_STEPS
"""What all expressions of one request together may take: some seconds."""
_ITEMS_PER_STEP = 4
"""An item of a sequence takes a quarter of the time of a turn of a loop."""


class Runtime:
    """The runtime of one evaluation."""

    __slots__ = ("_items", "_limit", "_ticks", "context", "steps")

    def __init__(self, context: "Context", max_steps: int) -> None:
        self.context = context
        self.steps = max_steps
        self._limit = max_steps
        self._items: Iterator[bool] | None = None
        self._ticks: Iterator[bool] | None = None

    @property
    def ticks(self) -> Iterator[bool]:
        """One for each item of a sequence that may still be taken; asking for one more ends the expression."""
        if self._ticks is None:
            self._items = repeat(True, self._limit * _ITEMS_PER_STEP)
            self._ticks = chain(self._items, _Exhausted(self))
        return self._ticks

    @property
    def now(self) -> float:
        """Seconds since 1970-01-01 UTC."""
        return self.context.now

    @property
    def rng(self) -> random.Random:
        """The source of chance."""
        return self.context.rng

    @property
    def used(self) -> int:
        """The steps taken so far."""
        left = self._limit if self._items is None else length_hint(self._items) // _ITEMS_PER_STEP
        return self._limit - self.steps + self._limit - left

    def tick(self) -> None:
        """Count a step.

        Raises:
            StepsExceededError: that was one too many.
        """
        self.steps -= 1
        if self.steps < 0:
            self.exhausted()

    enter = tick

    def calling(self, function: Any) -> Any:
        """Count the call of a delegate or local function, and return it."""
        self.steps -= 1
        if self.steps < 0:
            self.exhausted()
        return function

    def spend(self, steps: int) -> None:
        """Count `steps` at once.

        Raises:
            StepsExceededError: that was too much.
        """
        self.steps -= steps
        if self.steps < 0:
            self.exhausted()

    def joined(self, text: str) -> str:
        """Count the copying of a text that was put together, which is fast, and return it.

        Raises:
            CsException: OutOfMemoryException.
            StepsExceededError: that was too much.
        """
        size = len(text)
        if size > 255:
            if size > MAX_TEXT:
                raise raised("OutOfMemoryException")
            self.spend(size >> 8)
        return text

    def same(self, left: str | None, right: str | None) -> bool:
        """Return whether two texts are equal, and count the comparing."""
        if left is not None and right is not None and len(left) == len(right):
            self.spend(len(left) >> 8)
        return left == right

    def made(self, items: list[Any]) -> list[Any]:
        """Count the making of an array, and return it."""
        self.spend(len(items) >> 3)
        return items

    def exhausted(self) -> None:
        """Raise StepsExceededError.

        Raises:
            StepsExceededError: always.
        """
        raise StepsExceededError(f"the expression took more than {self._limit:,} steps")


class _Exhausted:
    """The end of the items that may be taken, however often one asks."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def __iter__(self) -> Iterator[bool]:
        return self

    def __next__(self) -> bool:
        self._runtime.exhausted()
        raise StopIteration


def run_counted(run: Any, context: "Context", max_steps: int) -> Any:
    """Return what `run` gives with a runtime, whose steps are those of the request that it is for.

    Raises:
        StepsExceededError: it takes too many, or the expressions of the request together have.
    """
    left = context.steps_left
    if left <= 0:
        raise StepsExceededError(f"the expressions of this request took more than {REQUEST_STEPS:,} steps")
    runtime = Runtime(context, min(left, max_steps))
    try:
        return run(context, runtime)
    finally:
        context.steps_left = left - runtime.used
