"""return-response, mock-response, set-status: what the caller gets."""

from typing import ClassVar

from sinbin.gateway.blocks import Step
from sinbin.gateway.compiler import SectionCompiler
from sinbin.gateway.configuration import Example
from sinbin.gateway.context import Context
from sinbin.gateway.expressions import failed
from sinbin.gateway.failures import Finished
from sinbin.gateway.message_parts import BODY_SHAPE, HEADER_SHAPE, body_of, header_changes
from sinbin.gateway.messages import Headers, HttpResponse
from sinbin.gateway.reading import Node
from sinbin.gateway.registry import ALL_SECTIONS, REFERENCE, Policy
from sinbin.gateway.shape import Attribute, Shape
from sinbin.gateway.view import ResponseView

STATUS_SHAPE = Shape(
    attributes={"code": Attribute("integer", required=True, low=100, high=599), "reason": Attribute("text")}
)


class SetStatus(Policy):
    """Changes status and reason of the reply."""

    names: ClassVar = ("set-status",)
    sections = ALL_SECTIONS
    shape = STATUS_SHAPE
    source = REFERENCE.format("set-status")
    assumed = ("Before there is a reply it changes nothing.",)

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:  # noqa: ARG003
        """Return the step that sets the status."""
        code, reason = node.value("code"), node.value("reason")

        def assign(context: Context) -> None:
            if context.response is not None:
                context.response.status, context.response.reason = code.read(context), reason.read(context)

        return Step(plain=assign)


class ReturnResponse(Policy):
    """Answers the caller at once; nothing more of the pipeline runs."""

    names: ClassVar = ("return-response",)
    sections = ALL_SECTIONS
    shape = Shape(
        attributes={"response-variable-name": Attribute("text", expression=False)},
        children={"set-status": STATUS_SHAPE, "set-header": HEADER_SHAPE, "set-body": BODY_SHAPE},
    )
    source = REFERENCE.format("return-response")

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:  # noqa: ARG003
        """Return the step that answers."""
        variable = node.constant("response-variable-name")
        status, body = node.one("set-status"), node.one("set-body")
        headers = header_changes(node.all("set-header"))
        make_body = None if body is None else body_of(body)

        def answer(context: Context) -> None:
            reply = HttpResponse(200, Headers(), b"") if variable is None else _from_variable(context, variable)
            if status is not None:
                reply.status = status.value("code").read(context)
                reply.reason = status.value("reason").read(context)
            headers(context, reply.headers)
            if make_body is not None:
                reply.body = make_body(context)
            context.response = reply
            if context.trace is not None:
                context.note(f"answers {reply.status}")
            raise Finished

        return Step(plain=answer)


def _from_variable(context: Context, name: str) -> HttpResponse:
    value = context.variables.get(name)
    if not isinstance(value, ResponseView):
        raise failed(f'the variable "{name}" holds no response (send-request sets one)')
    reply = value.http
    return HttpResponse(reply.status, reply.headers.copy(), reply.body, reply.reason)


class MockResponse(Policy):
    """Answers with the operation's example for a status and content type, without a backend."""

    names: ClassVar = ("mock-response",)
    sections = frozenset({"inbound", "outbound", "on-error"})
    shape = Shape(
        attributes={
            "status-code": Attribute("integer", default=200, expression=False, low=100, high=599),
            "content-type": Attribute("text", expression=False),
        },
        refused={"index": "how examples are counted is not documented"},
    )
    source = REFERENCE.format("mock-response")
    assumed = ("Without a content type the first example of the status counts.",)
    differs = ("Nothing is made up from a schema: without an example the body is empty.",)

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:  # noqa: ARG003
        """Return the step that answers."""
        status, content_type = node.constant("status-code"), node.constant("content-type")

        def answer(context: Context) -> None:
            example = _example(context, status, content_type)
            headers = Headers()
            if example is not None or content_type:
                headers.set("Content-Type", content_type if example is None else example.content_type)
            context.response = HttpResponse(status, headers, b"" if example is None else example.body.encode())
            raise Finished

        return Step(plain=answer)


def _example(context: Context, status: int, content_type: str | None) -> Example | None:
    for example in context.operation.examples if context.operation else ():
        wanted = content_type is None or example.content_type.lower() == content_type.lower()
        if example.status == status and wanted:
            return example
    return None
