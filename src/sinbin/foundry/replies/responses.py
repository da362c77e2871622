"""The Responses API: plain and streamed, with the state that the account keeps.

State is per account, so `previous_response_id` breaks when a pool sends the next turn to another region.

Source of the shapes: https://learn.microsoft.com/azure/ai-foundry/openai/how-to/responses; of the error for an
unknown previous response: https://github.com/microsoft/agent-framework/issues/6419, read 2026-11-29.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sinbin.foundry.models import ModelFacts
from sinbin.foundry.quota import Demand
from sinbin.foundry.replies import messages, parameters
from sinbin.foundry.replies.chat import Choice, Wanted, check_sampling, make_choice
from sinbin.foundry.replies.errors import model_error
from sinbin.foundry.replies.reply import (
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
from sinbin.foundry.replies.text import TOKENS_PER_MESSAGE, count_tokens

MAX_STORED = 10_000
"""Responses that an account remembers here; Azure keeps them for 30 days whatever their number."""
_LEAST_OUTPUT_TOKENS = 16


@dataclass(frozen=True, slots=True)
class _Turn:
    """What a Responses call asks for beyond its demand."""

    wanted: Wanted
    items: list[dict[str, Any]]
    store: bool


class Responses(Family):
    """POST …/responses."""

    operation = "responses"
    operation_id = "Responses_Create"
    verb = "responses"
    known = parameters.names(
        "model input instructions previous_response_id max_output_tokens stream store temperature top_p tools "
        "tool_choice parallel_tool_calls text reasoning metadata user truncation prompt_cache_key "
        "safety_identifier service_tier"
    )
    unmodelled = parameters.names(
        "background conversation include max_tool_calls prompt prompt_cache_retention stream_options top_logprobs "
        "context_management"
    )

    def read(  # noqa: D102 - as in Family
        self, body: dict[str, Any], facts: ModelFacts, stored: Mapping[str, StoredResponse]
    ) -> Call:
        parameters.check_names(body, self.known, self.unmodelled)
        items = _items(body.get("input"))
        tokens = sum(_count_item(index, item) for index, item in enumerate(items))
        tokens += count_tokens(parameters.text(body, "instructions") or "")
        previous = parameters.text(body, "previous_response_id")
        if previous is not None:
            if previous not in stored:
                raise model_error(
                    f"Previous response with id '{previous}' not found.",
                    param="previous_response_id",
                    code="previous_response_not_found",
                )
            tokens += stored[previous].context_tokens
        longest = parameters.integer(
            body, "max_output_tokens", low=_LEAST_OUTPUT_TOKENS, high=facts.max_output_tokens
        )
        check_sampling(body, facts)
        check_context(facts, tokens)
        for name in ("metadata", "reasoning"):
            parameters.mapping(body, name)
        store = body.get("store") is None or parameters.boolean(body, "store")
        turn = _Turn(Wanted(tool=_forced_tool(body), schema=_wanted_schema(body)), items, store)
        stream = parameters.boolean(body, "stream")
        return Call(body=body, demand=Demand(tokens, longest), stream=stream, extra=turn)

    def reply(self, call: Call, context: Context) -> Reply:  # noqa: D102 - as in Family
        turn: _Turn = call.extra
        choice = make_choice(context, turn.wanted, call.demand.max_tokens)
        prompt_tokens, tokens = call.demand.prompt_tokens, len(choice.pieces)
        started = _head(call, context, store=turn.store)
        item = _output_item(context, choice)
        cut = choice.finish_reason == "length"
        finished = started | {
            "status": "incomplete" if cut else "completed",
            "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
            "output": [item],
            "usage": _usage(prompt_tokens, tokens),
        }
        if turn.store:
            inputs = [_with_id(entry, context) for entry in turn.items]
            context.stored[finished["id"]] = StoredResponse(finished, inputs, prompt_tokens + tokens)
            while len(context.stored) > MAX_STORED:
                del context.stored[next(iter(context.stored))]
        reply = Reply(prompt_tokens=prompt_tokens, completion_tokens=tokens)
        if call.stream:
            return replace(reply, events=_events(started, finished, item, choice))
        return replace(reply, body=finished)


def find_stored(stored: Mapping[str, StoredResponse], identifier: str) -> StoredResponse:
    """Return the response called `identifier`.

    Raises:
        WireError: this account does not have it.
    """
    if identifier not in stored:
        raise model_error(f"Response with id '{identifier}' not found.", status=404)
    return stored[identifier]


def list_input_items(response: StoredResponse, query: Mapping[str, str]) -> dict[str, Any]:
    """Return one page of what was put into `response`: `order`, `after` and `limit` as in the API."""
    items = response.input_items
    if query.get("order", "desc") == "desc":
        items = items[::-1]
    if "after" in query:
        position = [item["id"] for item in items].index(query["after"]) if _has(items, query["after"]) else -1
        items = items[position + 1 :]
    limit = int(query.get("limit", "20")) if query.get("limit", "20").isdecimal() else 20
    page = items[: max(1, min(limit, 100))]
    return {
        "object": "list",
        "data": page,
        "first_id": page[0]["id"] if page else None,
        "last_id": page[-1]["id"] if page else None,
        "has_more": len(page) < len(items),
    }


def _has(items: list[dict[str, Any]], identifier: str) -> bool:
    return any(item["id"] == identifier for item in items)


def _items(value: Any) -> list[dict[str, Any]]:
    if value is None:
        raise parameters.missing("input")
    if isinstance(value, str):
        return [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": value}]}]
    if not isinstance(value, list) or not value:
        raise model_error("Invalid 'input': expected a string or a list of items.", param="input")
    items = []
    for index, item in enumerate(value):
        if not isinstance(item, dict):
            raise model_error(f"Invalid type for 'input[{index}]': expected an object.", param=f"input[{index}]")
        items.append(item | {"type": item.get("type", "message")})
    return items


def _count_item(index: int, item: dict[str, Any]) -> int:
    where = f"input[{index}]"
    if item["type"] == "message":
        if item.get("role") not in messages.ROLES:
            raise model_error(f"Invalid value: {item.get('role')!r}.", param=f"{where}.role", code="invalid_value")
        return TOKENS_PER_MESSAGE + messages.count_content(item.get("content"), f"{where}.content")
    if item["type"] in ("function_call", "function_call_output"):
        return TOKENS_PER_MESSAGE + count_tokens(compact(item.get("output", item.get("arguments", ""))))
    raise parameters.not_modelled(f"{where}.type", "item")


def _forced_tool(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    functions = messages.read_tools(body.get("tools"))
    choice = body.get("tool_choice", "auto")
    if choice in ("auto", "none", None):
        return None
    named = choice.get("name") if isinstance(choice, dict) else None
    for function in functions:
        if choice == "required" or function["name"] == named:
            return function
    raise model_error("Invalid value for 'tool_choice': there is no such tool.", param="tool_choice")


def _wanted_schema(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    wanted = parameters.mapping(parameters.mapping(body, "text"), "format")
    kind = wanted.get("type", "text")
    if kind == "text":
        return None
    if kind == "json_object":
        return {"type": "object", "properties": {"answer": {"type": "string"}}}
    if kind == "json_schema" and isinstance(wanted.get("schema"), dict):
        return wanted["schema"]  # type: ignore[no-any-return]
    raise model_error(f"Invalid value: '{kind}'.", param="text.format", code="invalid_value")


def _head(call: Call, context: Context, *, store: bool) -> dict[str, Any]:
    body = call.body
    return {
        "id": context.identifier("resp_", 48),
        "object": "response",
        "created_at": context.created,
        "status": "in_progress",
        "background": False,
        "error": None,
        "incomplete_details": None,
        "instructions": body.get("instructions"),
        "max_output_tokens": body.get("max_output_tokens"),
        "metadata": body.get("metadata") or {},
        "model": context.facts.name,
        "output": [],
        "parallel_tool_calls": body.get("parallel_tool_calls", True),
        "previous_response_id": body.get("previous_response_id"),
        "reasoning": body.get("reasoning") or {"effort": None, "summary": None},
        "store": store,
        "temperature": body.get("temperature", 1.0),
        "text": body.get("text") or {"format": {"type": "text"}},
        "tool_choice": body.get("tool_choice", "auto"),
        "tools": body.get("tools") or [],
        "top_p": body.get("top_p", 1.0),
        "truncation": body.get("truncation", "disabled"),
        "usage": None,
        "user": body.get("user"),
    }


def _output_item(context: Context, choice: Choice) -> dict[str, Any]:
    whole = "".join(choice.pieces)
    status = "incomplete" if choice.finish_reason == "length" else "completed"
    if choice.tool_call is not None:
        return {
            "id": context.identifier("fc_", 48),
            "type": "function_call",
            "status": status,
            "call_id": choice.tool_call["id"],
            "name": choice.tool_call["name"],
            "arguments": whole,
        }
    return {
        "id": context.identifier("msg_", 48),
        "type": "message",
        "status": status,
        "role": "assistant",
        "content": [{"type": "output_text", "text": whole, "annotations": [], "logprobs": []}],
    }


def _with_id(item: dict[str, Any], context: Context) -> dict[str, Any]:
    return {"id": context.identifier("msg_", 48)} | item


def _usage(prompt_tokens: int, tokens: int) -> dict[str, Any]:
    return {
        "input_tokens": prompt_tokens,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": tokens,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": prompt_tokens + tokens,
    }


def _events(
    started: dict[str, Any], finished: dict[str, Any], item: dict[str, Any], choice: Choice
) -> tuple[Event, ...]:
    events: list[Event] = []

    def add(kind: str, tokens: int = 0, **values: Any) -> None:
        value = {"type": kind, "sequence_number": len(events)} | values
        events.append(data_event(value, tokens, name=kind))

    add("response.created", response=started)
    add("response.in_progress", response=started)
    place = {"item_id": item["id"], "output_index": 0}
    if choice.tool_call is not None:
        empty = item | {"status": "in_progress", "arguments": ""}
        add("response.output_item.added", output_index=0, item=empty)
        for piece in choice.pieces:
            add("response.function_call_arguments.delta", 1, **place, delta=piece)
        add("response.function_call_arguments.done", **place, name=item["name"], arguments=item["arguments"])
    else:
        place["content_index"] = 0
        part = item["content"][0]
        add("response.output_item.added", output_index=0, item=item | {"status": "in_progress", "content": []})
        add("response.content_part.added", **place, part=part | {"text": ""})
        for piece in choice.pieces:
            add("response.output_text.delta", 1, **place, delta=piece, logprobs=[])
        add("response.output_text.done", **place, text=part["text"], logprobs=[])
        add("response.content_part.done", **place, part=part)
    add("response.output_item.done", output_index=0, item=item)
    add(f"response.{finished['status']}", response=finished)
    return tuple(events)
