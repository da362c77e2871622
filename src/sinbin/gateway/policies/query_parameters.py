"""set-query-parameter."""

from typing import ClassVar

from sinbin.gateway.blocks import Step, calling
from sinbin.gateway.compiler import SectionCompiler
from sinbin.gateway.context import Context
from sinbin.gateway.message_parts import EXISTS_ACTION
from sinbin.gateway.reading import Node
from sinbin.gateway.registry import REFERENCE, Policy
from sinbin.gateway.shape import Attribute, Shape, Text


class SetQueryParameter(Policy):
    """Changes a query parameter of the request."""

    names: ClassVar = ("set-query-parameter",)
    sections = frozenset({"inbound", "backend"})
    shape = Shape(
        attributes={"name": Attribute("text", required=True), "exists-action": EXISTS_ACTION},
        children={"value": Shape(text=Text(required=False), repeated=True)},
    )
    source = REFERENCE.format("set-query-parameter")

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:  # noqa: ARG003
        """Return the step that changes the parameter."""
        action = node.value("exists-action")
        values = [value.text for value in node.all("value")]
        if not values and action.constant != "delete":
            node.refuse('needs a <value>, or exists-action="delete"')

        def change(context: Context, parameter: str, what: str) -> None:
            url = context.request.url
            present = url.query_values(parameter)
            if what == "delete":
                url.set_query(parameter, None)
            elif what != "skip" or not present:
                texts = [value.read(context) for value in values]
                url.set_query(parameter, [*(present if what == "append" else ()), *texts])

        return calling(change, node.value("name"), action)
