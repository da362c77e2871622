"""send-request, send-one-way-request and wait: requests of the policy's own."""

from collections.abc import Callable
from typing import ClassVar

from sinbin.gateway.blocks import Step
from sinbin.gateway.compiler import SectionCompiler
from sinbin.gateway.context import Context
from sinbin.gateway.effects import ReadBody, SendRequest, TransportError
from sinbin.gateway.failures import PolicyFailure
from sinbin.gateway.identity import managed_identity_token
from sinbin.gateway.message_parts import BODY_SHAPE, HEADER_SHAPE, body_of, header_changes
from sinbin.gateway.messages import Headers, HttpRequest, HttpResponse
from sinbin.gateway.policies.identity import MANAGED_IDENTITY_SHAPE
from sinbin.gateway.reading import Node
from sinbin.gateway.registry import ALL_SECTIONS, REFERENCE, Policy
from sinbin.gateway.shape import Attribute, Shape, Text
from sinbin.gateway.url import is_absolute
from sinbin.gateway.view import ResponseView
from sinbin.gateway.writing import Pause

_CHILDREN = {
    "set-url": Shape(text=Text()),
    "set-method": Shape(text=Text(expression=False)),
    "set-header": HEADER_SHAPE,
    "set-body": BODY_SHAPE,
    "authentication-managed-identity": MANAGED_IDENTITY_SHAPE,
}
_MODE = Attribute("text", default="new", choices=("new", "copy"))
_TIMEOUT = Attribute("number", default=60, low=0)


def _builder(node: Node) -> Callable[[Context], HttpRequest]:
    mode, url, method = node.value("mode"), node.one("set-url"), node.one("set-method")
    if mode.constant == "new":
        for name in ("set-url", "set-method"):
            if node.one(name) is None:
                node.refuse(f'needs a <{name}>, or mode="copy"')
    headers, body = header_changes(node.all("set-header")), node.one("set-body")
    make_body = None if body is None else body_of(body)
    identity = node.one("authentication-managed-identity")

    def build(context: Context) -> HttpRequest:
        own, copy = context.request, mode.read(context) == "copy"
        request = HttpRequest(
            own.method if copy else "GET",
            str(own.url) if copy else "",
            own.headers.copy() if copy else Headers(),
            own.body if copy else None,
            context.original.client_ip,
        )
        if url is not None:
            request.url = url.text.read(context).strip()
        if method is not None:
            request.method = str(method.text.constant).strip().upper()
        request.headers.remove("Host")
        headers(context, request.headers)
        if make_body is not None:
            request.body = make_body(context)
        if identity is not None:
            token = managed_identity_token(
                identity.value("resource").read(context), identity.constant("client-id")
            )
            request.headers.set("Authorization", f"Bearer {token}")
        if not is_absolute(request.url):
            raise PolicyFailure("BackendConnectionFailure", f'"{request.url}" is no absolute URL')
        return request

    return build


class SendOwnRequest(Policy):
    """Sends a request and waits for its reply, which goes into a variable."""

    names: ClassVar = ("send-request",)
    sections = ALL_SECTIONS
    shape = Shape(
        attributes={
            "mode": _MODE,
            "response-variable-name": Attribute("text", required=True),
            "timeout": _TIMEOUT,
            "ignore-error": Attribute("boolean", default=False, expression=False),
        },
        children=_CHILDREN,
        refused=dict.fromkeys(
            ("timeout-ms", "buffer-response", "fail-on-error-status-code"), "only the editor schema knows it"
        ),
    )
    source = REFERENCE.format("send-request")
    assumed = (
        "Without an answer and with ignore-error the variable is null.",
        "The timeout covers the body too; an answer of more than 64 MB is none.",
    )
    differs = ("A certificate or a proxy for the request is refused.",)

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:  # noqa: ARG003
        """Return the step that sends and waits."""
        build, variable = _builder(node), node.value("response-variable-name").read
        timeout, ignore = node.value("timeout").read, node.constant("ignore-error")

        def send(context: Context) -> Pause:
            name, limit = variable(context), timeout(context)
            until = context.now + limit
            context.now, outcome = yield SendRequest(build(context), limit)
            if (
                isinstance(outcome, HttpResponse)
                and outcome.body is not None
                and not isinstance(outcome.body, bytes)
            ):
                context.now, body = yield ReadBody(outcome.body, max(0.0, until - context.now))
                outcome = (
                    HttpResponse(outcome.status, outcome.headers.copy(), body, outcome.reason)
                    if isinstance(body, bytes)
                    else body
                )
            if isinstance(outcome, TransportError):
                if not ignore:
                    raise PolicyFailure(outcome.reason, f"the request to {name} got no answer: {outcome.kind}")
                context.variables[name] = None
            else:
                assert isinstance(outcome, HttpResponse)
                context.variables[name] = ResponseView(outcome)

        return Step(yielding=send)


class SendOneWayRequest(Policy):
    """Sends a request and does not wait for what comes of it."""

    names: ClassVar = ("send-one-way-request",)
    sections = ALL_SECTIONS
    shape = Shape(attributes={"mode": _MODE, "timeout": _TIMEOUT}, children=_CHILDREN)
    source = REFERENCE.format("send-one-way-request")
    differs = ("A certificate or a proxy for the request is refused.",)

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:  # noqa: ARG003
        """Return the step that sends."""
        build, timeout = _builder(node), node.value("timeout").read

        def send(context: Context) -> Pause:
            context.now, _ = yield SendRequest(build(context), timeout(context), one_way=True)

        return Step(yielding=send)
