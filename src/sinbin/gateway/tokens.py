"""Tokens of a model call: estimated from a prompt, read from a reply, counted in a stream."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import orjson

CHARACTERS_PER_TOKEN = 4
"""Assumed; Azure's estimate is not documented, and this is its own rule of thumb for English text."""
_DECODER = json.JSONDecoder()
_IMAGES = ("image_url", "input_image")
_MAX_DEPTH = 8
TOKENS_PER_IMAGE = 1200
"""Source: https://learn.microsoft.com/azure/api-management/llm-token-limit-policy, read 2026-11-29"""


class Usage(NamedTuple):
    """Tokens that a model reported, or that were counted in its stream."""

    prompt: int
    completion: int

    @property
    def total(self) -> int:
        """Prompt and completion together."""
        return self.prompt + self.completion


def estimate_tokens(characters: int) -> int:
    """Return the tokens that a text of `characters` is taken for."""
    return -(-characters // CHARACTERS_PER_TOKEN)


def parse_object(body: bytes | None) -> dict[str, Any]:
    """Return the JSON object in `body`, an empty one when there is none."""
    if not body:
        return {}
    try:
        value = orjson.loads(body)
    except ValueError:
        # The quick parser is stricter than Azure's: it refuses NaN, infinite numbers and lone surrogates.
        try:
            value = _DECODER.decode(body.decode())
        except (ValueError, RecursionError):
            return {}
    return value if isinstance(value, dict) else {}


def is_streamed(request: Mapping[str, Any]) -> bool:
    """Return whether a model request asks for a stream."""
    return request.get("stream") is True


def prompt_tokens(request: Mapping[str, Any]) -> int:
    """Return the estimate for the prompt of a chat, completion, embeddings or Responses request."""
    prompt = _Prompt()
    for name in ("messages", "prompt", "input", "instructions"):
        if name in request:
            prompt.add(request[name])
    return estimate_tokens(prompt.characters) + prompt.images * TOKENS_PER_IMAGE


class _Prompt:
    """Characters and images of a prompt, however it is nested."""

    __slots__ = ("characters", "images")

    def __init__(self) -> None:
        self.characters = 0
        self.images = 0

    def add(self, value: Any, depth: int = 0) -> None:
        if isinstance(value, str):
            self.characters += len(value)
        elif depth > _MAX_DEPTH:
            return
        elif isinstance(value, list):
            for item in value:
                self.add(item, depth + 1)
        elif isinstance(value, dict):
            if value.get("type") in _IMAGES:
                self.images += 1
            else:
                for part in (value.get("content"), value.get("text")):
                    if part is not None:
                        self.add(part, depth + 1)


def usage_of(body: bytes) -> Usage | None:
    """Return the usage that a model's reply reports, None when it reports none."""
    return _usage(parse_object(body).get("usage")) if b'"usage"' in body else None


def _usage(value: Any) -> Usage | None:
    if not isinstance(value, dict):
        return None
    prompt = value.get("prompt_tokens", value.get("input_tokens"))
    completion = value.get("completion_tokens", value.get("output_tokens", 0))
    if not isinstance(prompt, int) or not isinstance(completion, int):
        return None
    return Usage(prompt, completion)


class StreamCounter:
    """Reads along with a relayed reply: an event stream, or a plain JSON reply that comes in pieces."""

    __slots__ = ("_buffer", "_characters", "_events", "reported")

    def __init__(self) -> None:
        self._buffer = b""
        self._characters = 0
        self._events: bool | None = None
        self.reported: Usage | None = None
        """What the reply itself says it used, when it says so."""

    def feed(self, chunk: bytes) -> None:
        """Take in a piece of the reply."""
        self._buffer += chunk
        if self._events is None and len(self._buffer) >= 6:
            self._events = self._buffer.lstrip()[:1] not in {b"{", b"["}
        if self._events:
            *lines, self._buffer = self._buffer.split(b"\n")
            for line in lines:
                if line.startswith(b"data:"):
                    self._event(parse_object(line[5:].strip()))

    def finish(self) -> None:
        """The reply is over: look at what is left of it."""
        if self._events:
            self.feed(b"\n")
        else:
            self.reported = usage_of(self._buffer)

    @property
    def completion(self) -> int:
        """Estimated completion tokens of the events so far."""
        return estimate_tokens(self._characters)

    def _event(self, event: dict[str, Any]) -> None:
        response = event.get("response")
        self.reported = (
            _usage(event.get("usage"))
            or (_usage(response.get("usage")) if isinstance(response, dict) else None)
            or self.reported
        )
        delta = event.get("delta")
        if isinstance(delta, str):
            self._characters += len(delta)
        choices = event.get("choices")
        for choice in choices if isinstance(choices, list) else ():
            if isinstance(choice, dict):
                part = choice.get("delta")
                text = part.get("content") if isinstance(part, dict) else choice.get("text")
                self._characters += len(text) if isinstance(text, str) else 0
