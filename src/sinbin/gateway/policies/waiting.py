"""wait: run policies at the same time."""

from typing import ClassVar

from sinbin.gateway.blocks import Step, block
from sinbin.gateway.compiler import SectionCompiler
from sinbin.gateway.context import Context
from sinbin.gateway.effects import Effect, Parallel, SingleOutcome
from sinbin.gateway.reading import Node
from sinbin.gateway.registry import REFERENCE, Policy
from sinbin.gateway.shape import Attribute, Shape
from sinbin.gateway.writing import Pause, Writer

_ALLOWED = ("send-request", "cache-lookup-value", "choose")


class WaitFor(Policy):
    """Runs its policies side by side, until all are done or, with `any`, one is."""

    names: ClassVar = ("wait",)
    sections = frozenset({"inbound", "outbound", "backend"})
    shape = Shape(attributes={"for": Attribute("text", default="all", choices=("all", "any"))}, policies=True)
    source = REFERENCE.format("wait")
    differs = (
        (
            "A child that sends several requests one after the other (inside choose) takes its next step when the "
            "current request of every other child is done too."
        ),
    )

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:
        """Return the step that runs the children side by side."""
        for element in node.element.elements:
            if element.name not in _ALLOWED:
                compiler.refuse(element, f"<wait> takes no <{element.name}> (allowed: {', '.join(_ALLOWED)})")
        children = [block([step]) for step in node.steps]
        mode = node.value("for")

        def write(writer: Writer) -> None:
            runs = ", ".join(f"{writer.function(child, generator=True)}(context)" for child in children)
            run, first_only = writer.bind(_side_by_side, "side_by_side"), writer.fresh("first_only")
            writer.line(f"{first_only} = {mode.code(writer)} == 'any'")
            writer.line(f"yield from {run}(context, [{runs}], {first_only})")

        return Step(written=write, waits=True)


def _side_by_side(context: Context, runs: list[Pause], first_only: bool) -> Pause:
    pending: list[tuple[Pause, Effect]] = []
    finished = False
    for run in runs:
        effect = next(run, None)
        if effect is None:
            finished = True
        else:
            pending.append((run, effect))
    while pending and not (first_only and finished):
        # Children are send-requests at their leaves, so no effect here is itself Parallel.
        parallel = Parallel(tuple(effect for _, effect in pending), first_only)  # type: ignore[misc]
        context.now, outcomes = yield parallel
        assert isinstance(outcomes, list)
        still: list[tuple[Pause, Effect]] = []
        for (run, effect), outcome in zip(pending, outcomes, strict=True):
            following = _resume(context, run, outcome) if outcome is not None or not first_only else effect
            if following is None:
                finished = True
            else:
                still.append((run, following))
        pending = still
    for run, _ in pending:
        run.close()


def _resume(context: Context, run: Pause, outcome: SingleOutcome) -> Effect | None:
    try:
        return run.send((context.now, outcome))
    except StopIteration:
        return None
