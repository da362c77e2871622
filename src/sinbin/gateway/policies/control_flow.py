"""choose, include-fragment, limit-concurrency: policies that hold or bring in other policies."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

from sinbin.gateway.blocks import NOTHING, Step
from sinbin.gateway.compiler import SectionCompiler
from sinbin.gateway.context import Context
from sinbin.gateway.failures import PolicyFailure
from sinbin.gateway.reading import Node
from sinbin.gateway.registry import ALL_SECTIONS, REFERENCE, Policy
from sinbin.gateway.shape import Attribute, Shape
from sinbin.gateway.values import Value
from sinbin.gateway.writing import Writer

_BRANCHES = 40
"""Branches of one `if`: Python takes them for as many levels."""


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
        whens = [(when.value("condition"), when.block) for when in node.all("when")]
        otherwise = node.one("otherwise")
        return _choice(whens, NOTHING if otherwise is None else otherwise.block)


def _choice(whens: list[tuple[Value, Step]], otherwise: Step) -> Step:
    """Return the step that runs the block of the first of `whens` that holds, or `otherwise`."""
    if len(whens) > _BRANCHES:
        whens, otherwise = whens[:_BRANCHES], _choice(whens[_BRANCHES:], otherwise)

    def write(writer: Writer) -> None:
        word = "if"
        for condition, block in whens:
            writer.line(f"{word} {condition.code(writer)}:")
            writer.block(block)
            word = "elif"
        if otherwise is not NOTHING:
            writer.line("else:")
            writer.block(otherwise)

    return Step(written=write, waits=any(block.waits for block in (*(block for _, block in whens), otherwise)))


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
        key, limit, inner = node.value("key"), node.constant("max-count"), node.block

        @contextmanager
        def place(context: Context) -> Iterator[None]:
            running, name = context.instance.running, key.read(context)
            inside = running.get(name, 0)
            if inside >= limit:
                raise PolicyFailure("ConcurrencyLimitExceeded", "Concurrency limit is exceeded.", status=429)
            running[name] = inside + 1
            try:
                yield
            finally:
                left = running[name] - 1
                if left:
                    running[name] = left
                else:
                    del running[name]

        def write(writer: Writer) -> None:
            writer.line(f"with {writer.bind(place, 'place')}(context):")
            writer.block(inner)

        return Step(written=write, waits=inner.waits)
