"""The Responses API: shape, stream, the state that an account keeps."""

import pytest

from sinbin.foundry.quota import QuotaOptions
from tests.foundry.calls import TOOL, call, complaint, deployment, events, get, post


def respond(**body):
    return post("/openai/v1/responses", {"model": "chat", "input": "hello"} | body, query={})


def test_a_response_is_kept_and_can_be_read_listed_and_deleted(region):
    _, body = call(region, respond(), now=3)
    assert (body["status"], body["created_at"], body["object"]) == ("completed", 3, "response")
    assert body["usage"] == {
        "input_tokens": 5,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 6,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 11,
    }
    path = f"/openai/v1/responses/{body['id']}"
    assert call(region, get(path, {}))[1] == body
    _, items = call(region, get(f"{path}/input_items", {}))
    assert [item["content"] for item in items["data"]] == [[{"type": "input_text", "text": "hello"}]]
    assert call(region, get(path, {}, method="DELETE"))[1] == {
        "id": body["id"],
        "object": "response",
        "deleted": True,
    }
    answer, gone = call(region, get(path, {}))
    assert (answer.status, gone["error"]["message"]) == (404, f"Response with id '{body['id']}' not found.")


def test_input_items_come_in_pages(region):
    texts = [{"role": "user", "content": str(number)} for number in range(5)]
    _, body = call(region, respond(input=texts))
    path = f"/openai/v1/responses/{body['id']}/input_items"
    _, page = call(region, get(path, {"order": "asc", "limit": "2"}))
    assert ([item["content"] for item in page["data"]], page["has_more"]) == (["0", "1"], True)
    _, rest = call(region, get(path, {"order": "asc", "after": page["last_id"]}))
    assert ([item["content"] for item in rest["data"]], rest["has_more"]) == (["2", "3", "4"], False)


def test_the_next_turn_counts_the_conversation_and_breaks_in_another_region(make_region):
    home, other = make_region(seed=1, reply_tokens=6), make_region(seed=2)
    _, first = call(home, respond())
    _, second = call(home, respond(previous_response_id=first["id"]))
    assert second["usage"]["input_tokens"] == 5 + 11
    assert complaint(call(other, respond(previous_response_id=first["id"]))) == (
        f"Previous response with id '{first['id']}' not found.",
        "previous_response_id",
        "previous_response_not_found",
    )


def test_a_response_that_is_not_stored_is_forgotten(region):
    _, body = call(region, respond(store=False))
    assert call(region, get(f"/openai/v1/responses/{body['id']}", {}))[0].status == 404


def test_a_response_streams_numbered_events(region):
    answer = region.receive(0, respond(stream=True))
    chunks = events(answer)
    assert [chunk["sequence_number"] for chunk in chunks] == list(range(len(chunks)))
    assert [chunk["type"] for chunk in chunks] == [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
        *["response.output_text.delta"] * 6,
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
    ]
    assert "".join(chunk["delta"] for chunk in chunks[4:10]) == chunks[10]["text"]
    assert answer.body.startswith(b"event: response.created\ndata: {")
    assert (
        call(region, get(f"/openai/v1/responses/{chunks[-1]['response']['id']}", {}))[1] == chunks[-1]["response"]
    )


def test_a_response_that_is_cut_short_is_incomplete(make_region):
    region = make_region(reply_tokens=40)
    _, body = call(region, respond(max_output_tokens=16))
    assert (body["status"], body["incomplete_details"]) == ("incomplete", {"reason": "max_output_tokens"})
    assert (
        events(region.receive(0, respond(max_output_tokens=16, stream=True)))[-1]["type"] == "response.incomplete"
    )


def test_a_response_calls_a_tool_that_it_must_call(region):
    tool = {"type": "function"} | TOOL["function"]
    _, body = call(region, respond(tools=[tool], tool_choice="required"))
    [item] = body["output"]
    assert (item["type"], item["name"], item["arguments"]) == (
        "function_call",
        "weather",
        '{"city":"text","days":3}',
    )
    kinds = [
        chunk["type"]
        for chunk in events(region.receive(0, respond(tools=[tool], tool_choice="required", stream=True)))
    ]
    assert "response.function_call_arguments.done" in kinds


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"background": True}, "Unsupported parameter: 'background' is not modelled by this local region."),
        (
            {"input": [{"type": "item_reference"}]},
            "Unsupported item: 'input[0].type' is not modelled by this local region.",
        ),
        (
            {"max_output_tokens": 5},
            "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 5 instead.",
        ),
    ],
)
def test_a_response_that_is_not_good_is_refused(region, body, message):
    assert complaint(call(region, respond(**body)))[0] == message


def test_the_responses_api_may_hide_its_limits(make_region):
    options = QuotaOptions(responses_without_limits=True)
    region = make_region(deployment("chat", "gpt-4.1-mini", capacity=1, options=options))
    limits = {f"x-ratelimit-{what}-{name}" for what in ("limit", "remaining") for name in ("requests", "tokens")}
    answers = [call(region, respond())[0] for _ in range(2)]
    assert [answer.status for answer in answers] == [200, 429]
    for answer in answers:
        assert {answer.headers[name] for name in limits} == {"-1"}
        assert "retry-after" not in answer.headers
