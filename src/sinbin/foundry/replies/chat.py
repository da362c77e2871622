"""Chat completions: plain and streamed, JSON mode, a forced tool call.

Not modelled: automatic tool use (`tool_choice: auto` answers with text), reasoning tokens (always 0), cached
tokens (always 0), and the parameters in `Chat.unmodelled`.

Source of the shapes: https://learn.microsoft.com/azure/ai-foundry/openai/reference, and the stream quoted in
https://github.com/sashabaranov/go-openai/issues/444 (first chunk with empty choices), read 2026-11-29.
"""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sinbin.foundry.models import ModelFacts
from sinbin.foundry.quota import Demand
from sinbin.foundry.replies import messages, parameters
from sinbin.foundry.replies.errors import model_error
from sinbin.foundry.replies.reply import (
    DONE,
    Call,
    Context,
    Event,
    Family,
    Reply,
    StoredResponse,
    check_context,
    compact,
    data_event,
)
from sinbin.foundry.replies.schema import example_of
from sinbin.foundry.replies.text import BYTES_PER_TOKEN, cut_at_stop, make_pieces

SAFE = {name: {"filtered": False, "severity": "safe"} for name in ("hate", "self_harm", "sexual", "violence")}
_JSON_OBJECT = {"type": "object", "properties": {"answer": {"type": "string"}}}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What shape a reply is to have."""

    stops: tuple[str, ...] = ()
    include_usage: bool = False
    tool: Mapping[str, Any] | None = None
    """The function that must be called."""
    schema: Mapping[str, Any] | None = None
    """The JSON Schema that the text must satisfy."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One reply: pieces of one token each, text or the arguments of a tool call."""

    pieces: list[str]
    finish_reason: str
    tool_call: dict[str, Any] | None = None


class Chat(Family):
    """POST …/chat/completions."""

    operation = "chat"
    operation_id = "ChatCompletions_Create"
    verb = "chatCompletion"
    known = parameters.names(
        "model messages max_tokens max_completion_tokens n stream stream_options stop temperature top_p seed user "
        "presence_penalty frequency_penalty logit_bias tools tool_choice parallel_tool_calls response_format "
        "reasoning_effort verbosity metadata store prompt_cache_key safety_identifier service_tier modalities"
    )
    unmodelled = parameters.names(
        "audio data_sources function_call functions logprobs prediction top_logprobs web_search_options "
        "prompt_cache_retention enhancements"
    )

    def read(  # noqa: D102 - as in Family
        self, body: dict[str, Any], facts: ModelFacts, stored: Mapping[str, StoredResponse]
    ) -> Call:
        del stored
        parameters.check_names(body, self.known, self.unmodelled)
        prompt_tokens = messages.count_messages(body.get("messages"))
        longest = parameters.integer(body, "max_completion_tokens")
        if longest is None:
            longest = parameters.integer(body, "max_tokens")
            if longest is not None and facts.reasoning:
                raise model_error(
                    "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
                    "'max_completion_tokens' instead.",
                    param="max_tokens",
                    code="unsupported_parameter",
                )
        check_sampling(body, facts)
        if body.get("modalities") not in (None, ["text"]):
            raise parameters.not_modelled("modalities", "value")
        if longest is not None and longest > facts.max_output_tokens:
            raise model_error(
                f"max_tokens is too large: {longest}. This model supports at most {facts.max_output_tokens} "
                f"completion tokens, whereas you provided {longest}.",
                param="max_tokens",
                code="invalid_value",
            )
        check_context(facts, prompt_tokens)
        stream = parameters.boolean(body, "stream")
        options = parameters.mapping(body, "stream_options")
        if options and not stream:
            raise model_error(
                "The 'stream_options' parameter is only allowed when 'stream' is enabled.", param="stream_options"
            )
        parameters.check_names(options, {"include_usage"}, {"include_obfuscation"})
        choices = parameters.integer(body, "n", high=128) or 1
        wanted = Wanted(
            stops=parameters.stop_sequences(body),
            include_usage=parameters.boolean(options, "include_usage"),
            tool=_forced_tool(body),
            schema=_wanted_schema(body),
        )
        return Call(body=body, demand=Demand(prompt_tokens, longest, choices), stream=stream, extra=wanted)

    def reply(self, call: Call, context: Context) -> Reply:  # noqa: D102 - as in Family
        wanted: Wanted = call.extra
        choices = [make_choice(context, wanted, call.demand.max_tokens) for _ in range(call.demand.choices)]
        tokens = sum(len(choice.pieces) for choice in choices)
        usage = _usage(call.demand.prompt_tokens, tokens)
        head = {
            "id": context.identifier("chatcmpl-"),
            "object": "chat.completion.chunk" if call.stream else "chat.completion",
            "created": context.created,
            "model": context.facts.full_name,
            "system_fingerprint": fingerprint(context.facts),
        }
        if call.stream:
            events = _events(head, choices, usage if wanted.include_usage else None)
            return Reply(prompt_tokens=call.demand.prompt_tokens, completion_tokens=tokens, events=events)
        body = head | {
            "choices": [_whole_choice(index, choice) for index, choice in enumerate(choices)],
            "prompt_filter_results": [{"prompt_index": 0, "content_filter_results": SAFE}],
            "usage": usage,
        }
        return Reply(prompt_tokens=call.demand.prompt_tokens, completion_tokens=tokens, body=body)


def check_sampling(body: Mapping[str, Any], facts: ModelFacts) -> None:
    """Check the parameters that shape chance: they have no effect on a text that is made up anyway.

    Raises:
        WireError: one is out of its range, or fixed for a reasoning model.
    """
    for name, low, high in (
        ("temperature", 0, 2),
        ("top_p", 0, 1),
        ("presence_penalty", -2, 2),
        ("frequency_penalty", -2, 2),
    ):
        value = parameters.number(body, name, low, high)
        default = 0 if name.endswith("penalty") else 1
        if facts.reasoning and value not in (None, default):
            raise model_error(
                f"Unsupported value: '{name}' does not support {value} with this model. Only the default "
                f"({default}) value is supported.",
                param=name,
                code="unsupported_value",
            )
    parameters.integer(body, "seed", low=-(2**63), high=2**63 - 1)
    parameters.text(body, "user")


def make_choice(context: Context, wanted: Wanted, longest: int | None) -> Choice:
    """Return one reply of the wanted shape, at most `longest` tokens."""
    reason, tool_call = "stop", None
    if wanted.tool is not None:
        arguments = compact(example_of(wanted.tool.get("parameters") or {"type": "object"}))
        pieces, reason = _slices(arguments), "tool_calls"
        tool_call = {"id": context.identifier("call_", 24), "name": wanted.tool["name"]}
    elif wanted.schema is not None:
        pieces = _slices(compact(example_of(wanted.schema, f"Hello from {context.region}")))
    else:
        pieces = make_pieces(context.rng, context.region, context.reply_tokens)
        pieces, _ = cut_at_stop(pieces, wanted.stops)
    if longest is not None and len(pieces) > longest:
        pieces, reason = pieces[:longest], "length"
    return Choice(pieces, reason, tool_call)


def fingerprint(facts: ModelFacts) -> str:
    """Return a `system_fingerprint` that stays the same for a model."""
    return f"fp_{zlib.crc32(facts.full_name.encode()):010x}"


def _slices(text: str) -> list[str]:
    return [text[start : start + BYTES_PER_TOKEN] for start in range(0, len(text), BYTES_PER_TOKEN)]


def _forced_tool(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    functions = messages.read_tools(body.get("tools"))
    choice = body.get("tool_choice", "auto")
    if choice in ("auto", "none", None):
        return None
    if not functions:
        raise model_error("'tool_choice' is only allowed when 'tools' are specified.", param="tool_choice")
    if choice == "required":
        return functions[0]
    name = parameters.mapping(choice, "function").get("name") if isinstance(choice, dict) else None
    for function in functions:
        if function["name"] == name:
            return function
    raise model_error(f"Invalid value for 'tool_choice': no tool is called {name!r}.", param="tool_choice")


def _wanted_schema(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    wanted = parameters.mapping(body, "response_format")
    kind = wanted.get("type", "text")
    if kind == "text":
        return None
    if kind == "json_object":
        return _JSON_OBJECT
    if kind == "json_schema":
        schema = parameters.mapping(wanted, "json_schema").get("schema")
        if not isinstance(schema, dict):
            raise parameters.missing("response_format.json_schema.schema")
        return schema
    raise model_error(f"Invalid value: '{kind}'.", param="response_format.type", code="invalid_value")


def _usage(prompt_tokens: int, completion_tokens: int) -> dict[str, Any]:
    return {
        "completion_tokens": completion_tokens,
        "completion_tokens_details": {
            "accepted_prediction_tokens": 0,
            "audio_tokens": 0,
            "reasoning_tokens": 0,
            "rejected_prediction_tokens": 0,
        },
        "prompt_tokens": prompt_tokens,
        "prompt_tokens_details": {"audio_tokens": 0, "cached_tokens": 0},
        "total_tokens": prompt_tokens + completion_tokens,
    }


def _whole_choice(index: int, choice: Choice) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": None, "refusal": None, "annotations": []}
    if choice.tool_call is None:
        message["content"] = "".join(choice.pieces)
    else:
        function = {"name": choice.tool_call["name"], "arguments": "".join(choice.pieces)}
        message["tool_calls"] = [{"id": choice.tool_call["id"], "type": "function", "function": function}]
    return {
        "index": index,
        "message": message,
        "finish_reason": choice.finish_reason,
        "logprobs": None,
        "content_filter_results": SAFE if choice.tool_call is None else {},
    }


def _events(head: dict[str, Any], choices: list[Choice], usage: dict[str, Any] | None) -> tuple[Event, ...]:
    # With usage asked for, every chunk but the last says that its usage is null.
    tail: dict[str, Any] = {} if usage is None else {"usage": None}
    first = {
        "choices": [],
        "created": 0,
        "id": "",
        "model": "",
        "object": "",
        "prompt_filter_results": [{"prompt_index": 0, "content_filter_results": SAFE}],
    }
    events = [data_event(first)]

    def chunk(index: int, delta: dict[str, Any], reason: str | None = None, tokens: int = 0) -> Event:
        safe = SAFE if delta.get("content") else {}
        choice = {
            "index": index,
            "delta": delta,
            "finish_reason": reason,
            "logprobs": None,
            "content_filter_results": safe,
        }
        return data_event(head | {"choices": [choice]} | tail, tokens)

    for index, choice in enumerate(choices):
        start: dict[str, Any] = {"role": "assistant", "content": "", "refusal": None}
        if choice.tool_call is not None:
            function = {"name": choice.tool_call["name"], "arguments": ""}
            call = {"index": 0, "id": choice.tool_call["id"], "type": "function", "function": function}
            start |= {"content": None, "tool_calls": [call]}
        events.append(chunk(index, start))
        for piece in choice.pieces:
            delta: dict[str, Any] = {"content": piece}
            if choice.tool_call is not None:
                delta = {"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}
            events.append(chunk(index, delta, tokens=1))
        events.append(chunk(index, {}, choice.finish_reason))
    if usage is not None:
        events.append(data_event(head | {"choices": [], "usage": usage}))
    return (*events, DONE)
