"""set-header and check-header."""

from typing import ClassVar

from sinbin.gateway.blocks import Step
from sinbin.gateway.compiler import SectionCompiler
from sinbin.gateway.context import Context
from sinbin.gateway.failures import PolicyFailure
from sinbin.gateway.message_parts import HEADER_SHAPE, header_change
from sinbin.gateway.reading import Node
from sinbin.gateway.registry import ALL_SECTIONS, REFERENCE, Policy
from sinbin.gateway.shape import Attribute, Shape, Text
from sinbin.gateway.writing import Writer


class SetHeader(Policy):
    """Changes a header of the request (inbound, backend) or of the reply (outbound, on-error)."""

    names: ClassVar = ("set-header",)
    sections = ALL_SECTIONS
    shape = HEADER_SHAPE
    source = REFERENCE.format("set-header")
    assumed = ("An expression that names Content-Length or another untouchable header changes nothing.",)

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:
        """Return the step that changes the header."""
        change, on_request = header_change(node), compiler.name in {"inbound", "backend"}

        def write(writer: Writer) -> None:
            if on_request:
                writer.line(change.code(writer, "context.writable_headers()"))
            else:
                writer.line("if context.response is not None:")
                writer.line(f"  {change.code(writer, 'context.response.headers')}")

        return Step(written=write)


class CheckHeader(Policy):
    """Refuses requests without a header, or with another value than those listed."""

    names: ClassVar = ("check-header",)
    sections = frozenset({"inbound"})
    scopes = ("global", "product", "api", "operation")
    shape = Shape(
        attributes={
            "name": Attribute("text", required=True),
            "failed-check-httpcode": Attribute("integer", required=True, low=100, high=599),
            "failed-check-error-message": Attribute("text", required=True),
            "ignore-case": Attribute("boolean", required=True),
        },
        children={"value": Shape(text=Text(), repeated=True)},
    )
    source = REFERENCE.format("check-header")

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:  # noqa: ARG003
        """Return the step that refuses."""
        name, status = node.value("name"), node.value("failed-check-httpcode")
        message, ignore_case = node.value("failed-check-error-message"), node.value("ignore-case")
        allowed = [value.text for value in node.all("value")]

        def check(context: Context) -> None:
            found = context.request.headers.get(name.read(context))
            if found is None:
                raise PolicyFailure("HeaderNotFound", message.read(context), status=status.read(context))
            texts = [value.read(context) for value in allowed]
            if ignore_case.read(context):
                found, texts = found.casefold(), [text.casefold() for text in texts]
            if texts and found not in texts:
                raise PolicyFailure("HeaderValueNotAllowed", message.read(context), status=status.read(context))

        return Step(plain=check)
