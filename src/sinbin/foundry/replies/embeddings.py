"""Embeddings: unit vectors that depend on the input alone, as floats or as base64.

Source of the shapes: https://learn.microsoft.com/azure/ai-foundry/openai/reference, read 2026-11-29.
"""

import base64
import hashlib
import math
import struct
from collections.abc import Mapping
from typing import Any

from sinbin.foundry.models import ModelFacts
from sinbin.foundry.quota import Demand
from sinbin.foundry.replies import parameters
from sinbin.foundry.replies.errors import model_error
from sinbin.foundry.replies.reply import Call, Context, Family, Reply, StoredResponse, check_context
from sinbin.foundry.replies.text import count_tokens

MAX_INPUTS = 2048
"""Source: https://learn.microsoft.com/azure/ai-foundry/openai/quotas-limits, read 2026-11-29."""


class Embeddings(Family):
    """POST …/embeddings."""

    operation = "embeddings"
    operation_id = "Embeddings_Create"
    verb = "embeddings"
    known = frozenset({"model", "input", "dimensions", "encoding_format", "user"})
    unmodelled = frozenset({"input_type"})

    def read(  # noqa: D102 - as in Family
        self, body: dict[str, Any], facts: ModelFacts, stored: Mapping[str, StoredResponse]
    ) -> Call:
        del stored
        parameters.check_names(body, self.known, self.unmodelled)
        inputs, prompt_tokens = count_inputs(body, "input")
        check_context(facts, max(prompt_tokens // inputs, 0))
        dimensions = parameters.integer(body, "dimensions", high=facts.embedding_dimensions)
        if dimensions is not None and not facts.dimensions_choosable:
            raise model_error("This model does not support specifying dimensions.", param="dimensions")
        encoding = body.get("encoding_format") or "float"
        if encoding not in ("float", "base64"):
            raise model_error(
                f"Invalid value: '{encoding}'. Supported values are: 'float' and 'base64'.",
                param="encoding_format",
                code="invalid_value",
            )
        parameters.text(body, "user")
        size = dimensions or facts.embedding_dimensions
        return Call(body=body, demand=Demand(prompt_tokens, max_tokens=0), extra=(size, encoding))

    def reply(self, call: Call, context: Context) -> Reply:  # noqa: D102 - as in Family
        size, encoding = call.extra
        data = []
        for index, item in enumerate(_items(call.body["input"])):
            vector = _vector(item, size)
            packed = struct.pack(f"<{size}f", *vector)
            if encoding == "base64":
                embedding: Any = base64.b64encode(packed).decode()
            else:
                embedding = list(struct.unpack(f"<{size}f", packed))
            data.append({"object": "embedding", "index": index, "embedding": embedding})
        tokens = call.demand.prompt_tokens
        usage = {"prompt_tokens": tokens, "total_tokens": tokens}
        body = {"object": "list", "data": data, "model": context.facts.full_name, "usage": usage}
        return Reply(prompt_tokens=tokens, body=body)


def count_inputs(body: Mapping[str, Any], name: str) -> tuple[int, int]:
    """Return how many inputs the parameter `name` holds, and their estimated tokens together.

    It is a string, a list of strings, a list of tokens, or a list of such lists.

    Raises:
        WireError: it is none of these, empty, or holds too many.
    """
    if body.get(name) is None:
        raise parameters.missing(name)
    items = _items(body[name])
    if not items or len(items) > MAX_INPUTS:
        raise model_error(
            f"Invalid '{name}': expected 1 to {MAX_INPUTS} inputs, but got {len(items)}.", param=name
        )
    total = 0
    for item in items:
        if isinstance(item, str) and item:
            total += count_tokens(item)
        elif isinstance(item, list) and item and all(_is_token(token) for token in item):
            total += len(item)
        else:
            raise model_error(
                f"'${'.' + name}' is invalid: expected a string, an array of strings, or arrays of tokens.",
                param=name,
            )
    return len(items), total


def _items(value: Any) -> list[Any]:
    if not isinstance(value, list):
        return [value]
    return [value] if value and all(_is_token(item) for item in value) else value


def _is_token(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _vector(item: Any, size: int) -> list[float]:
    # Drawn from the input alone: equal texts are equal in every region, so similarity search works on them.
    digest = hashlib.shake_256(repr(item).encode("utf-8", "surrogatepass")).digest(4 * size)
    values = struct.unpack(f"<{size}i", digest)
    length = math.sqrt(sum(value * value for value in values)) or 1.0
    return [value / length for value in values]
