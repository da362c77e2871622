"""trace and log-to-eventhub: what they say is part of the answer."""

from typing import ClassVar

from sinbin.gateway.answer import LoggedEvent, TraceMessage
from sinbin.gateway.blocks import Step
from sinbin.gateway.compiler import SectionCompiler
from sinbin.gateway.context import Context
from sinbin.gateway.reading import Node
from sinbin.gateway.registry import ALL_SECTIONS, REFERENCE, Policy
from sinbin.gateway.shape import Attribute, Shape, Text

MAX_EVENT_BYTES = 200 * 1024
"""Source: https://learn.microsoft.com/azure/api-management/log-to-eventhub-policy, read 2026-11-29"""


class TracePolicy(Policy):
    """Records a message with its severity and metadata."""

    names: ClassVar = ("trace",)
    sections = ALL_SECTIONS
    shape = Shape(
        attributes={
            "source": Attribute("text", required=True, expression=False),
            "severity": Attribute(
                "text", default="verbose", expression=False, choices=("verbose", "information", "error")
            ),
        },
        children={
            "message": Shape(text=Text(), required=True),
            "metadata": Shape(
                attributes={"name": Attribute("text", required=True), "value": Attribute("text", required=True)},
                repeated=True,
            ),
        },
    )
    source = REFERENCE.format("trace")

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:  # noqa: ARG003
        """Return the step that records."""
        source, severity, message = node.constant("source"), node.constant("severity"), node.one("message")
        pairs = [(pair.value("name").read, pair.value("value").read) for pair in node.all("metadata")]
        text = message.text.read if message else lambda _: ""

        def record(context: Context) -> None:
            metadata = tuple((name(context), value(context)) for name, value in pairs)
            entry = TraceMessage(source, text(context), severity, metadata)
            context.recorded.append(entry)
            if context.trace is not None:
                context.note(f"{entry.severity}: {entry.message}")

        return Step(plain=record)


class LogToEventHub(Policy):
    """Records a message for a logger."""

    names: ClassVar = ("log-to-eventhub",)
    sections = ALL_SECTIONS
    scopes = ("global", "product", "api", "operation")
    shape = Shape(
        attributes={
            "logger-id": Attribute("text", required=True, expression=False),
            "partition-id": Attribute("text", expression=False),
            "partition-key": Attribute("text"),
        },
        text=Text(),
    )
    source = REFERENCE.format("log-to-eventhub")

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:  # noqa: ARG003
        """Return the step that records; a message over 200 KB is cut."""
        if node.has("partition-id") and node.has("partition-key"):
            node.refuse("takes partition-id or partition-key, not both")
        logger, text = node.constant("logger-id"), node.text.read
        partition = node.value("partition-key" if node.has("partition-key") else "partition-id").read

        def record(context: Context) -> None:
            message = text(context).encode()[:MAX_EVENT_BYTES].decode(errors="ignore")
            context.recorded.append(LoggedEvent(logger, message, partition(context)))

        return Step(plain=record)
