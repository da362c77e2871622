"""Chat replies: shape, stream, tools, JSON, and what is refused."""

import json

import pytest

from sinbin.foundry.replies.schema import example_of
from sinbin.foundry.replies.text import count_tokens
from tests.foundry.calls import TOOL, call, chat, complaint, deployment, events, post

SAFE = {name: {"filtered": False, "severity": "safe"} for name in ("hate", "self_harm", "sexual", "violence")}


def test_a_chat_reply_has_the_shape_of_azure(region):
    _, body = call(region, chat(max_tokens=5), now=1_700_000_000.5)
    text = body["choices"][0]["message"]["content"]
    assert text.startswith("Hello from UK South: ")
    assert body == {
        "id": body["id"],
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": "gpt-4.1-mini-2025-04-14",
        "system_fingerprint": body["system_fingerprint"],
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text, "refusal": None, "annotations": []},
                "finish_reason": "length",
                "logprobs": None,
                "content_filter_results": SAFE,
            }
        ],
        "prompt_filter_results": [{"prompt_index": 0, "content_filter_results": SAFE}],
        "usage": {
            "completion_tokens": 5,
            "completion_tokens_details": {
                "accepted_prediction_tokens": 0,
                "audio_tokens": 0,
                "reasoning_tokens": 0,
                "rejected_prediction_tokens": 0,
            },
            "prompt_tokens": 9,
            "prompt_tokens_details": {"audio_tokens": 0, "cached_tokens": 0},
            "total_tokens": 14,
        },
    }
    assert body["id"].startswith("chatcmpl-")


def test_a_chat_stream_begins_with_the_prompt_filter_and_ends_with_usage_and_done(region):
    answer = region.receive(5, chat(stream=True, stream_options={"include_usage": True}, max_tokens=2))
    first, role, one, two, last, usage, done = events(answer)
    assert first == {
        "choices": [],
        "created": 0,
        "id": "",
        "model": "",
        "object": "",
        "prompt_filter_results": [{"prompt_index": 0, "content_filter_results": SAFE}],
    }
    assert [chunk["choices"][0]["delta"] for chunk in (role, one, two, last)] == [
        {"role": "assistant", "content": "", "refusal": None},
        {"content": "Hello"},
        {"content": " from"},
        {},
    ]
    assert [chunk["choices"][0]["finish_reason"] for chunk in (role, one, two, last)] == [
        None,
        None,
        None,
        "length",
    ]
    assert len({chunk["id"] for chunk in (role, one, two, last, usage)}) == 1
    assert (role["usage"], usage["choices"], usage["usage"]["total_tokens"]) == (None, [], 11)
    assert done == "[DONE]"


def test_a_stream_without_usage_asked_for_has_none(region):
    chunks = events(region.receive(0, chat(stream=True)))
    assert not any("usage" in chunk for chunk in chunks[:-1])


def test_a_stop_sequence_ends_a_reply_and_is_left_out(region):
    _, body = call(region, chat(stop=[" UK"]))
    assert body["choices"][0]["message"]["content"] == "Hello from"
    assert (body["choices"][0]["finish_reason"], body["usage"]["completion_tokens"]) == ("stop", 2)


def test_every_reply_asked_for_is_made(region):
    _, body = call(region, chat(n=3))
    assert [choice["index"] for choice in body["choices"]] == [0, 1, 2]
    assert body["usage"]["completion_tokens"] == 18


@pytest.mark.parametrize("choice", ["required", {"type": "function", "function": {"name": "weather"}}])
def test_a_tool_that_must_be_called_is_called(region, choice):
    _, body = call(region, chat(tools=[TOOL], tool_choice=choice))
    [made] = body["choices"]
    assert (made["finish_reason"], made["message"]["content"]) == ("tool_calls", None)
    [tool_call] = made["message"]["tool_calls"]
    assert tool_call["function"] == {"name": "weather", "arguments": '{"city":"text","days":3}'}
    streamed = events(region.receive(0, chat(tools=[TOOL], tool_choice=choice, stream=True)))
    deltas = [chunk["choices"][0]["delta"] for chunk in streamed[1:-1]]
    arguments = "".join(
        entry["function"]["arguments"] for delta in deltas for entry in delta.get("tool_calls", [])
    )
    assert arguments == '{"city":"text","days":3}'


def test_json_mode_answers_in_json(region):
    _, body = call(region, chat(response_format={"type": "json_object"}))
    assert json.loads(body["choices"][0]["message"]["content"]) == {"answer": "Hello from UK South"}


def test_a_schema_is_satisfied(region):
    schema = {"type": "object", "properties": {"n": {"type": "number"}, "kind": {"enum": ["a", "b"]}}}
    wanted = {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}
    _, body = call(region, chat(response_format=wanted))
    assert json.loads(body["choices"][0]["message"]["content"]) == {"n": 1, "kind": "a"}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"$ref": "#/$defs/a", "$defs": {"a": {"const": 5}}}, 5),
        ({"anyOf": [{"type": "null"}, {"type": "string"}]}, None),
        ({"type": ["boolean", "null"]}, True),
        ({"type": "array", "items": {"type": "integer"}, "minItems": 2}, [1, 1]),
        ({"type": "string", "minLength": 6}, "text.."),
        ({"type": "integer", "maximum": -3}, -3),
    ],
)
def test_an_example_satisfies_its_schema(schema, value):
    assert example_of(schema) == value


@pytest.mark.parametrize(
    ("body", "complaint_"),
    [
        ({"mesages": []}, ("Unrecognized request argument supplied: mesages", None, None)),
        (
            {"logprobs": True},
            (
                "Unsupported parameter: 'logprobs' is not modelled by this local region.",
                "logprobs",
                "unsupported_parameter",
            ),
        ),
        (
            {"messages": []},
            ("Invalid 'messages': empty array. Expected an array with minimum length 1.", "messages", None),
        ),
        (
            {"max_tokens": 0},
            (
                "Invalid 'max_tokens': integer below minimum value. Expected a value >= 1, but got 0 instead.",
                "max_tokens",
                "integer_below_min_value",
            ),
        ),
        (
            {"temperature": "hot"},
            (
                "Invalid type for 'temperature': expected a decimal, but got a string instead.",
                "temperature",
                "invalid_type",
            ),
        ),
        (
            {"stream_options": {"include_usage": True}},
            ("The 'stream_options' parameter is only allowed when 'stream' is enabled.", "stream_options", None),
        ),
        (
            {"messages": [{"role": "user", "content": [{"type": "input_audio"}]}]},
            (
                "Unsupported content part: 'messages[0].content[0].type' is not modelled by this local region.",
                "messages[0].content[0].type",
                "unsupported_parameter",
            ),
        ),
        (
            {"tools": [{"type": "web_search"}]},
            (
                "Unsupported tool: 'tools[0].type' is not modelled by this local region.",
                "tools[0].type",
                "unsupported_parameter",
            ),
        ),
        (
            {"response_format": {"type": "json_schema", "json_schema": {"schema": {"type": "set"}}}},
            (
                "Invalid schema: a schema of type 'set' is not modelled by this local region.",
                None,
                "invalid_json_schema",
            ),
        ),
    ],
)
def test_a_chat_that_is_not_good_is_refused_with_the_reason(region, body, complaint_):
    assert complaint(call(region, chat(**body))) == complaint_


def test_a_reasoning_model_wants_max_completion_tokens_and_the_default_temperature(make_region):
    region = make_region(deployment("chat", "o4-mini", "2025-04-16"))
    assert complaint(call(region, chat(max_tokens=5))) == (
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        "max_tokens",
        "unsupported_parameter",
    )
    assert complaint(call(region, chat(temperature=0.2)))[2] == "unsupported_value"
    assert call(region, chat(max_completion_tokens=5, temperature=1))[0].status == 200


def test_a_prompt_that_is_too_long_is_refused(make_region):
    region = make_region(deployment("chat", "gpt-35-turbo", "0125"))
    request = chat(messages=[{"role": "user", "content": "x" * 80_000}])
    assert complaint(call(region, request))[1:] == ("messages", "context_length_exceeded")


@pytest.mark.parametrize("body", [b"{", b"[]", b"", b"\xff", b'{"a":' * 100_000])
def test_a_body_that_is_no_json_object_is_refused(region, body):
    request = post("/openai/deployments/chat/chat/completions", body)
    assert call(region, request)[0].status == 400


def test_tokens_are_estimated_at_four_bytes_each():
    assert [count_tokens(text) for text in ("", "a", "abcd", "abcde", "日本語")] == [0, 1, 1, 2, 3]
