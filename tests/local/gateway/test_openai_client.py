"""The ordinary OpenAI client through the gateway of the stack `local`."""

import openai
import pytest

MESSAGES = [{"role": "user", "content": "Why is the sky blue?"}]


@pytest.fixture(scope="module")
def key(deployed):
    return deployed.key("web-chat")


@pytest.fixture
def v1(deployed, key):
    with openai.OpenAI(base_url=f"{deployed.url}/openai/v1", api_key=key, max_retries=0) as client:
        yield client


@pytest.fixture
def dated(deployed, key):
    with openai.AzureOpenAI(
        azure_endpoint=deployed.url, api_key=key, api_version="2024-10-21", max_retries=0
    ) as client:
        yield client


@pytest.fixture(params=["dated", "v1"])
def client(request):
    return request.getfixturevalue(request.param)


def test_a_chat_is_answered(client):
    reply = client.chat.completions.create(model="chat-default", messages=MESSAGES, max_tokens=8)
    assert reply.model == "gpt-4.1-mini-2025-04-14"
    assert reply.choices[0].message.content
