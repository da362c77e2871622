"""What families have in common: a call, its reply, the context they are made in, and the registry."""

import base64
import json
import random
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from sinbin.foundry.models import ModelFacts, Operation
from sinbin.foundry.quota import Demand
from sinbin.foundry.replies.errors import model_error

FAMILIES: dict[Operation, "Family"] = {}
"""Every family by its operation, filled as the classes are defined."""

_LETTERS_ONLY = bytes.maketrans(b"+/", b"xy")
_ENCODER = json.JSONEncoder(separators=(",", ":"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A request body that has been read and found good."""

    body: Mapping[str, Any]
    demand: Demand
    stream: bool = False
    extra: Any = None
    """What the family has read beyond that, for its own use."""


@dataclass(frozen=True, slots=True)
class Event:
    """A piece of a streamed reply and the completion tokens that it brings."""

    data: bytes
    tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer with status 200: a JSON `body`, or `events` when it is streamed."""

    prompt_tokens: int
    completion_tokens: int = 0
    body: dict[str, Any] | None = None
    events: tuple[Event, ...] = ()


@dataclass(slots=True)
class StoredResponse:
    """A reply of the Responses API that the account remembers."""

    body: dict[str, Any]
    input_items: list[dict[str, Any]]
    context_tokens: int
    """Tokens of the whole conversation up to this reply."""


@dataclass(slots=True, kw_only=True)
class Context:
    """Where a reply is made."""

    facts: ModelFacts
    region: str
    """As people write it: "UK South"."""
    created: int
    """Seconds since 1970."""
    rng: random.Random
    reply_tokens: int = 40
    """Length of a reply that nothing cuts short."""
    stored: dict[str, StoredResponse] = field(default_factory=dict)

    def identifier(self, prefix: str, length: int = 29) -> str:
        """Return a fresh id."""
        letters = base64.b64encode(self.rng.randbytes(length)).translate(_LETTERS_ONLY)
        return prefix + letters[:length].decode()


class Family(ABC):
    """One kind of operation; subclasses register an instance of themselves."""

    operation: ClassVar[Operation]
    operation_id: ClassVar[str]
    """As a 429 names it: `ChatCompletions_Create`."""
    verb: ClassVar[str]
    """As `OperationNotSupported` names it: `chatCompletion`."""
    known: ClassVar[frozenset[str]]
    """Parameters that the family reads, checks, or accepts because they cannot matter here."""
    unmodelled: ClassVar[frozenset[str]]
    """Parameters that Azure knows and sinbin refuses."""

    def __init_subclass__(cls) -> None:
        if cls.operation in FAMILIES:
            raise TypeError(f"two families for {cls.operation}")
        FAMILIES[cls.operation] = cls()

    @abstractmethod
    def read(self, body: dict[str, Any], facts: ModelFacts, stored: Mapping[str, StoredResponse]) -> Call:
        """Return what `body` asks of a model.

        Raises:
            WireError: it is not good, or asks for something that is not modelled.
        """

    @abstractmethod
    def reply(self, call: Call, context: Context) -> Reply:
        """Return the answer to `call`."""


def check_context(facts: ModelFacts, prompt_tokens: int, reply_tokens: int = 0) -> None:
    """Refuse a prompt that leaves no room in the model's context.

    Raises:
        WireError: prompt and reply together are longer than the context.
    """
    if prompt_tokens + reply_tokens > facts.context_tokens:
        raise model_error(
            f"This model's maximum context length is {facts.context_tokens} tokens. However, you requested "
            f"{prompt_tokens + reply_tokens} tokens ({prompt_tokens} in the messages, {reply_tokens} in the "
            "completion). Please reduce the length of the messages or completion.",
            param="messages",
            code="context_length_exceeded",
        )


def data_event(value: Mapping[str, Any], tokens: int = 0, name: str | None = None) -> Event:
    """Return `value` as one server-sent event."""
    line = f"data: {compact(value)}\n\n"
    return Event((f"event: {name}\n{line}" if name else line).encode(), tokens)


DONE = Event(b"data: [DONE]\n\n")


def compact(value: Any) -> str:
    """Return `value` as JSON without spaces."""
    return _ENCODER.encode(value)
