"""Realtime sessions at a region, over real WebSockets."""

import json
import time

import httpx
import pytest
from openai import OpenAI
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from tests.local.foundry.running import KEY, make_account

HELLO = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hello"}]}
KEYS = {"api-key": KEY}


@pytest.fixture
def socket(url):
    return f"ws{url.removeprefix('http')}/openai/v1/realtime?model=chat"


def test_the_openai_client_talks_to_a_region(url):
    with (
        OpenAI(base_url=f"{url}/openai/v1", api_key="x", default_headers=KEYS) as client,
        client.realtime.connect(model="chat") as session,
    ):
        assert session.recv().type == "session.created"
        for _ in range(2):
            session.conversation.item.create(item=HELLO)
            session.response.create()
            said = []
            for event in session:
                said.append(event)
                if event.type == "response.done":
                    break
            text = "".join(event.delta for event in said if event.type == "response.output_text.delta")
            assert text.startswith("Hello from UK South:")
            assert said[-1].response.usage.output_tokens == 8


def test_the_dated_api_is_there_too_and_the_subprotocol_is_agreed_on(url):
    address = f"ws{url.removeprefix('http')}/openai/realtime?api-version=2025-04-01-preview&deployment=chat"
    offered = ["realtime", "openai-insecure-api-key.x"]
    with connect(address, additional_headers=KEYS, subprotocols=offered) as caller:
        assert json.loads(caller.recv())["type"] == "session.created"
        assert caller.subprotocol == "realtime"


def test_a_refused_handshake_says_why(url, socket):
    with pytest.raises(InvalidStatus) as refused, connect(socket):
        pass
    assert refused.value.response.status_code == 401
    assert httpx.get(f"{url}/openai/v1/realtime?model=chat", headers=KEYS, trust_env=False).status_code == 426
    upgrade = {**KEYS, "connection": "Upgrade", "upgrade": "websocket"}
    assert httpx.get(f"{url}/openai/v1/realtime?model=chat", headers=upgrade, trust_env=False).status_code == 400


def test_events_are_text(socket):
    with connect(socket, additional_headers=KEYS) as caller:
        caller.recv()
        caller.send(b"\x00")
        with pytest.raises(ConnectionClosed):
            caller.recv()
        assert (caller.close_code, caller.close_reason) == (1003, "events are text")


def test_an_event_in_pieces_is_one_event(socket):
    with connect(socket, additional_headers=KEYS) as caller:
        caller.recv()
        caller.send(iter(['{"type": "session.', 'update", "session": {}}']))
        assert json.loads(caller.recv())["type"] == "session.updated"


def test_a_session_ends_after_half_an_hour(start):
    url = start(speed=5000).apply(make_account())[0]
    address = f"ws{url.removeprefix('http')}/openai/v1/realtime?model=chat"
    began = time.monotonic()
    with connect(address, additional_headers=KEYS) as caller:
        assert [json.loads(message)["type"] for message in caller] == ["session.created"]
    assert time.monotonic() - began >= 1800 / 5000
    assert (caller.close_code, caller.close_reason) == (1001, "the session has lasted as long as one may")


def test_a_connection_that_breaks_in_the_middle_of_a_response_is_settled(regions, url, socket):
    with connect(socket, additional_headers=KEYS) as caller:
        caller.recv()
        regions.fault("ai-uksouth", kind="reset-in-body", calls=1)
        caller.send(json.dumps({"type": "conversation.item.create", "item": HELLO}))
        caller.send(json.dumps({"type": "response.create"}))
        with pytest.raises(ConnectionClosed):
            list(caller)
        assert caller.close_code == 1006
    until = time.monotonic() + 5
    while (left := regions.gauges("ai-uksouth")["chat"][1].used) > 20:
        assert time.monotonic() < until, left
        time.sleep(0.02)
