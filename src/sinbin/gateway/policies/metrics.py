"""emit-metric and the token metrics of model calls; what is emitted is part of the answer."""

from collections.abc import Callable
from typing import ClassVar

from sinbin.gateway.answer import Metric
from sinbin.gateway.blocks import Step
from sinbin.gateway.compiler import SectionCompiler
from sinbin.gateway.context import Context
from sinbin.gateway.reading import Node
from sinbin.gateway.registry import ALL_SECTIONS, REFERENCE, Policy
from sinbin.gateway.shape import Attribute, Shape
from sinbin.gateway.tokens import StreamCounter, Usage, is_streamed, prompt_tokens

NAMESPACE = "API Management"
MAX_DIMENSIONS = 5
"""Source: https://learn.microsoft.com/azure/api-management/emit-metric-policy, read 2026-11-29"""

_DEFAULT_DIMENSIONS: dict[str, Callable[[Context], str]] = {
    "API ID": lambda context: context.api.name if context.api else "",
    "Operation ID": lambda context: context.operation.name if context.operation else "",
    "Product ID": lambda context: context.product.name if context.product else "",
    "User ID": lambda context: context.subscription.user.id if _user(context) else "",  # type: ignore[union-attr]
    "Subscription ID": lambda context: context.subscription.id if context.subscription else "",
    "Location": lambda context: context.instance.configuration.region,
    "Gateway ID": lambda _: "managed",
    "Backend ID": lambda context: context.backend.name if context.backend else "",
}

_DIMENSION = Shape(
    attributes={"name": Attribute("text", required=True), "value": Attribute("text")}, required=True, repeated=True
)


def _user(context: Context) -> bool:
    return context.subscription is not None and context.subscription.user is not None


def _dimensions(node: Node) -> Callable[[Context], tuple[tuple[str, str], ...]]:
    dimensions = node.all("dimension")
    for dimension in dimensions:
        name = dimension.value("name")
        if not dimension.has("value") and name.known and name.constant not in _DEFAULT_DIMENSIONS:
            known = ", ".join(_DEFAULT_DIMENSIONS)
            dimension.refuse(f'"{name.constant}" needs a value (without one: {known})')
    custom = sum(1 for dimension in dimensions if dimension.has("value"))
    if custom > MAX_DIMENSIONS:
        node.refuse(f"has {custom} dimensions of its own; it can have at most {MAX_DIMENSIONS}")
    pairs = [(dimension.value("name"), _content(dimension)) for dimension in dimensions]
    if all(name.known for name, _ in pairs):
        fixed = [(str(name.constant), content) for name, content in pairs]
        return lambda context: tuple([(name, content(context)) for name, content in fixed])
    return lambda context: tuple([(str(name.read(context)), content(context)) for name, content in pairs])


def _content(dimension: Node) -> Callable[[Context], str]:
    """Return what gives the value of a dimension: the one written, or the usual one of its name."""
    name = dimension.value("name")
    if dimension.has("value"):
        return dimension.value("value").read
    if name.constant in _DEFAULT_DIMENSIONS:
        return _DEFAULT_DIMENSIONS[name.constant]
    return lambda context: _DEFAULT_DIMENSIONS[name.read(context)](context)


class EmitMetric(Policy):
    """Emits a value with dimensions."""

    names: ClassVar = ("emit-metric",)
    sections = ALL_SECTIONS
    shape = Shape(
        attributes={
            "name": Attribute("text", required=True, expression=False),
            "namespace": Attribute("text", default=NAMESPACE, expression=False),
            "value": Attribute("number", default=1.0),
        },
        children={"dimension": _DIMENSION},
    )
    source = REFERENCE.format("emit-metric")

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:  # noqa: ARG003
        """Return the step that emits."""
        name, namespace, value = node.constant("name"), node.constant("namespace"), node.value("value").read
        dimensions = _dimensions(node)

        def emit(context: Context) -> None:
            context.recorded.append(Metric(namespace, name, value(context), dimensions(context)))

        return Step(plain=emit)


class EmitTokenMetric(Policy):
    """Emits total, prompt and completion tokens of a model call when its reply is known."""

    names: ClassVar = ("llm-emit-token-metric", "azure-openai-emit-token-metric")
    sections = frozenset({"inbound"})
    shape = Shape(
        attributes={"namespace": Attribute("text", default=NAMESPACE, expression=False)},
        children={"dimension": _DIMENSION},
        refused=dict.fromkeys(
            ("name", "value", "value-type", "ignore-prompt"), "not on the current reference page"
        ),
    )
    source = REFERENCE.format("llm-emit-token-metric")
    assumed = (
        "A stream that reports its usage is counted by that, any other one by an estimate.",
        "Dimensions are computed when the reply is there.",
    )
    differs = ("Cached, reasoning and other kinds of tokens are not emitted.",)

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:  # noqa: ARG003
        """Return the step that arranges the emission."""
        namespace, dimensions = node.constant("namespace"), _dimensions(node)

        def emit(context: Context, usage: Usage) -> None:
            labels, (prompt, completion) = dimensions(context), usage
            context.recorded += (
                Metric(namespace, "Total Tokens", prompt + completion, labels),
                Metric(namespace, "Prompt Tokens", prompt, labels),
                Metric(namespace, "Completion Tokens", completion, labels),
            )

        def on_reply(context: Context) -> None:
            reply = context.response
            if reply is None or not context.attempts:
                return
            usage = context.usage()
            if usage is not None:
                emit(context, usage)
            elif reply.body is not None and not isinstance(reply.body, bytes):
                context.watchers.append(_stream_watcher(context, emit))

        return Step(plain=lambda context: context.after_response.append(on_reply))


def _stream_watcher(
    context: Context, emit: Callable[[Context, Usage], None]
) -> Callable[[float, bytes | None], None]:
    counter = StreamCounter()
    request = context.request_object()
    prompt = prompt_tokens(request) if is_streamed(request) else 0

    def watch(_: float, chunk: bytes | None) -> None:
        if chunk is not None:
            counter.feed(chunk)
            return
        counter.finish()
        emit(context, counter.reported or Usage(prompt, counter.completion))

    return watch
