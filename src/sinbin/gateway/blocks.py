"""Running policies one after the other.

A step is a plain function of the context, or a generator function when it may have to ask the outside world for
something. A block of plain steps stays a plain function, so that what needs no I/O pays for none.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sinbin.gateway.context import Context
from sinbin.gateway.effects import Effect, Outcome
from sinbin.gateway.failures import Place, PolicyFailure

Plain: TypeAlias = Callable[[Context], None]
Pause: TypeAlias = Generator[Effect, tuple[float, Outcome], None]
Yielding: TypeAlias = Callable[[Context], Pause]


@dataclass(frozen=True, slots=True)
class Step:
    """What a policy does: exactly one of `plain` and `yielding` is set."""

    plain: Plain | None = None
    yielding: Yielding | None = None

    def as_yielding(self) -> Yielding:
        """Return the step as a generator function."""
        if self.yielding is not None:
            return self.yielding
        plain = self.plain
        assert plain is not None

        def run(context: Context) -> Pause:
            plain(context)
            return
            yield

        return run


NOTHING = Step(plain=lambda _: None)


def block(steps: Sequence[tuple[Step, Place]]) -> Step:
    """Return the step that runs `steps` in order and says which of them failed."""
    if not steps:
        return NOTHING
    if all(step.plain is not None for step, _ in steps):
        return Step(plain=_plain_block([(step.plain, place) for step, place in steps if step.plain is not None]))
    return Step(yielding=_yielding_block(steps))


def _plain_block(steps: list[tuple[Plain, Place]]) -> Plain:
    def run(context: Context) -> None:
        place = None
        try:
            if context.trace is None:
                for step, place in steps:  # noqa: B007 (the handler needs to know where it happened)
                    step(context)
            else:
                for step, place in steps:
                    context.trace.policy(context.now, place)
                    step(context)
        except PolicyFailure as failure:
            failure.place = failure.place or place
            raise

    return run


def _yielding_block(steps: Sequence[tuple[Step, Place]]) -> Yielding:
    parts = [(step.plain, step.yielding, place) for step, place in steps]

    def run(context: Context) -> Pause:
        place = None
        trace = context.trace
        try:
            for plain, yielding, place in parts:
                if trace is not None:
                    trace.policy(context.now, place)
                if plain is not None:
                    plain(context)
                else:
                    assert yielding is not None
                    yield from yielding(context)
        except PolicyFailure as failure:
            failure.place = failure.place or place
            raise

    return run
