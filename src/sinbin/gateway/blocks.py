"""What a policy does, and policies one after the other.

Most policies are a plain function of the context, or a generator function when they may have to ask the outside
world for something. Those that hold other policies, and the few that most requests run, write their own lines.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sinbin.gateway.context import Context
from sinbin.gateway.failures import Place
from sinbin.gateway.values import Value
from sinbin.gateway.writing import Pause, Writer

Plain: TypeAlias = Callable[[Context], None]
Yielding: TypeAlias = Callable[[Context], Pause]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What a policy does: exactly one of `plain`, `yielding` and `written` is set."""

    plain: Plain | None = None
    yielding: Yielding | None = None
    written: Callable[[Writer], None] | None = None
    """Writes the lines of the policy."""
    waits: bool = False
    """Whether it may ask the outside world for something: its lines hold a `yield`."""

    def __post_init__(self) -> None:
        if self.yielding is not None:
            object.__setattr__(self, "waits", True)

    def write(self, writer: Writer) -> None:
        """Write the lines that run the policy."""
        if self.written is not None:
            self.written(writer)
        elif self.plain is not None:
            writer.call(self.plain)
        else:
            assert self.yielding is not None
            writer.line(f"yield from {writer.bind(self.yielding, self.yielding.__name__)}(context)")


def block(steps: Sequence[tuple[Step, Place]]) -> Step:
    """Return the step that runs `steps` in order."""

    def write(writer: Writer) -> None:
        for step, place in steps:
            writer.policy(step, place)

    return Step(written=write, waits=any(step.waits for step, _ in steps))


NOTHING = block(())


def calling(function: Callable[..., None], *values: Value) -> Step:
    """Return the step that calls a plain function of the context and of values, computed before in their order."""
    return Step(written=lambda writer: writer.call(function, *values))
