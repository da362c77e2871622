"""The ordinary OpenAI client through the gateway of the stack `local`."""

import asyncio

import openai
import pytest

MESSAGES = [{"role": "user", "content": "Why is the sky blue?"}]


@pytest.fixture(scope="module")
def key(deployed):
    return deployed.key("web-chat")


@pytest.fixture(params=["dated", "v1", "v1 as Azure wants it"])
def connection(request, deployed, key):
    """Class and arguments of a client; Azure reads the header `api-key`, the local gateway a bearer as well."""
    if request.param == "dated":
        return "AzureOpenAI", {"azure_endpoint": deployed.url, "api_key": key, "api_version": "2024-10-21"}
    if request.param == "v1":
        return "OpenAI", {"base_url": f"{deployed.url}/openai/v1", "api_key": key}
    headers = {"api-key": key}
    return "OpenAI", {"base_url": f"{deployed.url}/openai/v1", "api_key": "unused", "default_headers": headers}


@pytest.fixture
def client(connection):
    name, arguments = connection
    with getattr(openai, name)(**arguments, max_retries=0) as client:
        yield client


@pytest.fixture
def v1(deployed, key):
    with openai.OpenAI(base_url=f"{deployed.url}/openai/v1", api_key=key, max_retries=0) as client:
        yield client


def test_a_chat_is_answered_by_the_model_behind_the_alias(client):
    reply = client.chat.completions.create(model="chat-default", messages=MESSAGES, max_tokens=8)
    assert (reply.model, reply.usage.completion_tokens) == ("gpt-4.1-mini-2025-04-14", 8)
    assert reply.choices[0].message.content


def test_a_stream_comes_whole_and_in_order(client):
    options = {"include_usage": True}
    with client.chat.completions.create(
        model="chat-default", messages=MESSAGES, max_tokens=8, stream=True, stream_options=options
    ) as stream:
        chunks = list(stream)
    texts = [chunk.choices[0].delta.content for chunk in chunks if chunk.choices]
    assert len([text for text in texts if text]) == 8
    assert chunks[-1].usage.completion_tokens == 8


def test_embeddings_are_answered(client):
    reply = client.embeddings.create(model="embed-default", input=["one", "two"])
    assert [len(item.embedding) for item in reply.data] == [1536, 1536]


def test_a_response_is_made_read_and_deleted_in_the_one_region_that_keeps_it(v1):
    made = v1.responses.create(model="chat-default", input="Why is the sky blue?", max_output_tokens=16)
    assert v1.responses.retrieve(made.id).output_text == made.output_text != ""
    v1.responses.delete(made.id)
    with pytest.raises(openai.NotFoundError):
        v1.responses.retrieve(made.id)


def test_a_streamed_response_ends_at_the_tokens_it_may_have(v1):
    events = list(v1.responses.create(model="chat-default", input="Hello", max_output_tokens=16, stream=True))
    assert (events[0].type, events[-1].type) == ("response.created", "response.incomplete")
    assert events[-1].response.usage.output_tokens == 16


def test_the_gateway_lists_its_own_models(v1):
    assert [model.id for model in v1.models.list()] == ["chat-default", "embed-default"]


def test_many_asynchronous_callers_are_answered_at_once(deployed, key):
    async def run():
        async with openai.AsyncOpenAI(base_url=f"{deployed.url}/openai/v1", api_key=key, max_retries=0) as client:
            calls = [
                client.chat.completions.create(model="chat-default", messages=MESSAGES, max_tokens=4)
                for _ in range(20)
            ]
            return await asyncio.gather(*calls)

    assert [reply.usage.completion_tokens for reply in asyncio.run(run())] == [4] * 20


@pytest.mark.parametrize(
    ("model", "key_of", "error", "says"),
    [
        ("chat-default", None, openai.AuthenticationError, "invalid subscription key"),
        ("gpt-5", "web-chat", openai.PermissionDeniedError, "this key may not call gpt-5"),
        ("embed-default", "nightly", openai.PermissionDeniedError, "it may call: chat-default"),
    ],
)
def test_refusals_are_those_of_the_policies(deployed, model, key_of, error, says):
    key = deployed.key(key_of) if key_of else "wrong"
    client = openai.OpenAI(base_url=f"{deployed.url}/openai/v1", api_key=key, max_retries=0)
    with client, pytest.raises(error, match=says):
        client.chat.completions.create(model=model, messages=MESSAGES)
