"""Completions of the older kind: a prompt in, a text out, plain and streamed.

Source of the shapes: https://learn.microsoft.com/azure/ai-foundry/openai/reference, read 2026-11-29.
"""

from collections.abc import Mapping
from typing import Any

from sinbin.foundry.models import ModelFacts
from sinbin.foundry.quota import Demand
from sinbin.foundry.replies import parameters
from sinbin.foundry.replies.chat import SAFE, Choice, Wanted, check_sampling, make_choice
from sinbin.foundry.replies.embeddings import count_inputs
from sinbin.foundry.replies.reply import (
    DONE,
    Call,
    Context,
    Event,
    Family,
    Reply,
    StoredResponse,
    check_context,
    data_event,
)

DEFAULT_MAX_TOKENS = 16
"""Length of a completion whose caller names no maximum: part of the API, so it is known what to reserve.

Source: https://learn.microsoft.com/azure/ai-foundry/openai/reference, read 2026-11-29.
"""


class Completions(Family):
    """POST …/completions."""

    operation = "completions"
    operation_id = "Completions_Create"
    verb = "completion"
    known = parameters.names(
        "model prompt max_tokens n best_of stream stream_options stop temperature top_p seed user "
        "presence_penalty frequency_penalty logit_bias"
    )
    unmodelled = frozenset({"echo", "logprobs", "suffix"})

    def read(  # noqa: D102 - as in Family
        self, body: dict[str, Any], facts: ModelFacts, stored: Mapping[str, StoredResponse]
    ) -> Call:
        del stored
        parameters.check_names(body, self.known, self.unmodelled)
        prompts, prompt_tokens = count_inputs(body, "prompt")
        longest = parameters.integer(body, "max_tokens") or DEFAULT_MAX_TOKENS
        check_sampling(body, facts)
        check_context(facts, prompt_tokens // prompts, longest)
        each = parameters.integer(body, "n", high=128) or 1
        best_of = parameters.integer(body, "best_of", low=each, high=128) or each
        options = parameters.mapping(body, "stream_options")
        parameters.check_names(options, {"include_usage"}, {"include_obfuscation"})
        wanted = Wanted(
            stops=parameters.stop_sequences(body), include_usage=parameters.boolean(options, "include_usage")
        )
        return Call(
            body=body,
            demand=Demand(prompt_tokens, longest, best_of * prompts),
            stream=parameters.boolean(body, "stream"),
            extra=(wanted, each * prompts),
        )

    def reply(self, call: Call, context: Context) -> Reply:  # noqa: D102 - as in Family
        wanted, count = call.extra
        choices = [make_choice(context, wanted, call.demand.max_tokens) for _ in range(count)]
        prompt_tokens, tokens = call.demand.prompt_tokens, sum(len(choice.pieces) for choice in choices)
        usage = {
            "completion_tokens": tokens,
            "prompt_tokens": prompt_tokens,
            "total_tokens": prompt_tokens + tokens,
        }
        head = {
            "id": context.identifier("cmpl-"),
            "object": "text_completion",
            "created": context.created,
            "model": context.facts.name,
        }
        if call.stream:
            events = _events(head, choices, usage if wanted.include_usage else None)
            return Reply(prompt_tokens=prompt_tokens, completion_tokens=tokens, events=events)
        texts = [
            _choice(index, "".join(choice.pieces), choice.finish_reason) for index, choice in enumerate(choices)
        ]
        filters = [{"prompt_index": 0, "content_filter_results": SAFE}]
        body = head | {"choices": texts, "prompt_filter_results": filters, "usage": usage}
        return Reply(prompt_tokens=prompt_tokens, completion_tokens=tokens, body=body)


def _choice(index: int, text: str, reason: str | None) -> dict[str, Any]:
    return {
        "index": index,
        "text": text,
        "finish_reason": reason,
        "logprobs": None,
        "content_filter_results": SAFE,
    }


def _events(head: dict[str, Any], choices: list[Choice], usage: dict[str, Any] | None) -> tuple[Event, ...]:
    events = [
        data_event(head | {"choices": [_choice(index, piece, None)]}, 1)
        for index, choice in enumerate(choices)
        for piece in choice.pieces
    ]
    events += [
        data_event(head | {"choices": [_choice(index, "", choice.finish_reason)]})
        for index, choice in enumerate(choices)
    ]
    if usage is not None:
        events.append(data_event(head | {"choices": [], "usage": usage}))
    return (*events, DONE)
