"""A realtime session: what the model says, what it costs, and what is refused."""

import json
import random

import pytest

from sinbin.foundry.exchange import Request
from sinbin.foundry.faults import parse_fault
from sinbin.foundry.realtime import RealtimeSession
from tests.foundry.calls import KEY, call, chat, deployment, get

V1 = "/openai/v1/realtime"
DATED = "/openai/realtime"


def handshake(path=V1, model="chat", headers=None, **query):
    query = query or (
        {"model": model} if path.startswith(V1) else {"api-version": "2025-04-01-preview", "deployment": model}
    )
    return Request("GET", path, query, {"api-key": KEY, "upgrade": "websocket"} | (headers or {}))


@pytest.fixture
def session(region):
    return RealtimeSession(region.receive, handshake(), "chat", random.Random(1))


def told(answer):
    return [json.loads(chunk.data) for chunk in answer.chunks]


def send(session, /, now=0.0, **event):
    return told(session.receive(now, json.dumps(event)))


def say(session, text="hello there"):
    content = [{"type": "input_text", "text": text}]
    return send(
        session, type="conversation.item.create", item={"type": "message", "role": "user", "content": content}
    )


def kinds(events):
    return [event["type"] for event in events]


@pytest.mark.parametrize(
    ("request_", "status", "code"),
    [
        (handshake(), 101, None),
        (handshake(path=V1 + "/"), 101, None),
        (handshake(path=DATED), 101, None),
        (handshake(headers={"upgrade": ""}), 426, "426"),
        (handshake(headers={"api-key": "wrong"}), 401, "401"),
        (handshake(model="nobody"), 404, "DeploymentNotFound"),
        (handshake(model="embed"), 400, "OperationNotSupported"),
        (handshake(path=DATED, deployment="chat"), 404, "404"),
        (get("/openai/v1/realtime/client_secrets"), 400, "unsupported_parameter"),
    ],
)
def test_a_handshake_is_taken_or_told_why_not(region, request_, status, code):
    answer = region.receive(0.0, request_)
    assert answer.status == status
    assert code is None or json.loads(answer.body)["error"]["code"] == code


def test_a_handshake_without_a_model_is_refused(region):
    assert region.receive(0.0, handshake(other="x")).status == 400


def test_faults_meet_a_handshake_as_any_call(region):
    region.faults.begin(0.0, parse_fault({"kind": "status", "status": 429, "retryAfterS": 7, "calls": 1}))
    answer = region.receive(0.0, handshake())
    assert (answer.status, answer.headers["retry-after"]) == (429, "7")
    region.faults.begin(0.0, parse_fault({"kind": "reset-before-headers", "calls": 1}))
    assert region.receive(0.0, handshake()).transport_error == "reset"
    region.faults.begin(0.0, parse_fault({"kind": "delay", "delayS": 3, "calls": 1}))
    assert region.receive(0.0, handshake()).delay_s == 3


def test_a_session_says_what_a_chat_says_event_by_event(region, make_region, session):
    assert kinds(told(session.begin())) == ["session.created"]
    [added, done] = say(session)
    assert (added["type"], done["type"]) == ("conversation.item.added", "conversation.item.done")
    answer = session.receive(0.0, b'{"type": "response.create"}')
    events = told(answer)
    assert kinds(events)[:4] == [
        "response.created",
        "response.output_item.added",
        "conversation.item.added",
        "response.content_part.added",
    ]
    assert kinds(events)[-5:] == [
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "conversation.item.done",
        "response.done",
    ]
    pieces = [event["delta"] for event in events if event["type"] == "response.output_text.delta"]
    text = "".join(pieces)
    assert text.startswith("Hello from UK South:")
    assert events[-5]["text"] == text
    response = events[-1]["response"]
    assert (response["status"], response["output"][0]["content"]) == (
        "completed",
        [{"type": "output_text", "text": text}],
    )
    _, body = call(make_region(reply_tokens=6), chat())
    assert response["usage"]["input_tokens"] == body["usage"]["prompt_tokens"]
    assert response["usage"]["output_tokens"] == body["usage"]["completion_tokens"] == len(pieces)
    assert answer.chunks[0].delay_s > 0
    assert sum(chunk.tokens for chunk in answer.chunks) == 6


def test_a_response_is_charged_to_the_quota_of_the_deployment(region, session):
    say(session, "x" * 400)
    answer = session.receive(0.0, b'{"type": "response.create"}')
    region.finish(0.0, answer)
    requests, tokens = region.gauges(0.0)["chat"]
    assert requests.used == 1
    assert tokens.used == json.loads(answer.chunks[-1].data)["response"]["usage"]["total_tokens"]


def test_a_response_that_the_quota_refuses_fails_and_the_session_goes_on(make_region):
    region = make_region(deployment("chat", "gpt-4.1-mini", capacity=1))
    session = RealtimeSession(region.receive, handshake(), "chat", random.Random(1))
    say(session)
    failed = [send(session, type="response.create")[-1] for _ in range(2)][-1]["response"]
    assert failed["status"] == "failed"
    assert failed["status_details"]["error"]["code"] == "rate_limit_exceeded"
    assert kinds(send(session, now=120.0, type="response.create"))[-1] == "response.done"


def test_a_session_remembers_what_was_said(session):
    say(session)
    first = send(session, type="response.create")[-1]["response"]["usage"]
    say(session)
    second = send(session, type="response.create")[-1]["response"]["usage"]
    assert second["input_tokens"] > first["total_tokens"]


def test_instructions_and_the_length_of_a_reply_are_heeded(session):
    updated = send(
        session, type="session.update", session={"instructions": "be brief " * 50, "max_output_tokens": 2}
    )
    assert updated[0]["session"]["instructions"].startswith("be brief")
    say(session)
    usage = send(session, type="response.create")[-1]["response"]["usage"]
    assert usage["output_tokens"] == 2
    assert usage["input_tokens"] > 100


def test_the_dated_api_has_the_events_of_its_time(region):
    session = RealtimeSession(region.receive, handshake(path=DATED), "chat", random.Random(1))
    assert kinds(say(session)) == ["conversation.item.created"]
    events = kinds(send(session, type="response.create"))
    assert {"response.text.delta", "response.text.done"} <= set(events)
    assert events[2] == "conversation.item.created"
    assert not [kind for kind in events if "output_text" in kind or kind.startswith("conversation.item.done")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "the message is no JSON object with a `type`"),
        ("[1]", "the message is no JSON object with a `type`"),
        ('{"type": "input_audio_buffer.append"}', "the event input_audio_buffer.append is not modelled by sinbin"),
        ('{"type": "session.update"}', "session: an object is expected"),
        (
            '{"type": "session.update", "session": {"output_modalities": ["audio"]}}',
            'output_modalities: only ["text"]',
        ),
        ('{"type": "session.update", "session": {"tools": [{}]}}', "tools are not modelled"),
        ('{"type": "response.create", "response": {"modalities": ["audio"]}}', "modalities: only"),
        ('{"type": "conversation.item.create", "item": {"type": "function_call"}}', "item: only a message"),
        (
            '{"type": "conversation.item.create", "item": {"type": "message", "content": [{"type": "input_audio"}]}}',
            "item.content: only parts of the types input_text, output_text, text with a `text`",
        ),
        (
            (
                '{"type": "conversation.item.create", "item": {"type": "message", '
                '"content": [{"type": "input_audio", "text": "hello"}]}}'
            ),
            "item.content: only parts of the types",
        ),
        (
            (
                '{"type": "conversation.item.create", "previous_item_id": "root", "item": '
                '{"type": "message", "content": [{"type": "input_text", "text": "hello"}]}}'
            ),
            "previous_item_id: only the last item",
        ),
        ('{"type": "session.update", "session": {"type": "transcription"}}', 'type: only "realtime"'),
        ('{"type": "response.create", "response": {"conversation": "none"}}', 'conversation: only "auto"'),
        ('{"type": "response.create", "response": {"input": []}}', "input: only the items"),
        ('{"type": "response.create"}', "messages"),
    ],
)
def test_what_is_wrong_or_not_modelled_is_an_error_event(session, text, message):
    [event] = told(session.receive(0.0, text))
    assert event["type"] == "error"
    assert message in event["error"]["message"]


def test_what_a_session_of_text_does_anyway_may_be_said(session):
    [added, _] = say(session)
    item = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "and"}]}
    again = send(session, type="conversation.item.create", previous_item_id=added["item"]["id"], item=item)
    assert again[0]["previous_item_id"] == added["item"]["id"]
    assert kinds(send(session, type="session.update", session={"type": "realtime"})) == ["session.updated"]
    events = send(
        session, type="response.create", response={"conversation": "auto", "output_modalities": ["text"]}
    )
    assert events[-1]["response"]["status"] == "completed"


def test_an_error_names_the_event_that_it_is_about(session):
    [event] = send(session, type="nonsense", event_id="mine")
    assert event["error"]["event_id"] == "mine"


def test_an_error_of_the_region_fails_the_response(region, session):
    say(session)
    region.faults.begin(0.0, parse_fault({"kind": "status", "status": 503, "calls": 1}))
    [event] = send(session, type="response.create")
    assert event["response"]["status_details"]["error"]["code"] == "server_error"
    region.faults.begin(0.0, parse_fault({"kind": "reset-before-headers", "calls": 1}))
    assert session.receive(0.0, b'{"type": "response.create"}').transport_error == "reset"
