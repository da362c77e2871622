"""llm-semantic-cache-lookup and -store: answer a prompt that was answered before, by exact match."""

import json
from collections.abc import Mapping
from typing import Any, ClassVar

from sinbin.gateway.blocks import Step
from sinbin.gateway.compiler import SectionCompiler
from sinbin.gateway.context import Context
from sinbin.gateway.failures import Finished
from sinbin.gateway.messages import HttpResponse
from sinbin.gateway.reading import Node
from sinbin.gateway.registry import REFERENCE, Policy
from sinbin.gateway.shape import Attribute, Shape, Text

_EXACT = (
    (
        "Prompts are compared word for word: no embeddings are asked for, score-threshold changes nothing. "
        "A prompt that means the same in other words misses here and may hit in Azure."
    ),
)


class SemanticCacheLookup(Policy):
    """Answers from the cache when the same messages were answered before."""

    names: ClassVar = ("llm-semantic-cache-lookup", "azure-openai-semantic-cache-lookup")
    sections = frozenset({"inbound"})
    scopes = ("global", "product", "api", "operation")
    shape = Shape(
        attributes={
            "score-threshold": Attribute("number", required=True, low=0, high=1),
            "embeddings-backend-id": Attribute("text", required=True),
            "embeddings-backend-auth": Attribute(
                "text", required=True, expression=False, choices=("system-assigned",)
            ),
            "ignore-system-messages": Attribute("boolean", default=False),
            "max-message-count": Attribute("integer", low=1),
        },
        children={"vary-by": Shape(text=Text(), repeated=True)},
    )
    source = REFERENCE.format("llm-semantic-cache-lookup")
    assumed = ("A hit ends the pipeline: outbound does not run.",)
    differs = _EXACT

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:
        """Return the step that answers a hit, and leaves the key of a miss for the store policy."""
        backend = node.constant("embeddings-backend-id")
        if backend is not None and backend not in compiler.loader.backends:
            names = ", ".join(sorted(compiler.loader.backends)) or "none"
            node.refuse(f'names the backend "{backend}", which is not there (backends and pools: {names})')
        ignore_system, most = node.value("ignore-system-messages").read, node.value("max-message-count").read
        vary_by = [vary.text for vary in node.all("vary-by")]

        def look_up(context: Context) -> None:
            messages = _messages(context.request_object(), ignore_system=ignore_system(context))
            limit = most(context)
            if messages is None or (limit is not None and len(messages) > limit):
                return
            vary = "\n".join(value.read(context) for value in vary_by)
            key = ("semantic", vary, json.dumps(messages, sort_keys=True))
            context.semantic_key = key
            found = context.instance.service.cache.get(key, context.now)
            if found is not None:
                reply: HttpResponse = found.value
                context.response = HttpResponse(reply.status, reply.headers.copy(), reply.body, reply.reason)
                raise Finished

        return Step(plain=look_up)


def _messages(request: Mapping[str, Any], *, ignore_system: bool) -> list[Any] | None:
    messages = request.get("messages")
    if not isinstance(messages, list) or request.get("stream") is True:
        return None
    if not ignore_system:
        return messages
    return [message for message in messages if not (isinstance(message, dict) and message.get("role") == "system")]


class SemanticCacheStore(Policy):
    """Keeps the reply for the messages that the lookup policy missed."""

    names: ClassVar = ("llm-semantic-cache-store", "azure-openai-semantic-cache-store")
    sections = frozenset({"outbound"})
    scopes = ("global", "product", "api", "operation")
    shape = Shape(
        attributes={
            "duration": Attribute("number", required=True, low=1),
            "cache-response": Attribute("boolean"),
        }
    )
    source = REFERENCE.format("llm-semantic-cache-store")
    assumed = ("A streamed reply is not kept.",)
    differs = _EXACT

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:  # noqa: ARG003
        """Return the step that keeps the reply."""
        duration, wanted = node.value("duration").read, node.value("cache-response").read

        def store(context: Context) -> None:
            key, reply = context.semantic_key, context.response
            if key is None or reply is None or not isinstance(reply.body, bytes):
                return
            asked = wanted(context)
            if reply.status == 200 if asked is None else asked:
                kept = HttpResponse(reply.status, reply.headers.copy(), reply.body, reply.reason)
                context.instance.service.cache.put(key, kept, context.now, duration(context))

        return Step(plain=store)
