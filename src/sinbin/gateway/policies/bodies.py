"""set-body and find-and-replace."""

from typing import ClassVar

from sinbin.gateway.blocks import Step
from sinbin.gateway.compiler import SectionCompiler
from sinbin.gateway.context import Context
from sinbin.gateway.message_parts import BODY_SHAPE, body_of
from sinbin.gateway.reading import Node
from sinbin.gateway.registry import ALL_SECTIONS, REFERENCE, Policy
from sinbin.gateway.shape import Attribute, Shape


class SetBody(Policy):
    """Replaces the body of the request (inbound, backend) or of the reply (outbound)."""

    names: ClassVar = ("set-body",)
    sections = frozenset({"inbound", "outbound", "backend"})
    shape = BODY_SHAPE
    source = REFERENCE.format("set-body")
    assumed = (
        "White space at both ends of a literal text is dropped.",
        "It does not keep the body for a second forward: buffer-request-body does.",
    )
    differs = ("Liquid templates are refused.", "A request without a body gets one instead of failing.")

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:
        """Return the step that sets the body."""
        make = body_of(node)
        if compiler.name in {"inbound", "backend"}:

            def on_request(context: Context) -> None:
                body = make(context)
                context.request.body, context.request.body_gone = body, False

            return Step(plain=on_request)

        def on_reply(context: Context) -> None:
            body = make(context)
            if context.response is not None:
                context.response.body = body
                context.response.headers.remove("Content-Length")

        return Step(plain=on_reply)


class FindAndReplace(Policy):
    """Replaces a text in the body of the request or the reply."""

    names: ClassVar = ("find-and-replace",)
    sections = ALL_SECTIONS
    shape = Shape(attributes={"from": Attribute("text", required=True), "to": Attribute("text", required=True)})
    source = REFERENCE.format("find-and-replace")

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:
        """Return the step that replaces."""
        old, new = node.value("from").read, node.value("to").read
        on_request = compiler.name in {"inbound", "backend"}
        compiler.loader.reads_reply |= not on_request

        def replace(context: Context) -> None:
            message = context.request if on_request else context.response
            body = None if message is None else message.body
            if message is None or body is None:
                return
            assert isinstance(body, bytes)
            message.body = body.replace(old(context).encode(), new(context).encode())

        return Step(plain=replace)
