"""set-variable."""

from typing import ClassVar

from sinbin.gateway.blocks import Step
from sinbin.gateway.compiler import SectionCompiler
from sinbin.gateway.reading import Node
from sinbin.gateway.registry import ALL_SECTIONS, REFERENCE, Policy
from sinbin.gateway.shape import Attribute, Shape
from sinbin.gateway.writing import Writer


class SetVariable(Policy):
    """Puts a value into `context.Variables`; a literal is a text, an expression keeps its type."""

    names: ClassVar = ("set-variable",)
    sections = ALL_SECTIONS
    shape = Shape(
        attributes={
            "name": Attribute("text", required=True, expression=False),
            "value": Attribute("any", required=True),
        }
    )
    source = REFERENCE.format("set-variable")
    differs = ("A value of a type that Azure does not store (a JObject, an array) is stored.",)

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:  # noqa: ARG003
        """Return the step that sets the variable."""
        name, value = node.constant("name"), node.value("value")

        def write(writer: Writer) -> None:
            writer.line(f"{writer.local('variables')}[{name!r}] = {value.code(writer)}")

        return Step(written=write)
