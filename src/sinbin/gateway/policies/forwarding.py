"""forward-request: send the request to the backend and take its reply."""

from collections.abc import Callable
from typing import ClassVar

from sinbin.gateway.blocks import Step
from sinbin.gateway.compiler import SectionCompiler
from sinbin.gateway.configuration import Backend
from sinbin.gateway.context import Context
from sinbin.gateway.effects import Forward, ReadBody, TransportError
from sinbin.gateway.failures import PolicyFailure
from sinbin.gateway.messages import HttpResponse
from sinbin.gateway.reading import Node
from sinbin.gateway.registry import REFERENCE, Policy
from sinbin.gateway.retry_after import retry_after_seconds
from sinbin.gateway.sending import choose_backend, outgoing
from sinbin.gateway.shape import Attribute, Shape
from sinbin.gateway.writing import Pause

DEFAULT_TIMEOUT_S = 300
"""Source: https://learn.microsoft.com/azure/api-management/forward-request-policy, read 2026-11-29"""

_WORDS = {
    "timeout": "The operation has timed out.",
    "dns": "The remote name could not be resolved.",
    "tls": "The SSL connection could not be established.",
    "reset": "The connection was closed by the remote host.",
}


class ForwardRequest(Policy):
    """Sends the request to the chosen backend; the reply becomes `context.Response`."""

    names: ClassVar = ("forward-request",)
    sections = frozenset({"backend"})
    shape = Shape(
        attributes={
            "timeout": Attribute("number", low=0),
            "timeout-ms": Attribute("number", low=0),
            "http-version": Attribute(
                "text", expression=False, choices=("1", "2or1", "2"), note="The driver speaks what it speaks."
            ),
            "follow-redirects": Attribute("boolean", default=False, expression=False, note="Only false."),
            "buffer-request-body": Attribute("boolean", default=False, expression=False),
            "buffer-response": Attribute("boolean", default=True, expression=False),
            "fail-on-error-status-code": Attribute("boolean", default=False, expression=False),
        },
        refused={"continue-timeout": "replies of the kind 100 Continue are not modelled"},
    )
    source = REFERENCE.format("forward-request")
    assumed = (
        "An attempt that finds the body's stream used up fails inside the gateway; the backend sees nothing.",
        "Only buffer-request-body keeps the body for another attempt, not a policy that has read or set it.",
        "A timeout and a connection failure are answered 500.",
        "The timeout covers the body of a buffered reply too.",
        "A buffered reply of more than 64 MB, and headers of more than 64 KB, are a connection failure.",
        "A policy that looks at the body of the reply makes buffer-response true.",
        "A Retry-After of more than a day keeps a backend out for a day.",
        "A Retry-After that is neither a whole number of seconds below 2^31 nor a date counts as absent.",
        'The reason of an open breaker is "BreakerOpen", of an emptied pool "PoolExhausted".',
    )

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:  # noqa: ARG003
        """Return the step that forwards."""
        if node.constant("follow-redirects"):
            node.refuse('follows no redirects here: only follow-redirects="false" is modelled')
        if node.has("timeout") and node.has("timeout-ms"):
            node.refuse("takes timeout or timeout-ms, not both")
        timeout = _timeout(node)
        buffered_request = node.constant("buffer-request-body")
        buffered_reply = node.constant("buffer-response")
        fail_on_error = node.constant("fail-on-error-status-code")

        def forward(context: Context) -> Pause:
            backend = choose_backend(context)
            if context.request.body is not None:
                _use_body(context, keep=buffered_request)
            limit = timeout(context)
            context.backend = backend
            context.attempts += 1
            request = outgoing(context, backend)
            buffered = buffered_reply or context.reads_reply
            until = context.now + limit
            context.now, outcome = yield Forward(backend.name or None, request, limit, not buffered)
            if isinstance(outcome, TransportError):
                raise _no_reply(context, backend, outcome)
            assert isinstance(outcome, HttpResponse)
            _record(context, backend, outcome)
            reply = HttpResponse(outcome.status, outcome.headers.copy(), outcome.body, outcome.reason)
            context.response = reply
            if buffered and reply.body is not None and not isinstance(reply.body, bytes):
                context.now, body = yield ReadBody(reply.body, max(0.0, until - context.now))
                if isinstance(body, TransportError):
                    raise _no_reply(context, backend, body)
                assert isinstance(body, bytes)
                reply.body = body
            if fail_on_error and reply.status >= 400:
                failure = PolicyFailure(
                    "BackendErrorStatusCode", f"the backend answered {reply.status}", status=reply.status
                )
                failure.keeps_response = True
                raise failure

        return Step(yielding=forward)


def _timeout(node: Node) -> Callable[[Context], float]:
    """Return how long the headers of a reply may take, and its body when it is buffered (s)."""
    if node.has("timeout-ms"):
        milliseconds = node.value("timeout-ms").read
        return lambda context: milliseconds(context) / 1000
    return node.value("timeout").read if node.has("timeout") else lambda _: DEFAULT_TIMEOUT_S


def _use_body(context: Context, *, keep: bool) -> None:
    request = context.request
    if request.body_gone:
        context.response = None
        raise PolicyFailure(
            "BackendConnectionFailure",
            "Content length mismatch: the request's body was sent before and is not buffered "
            '(buffer-request-body="true" keeps it)',
        )
    request.body_gone = not keep


def _record(context: Context, backend: Backend, reply: HttpResponse) -> None:
    breaker = context.instance.backends.breaker(backend.name)
    if breaker is not None:
        wait = None
        if reply.status >= 300:
            wait = retry_after_seconds(reply.headers.get("Retry-After"), context.unix_now)
        tripped = breaker.record(context.now, reply.status, "", wait)
        if tripped and context.trace is not None:
            until = context.instance.backends.sitting_out(context.now).get(backend.name, context.now)
            context.note(f"{backend.name} answered {reply.status}: its breaker opens until {until:g}s")
            return
    if context.trace is not None:
        context.note(f"{backend.name or backend.url} answered {reply.status}")


def _no_reply(context: Context, backend: Backend, error: TransportError) -> PolicyFailure:
    tripped = context.instance.backends.record(backend.name, context.now, None, error.reason)
    context.response = None
    if context.trace is not None:
        context.note(f"{backend.name or backend.url}: {error.kind}" + (", its breaker opens" if tripped else ""))
    return PolicyFailure(error.reason, _WORDS[error.kind])
