"""choose, include-fragment, limit-concurrency: policies that hold or bring in other policies."""

from typing import ClassVar

from sinbin.gateway.blocks import Pause, Step
from sinbin.gateway.compiler import SectionCompiler
from sinbin.gateway.context import Context
from sinbin.gateway.failures import PolicyFailure
from sinbin.gateway.reading import Node
from sinbin.gateway.registry import ALL_SECTIONS, REFERENCE, Policy
from sinbin.gateway.shape import Attribute, Shape


class Choose(Policy):
    """Runs the policies of the first `when` whose condition is true, or those of `otherwise`."""

    names: ClassVar = ("choose",)
    sections = ALL_SECTIONS
    shape = Shape(
        children={
            "when": Shape(
                attributes={"condition": Attribute("boolean", required=True)},
                policies=True,
                required=True,
                repeated=True,
            ),
            "otherwise": Shape(policies=True),
        }
    )
    source = REFERENCE.format("choose")

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:  # noqa: ARG003
        """Return the step that chooses."""
        otherwise = node.one("otherwise")
        branches = [(when.value("condition").read, when.block) for when in node.all("when")]
        if otherwise is not None:
            branches.append((lambda _: True, otherwise.block))
        if all(block.plain is not None for _, block in branches):
            plain = [(condition, block.plain) for condition, block in branches if block.plain is not None]

            def choose(context: Context) -> None:
                for condition, run in plain:
                    if condition(context):
                        run(context)
                        return

            return Step(plain=choose)
        yielding = [(condition, block.as_yielding()) for condition, block in branches]

        def choose_yielding(context: Context) -> Pause:
            for condition, run in yielding:
                if condition(context):
                    yield from run(context)
                    return

        return Step(yielding=choose_yielding)


class IncludeFragment(Policy):
    """Runs the policies of a fragment as if they stood here."""

    names: ClassVar = ("include-fragment",)
    sections = ALL_SECTIONS
    shape = Shape(attributes={"fragment-id": Attribute("text", required=True, expression=False)})
    source = REFERENCE.format("include-fragment")
    assumed = ("The backend section's rule of one policy is not applied again to what a fragment holds.",)

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:
        """Return the fragment's policies."""
        return compiler.fragment_block(node, node.constant("fragment-id") or "")


class LimitConcurrency(Policy):
    """Refuses with 429 while `max-count` requests with the same key are inside."""

    names: ClassVar = ("limit-concurrency",)
    sections = ALL_SECTIONS
    shape = Shape(
        attributes={
            "key": Attribute("text", required=True),
            "max-count": Attribute("integer", required=True, expression=False, low=1),
        },
        policies=True,
    )
    source = REFERENCE.format("limit-concurrency")
    assumed = (
        "A streamed reply counts until its headers are there.",
        'The reason is "ConcurrencyLimitExceeded"; Azure documents none.',
    )

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:  # noqa: ARG003
        """Return the step that counts who is inside."""
        key, limit, inner = node.value("key"), node.constant("max-count"), node.block.as_yielding()

        def run(context: Context) -> Pause:
            running, name = context.instance.running, key.read(context)
            inside = running.get(name, 0)
            if inside >= limit:
                raise PolicyFailure("ConcurrencyLimitExceeded", "Concurrency limit is exceeded.", status=429)
            running[name] = inside + 1
            try:
                yield from inner(context)
            finally:
                left = running[name] - 1
                if left:
                    running[name] = left
                else:
                    del running[name]

        return Step(yielding=run)
