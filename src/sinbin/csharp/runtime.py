"""What an expression has at hand while it runs: the clock, chance, and a bounded number of steps."""

import random
from typing import TYPE_CHECKING

from sinbin.csharp.exceptions import StepsExceededError

if TYPE_CHECKING:
    from sinbin.csharp.context import Context

DEFAULT_MAX_STEPS = 1_000_000


class Runtime:
    """The runtime of one evaluation."""

    __slots__ = ("_limit", "context", "steps")

    def __init__(self, context: "Context", max_steps: int) -> None:
        self.context = context
        self.steps = max_steps
        self._limit = max_steps

    @property
    def now(self) -> float:
        """Seconds since 1970-01-01 UTC."""
        return self.context.now

    @property
    def rng(self) -> random.Random:
        """The source of chance."""
        return self.context.rng

    def tick(self) -> None:
        """Count a step.

        Raises:
            StepsExceededError: that was one too many.
        """
        self.steps -= 1
        if self.steps < 0:
            self.exhausted()

    enter = tick

    def exhausted(self) -> None:
        """Raise StepsExceededError.

        Raises:
            StepsExceededError: always.
        """
        raise StepsExceededError(f"the expression took more than {self._limit:,} steps")
