"""Random requests to a region: every one is answered, none by a fault of our own."""

import json
import random

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sinbin.foundry.region import Region
from sinbin.foundry.replies.chat import Chat
from sinbin.foundry.replies.embeddings import Embeddings
from sinbin.foundry.replies.responses import Responses
from tests.foundry.calls import account, deployment, post

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
NAMES = st.sampled_from(sorted(Chat.known | Responses.known | Embeddings.known))
MESSAGE = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "tool", 3]) | JSON, "content": JSON},
    optional={"tool_calls": JSON},
)
TOOL = st.fixed_dictionaries({"type": st.just("function")}, optional={"function": JSON, "name": JSON})
SCHEMA = st.dictionaries(
    st.sampled_from(["type", "properties", "required", "items", "anyOf", "$ref", "enum", "minLength", "minItems"]),
    JSON | st.sampled_from(["object", "array", "string", "integer", "#/", "#/properties"]),
)
BODY = st.fixed_dictionaries(
    {},
    optional={
        "model": st.sampled_from(["chat", "embed", "old"]) | JSON,
        "messages": st.lists(MESSAGE, min_size=1, max_size=3),
        "input": st.sampled_from(["hello", ["a", "b"], [1, 2]]) | st.lists(MESSAGE, max_size=2) | JSON,
        "prompt": st.text(max_size=5) | JSON,
        "tools": st.lists(TOOL, max_size=2),
        "tool_choice": st.sampled_from(["required", "auto"]) | JSON,
        "response_format": st.fixed_dictionaries(
            {"type": st.just("json_schema"), "json_schema": st.fixed_dictionaries({"schema": SCHEMA | JSON})}
        ),
        "text": st.fixed_dictionaries({"format": st.fixed_dictionaries({"type": st.just("json_schema"), "schema": SCHEMA})}),
        "stream": st.booleans(),
    },
)  # fmt: skip
PATHS = st.sampled_from(
    [
        "/openai/deployments/chat/chat/completions",
        "/openai/deployments/old/completions",
        "/openai/deployments/embed/embeddings",
        "/openai/v1/chat/completions",
        "/openai/v1/embeddings",
        "/openai/v1/responses",
        "/openai/responses",
        "/models/chat/completions",
    ]
)
REGION = Region(
    account(
        deployment("chat", "gpt-4.1-mini", capacity=10_000),
        deployment("embed", "text-embedding-3-small", "1", capacity=10_000),
        deployment("old", "gpt-35-turbo-instruct", "0914", capacity=10_000),
    ),
    random.Random(1),
)


@settings(max_examples=150, suppress_health_check=list(HealthCheck), deadline=None)
@given(path=PATHS, body=BODY, extra=st.dictionaries(NAMES, JSON, max_size=3))
def test_whatever_the_body_is_a_region_answers(path, body, extra):
    answer = REGION.receive(0.0, post(path, body | extra))
    REGION.finish(0.0, answer)
    assert answer.status in {200, 400, 404, 429}
    if not answer.streamed:
        assert isinstance(json.loads(answer.body), dict)


@pytest.mark.parametrize("seed", range(5))
def test_whatever_the_target_and_headers_are_a_region_answers(url, seed):
    rng = random.Random(seed)
    letters = "/%?&=.~ab0\\'\"<>;:@é" + "".join(map(chr, range(128, 140)))
    target = "/" + "".join(rng.choices(letters, k=rng.randrange(1, 60)))
    headers = {"api-key": "".join(rng.choices("abc é~", k=5)).strip().encode(), "authorization": b"Bearer a.b.c"}
    with httpx.Client(trust_env=False) as client:
        for method in ("GET", "POST", "DELETE", "PATCH"):
            answer = client.request(method, url + target, headers=headers, content=b"{}")
            assert answer.status_code in {400, 401, 403, 404, 405}
