"""The unmodified `openai` client directly against a region: dated and v1 addresses, streams, errors, its retries."""

import asyncio
import time

import openai
import pytest
from openai import AsyncAzureOpenAI, AsyncOpenAI, AzureOpenAI, OpenAI
from pydantic import BaseModel

from sinbin.foundry.auth import make_token
from tests.local.foundry.running import KEY, make_account


class Town(BaseModel):
    name: str
    people: int


MESSAGES = [{"role": "user", "content": "hello"}]
VERSION = "2024-10-21"


def dated(url, **options):
    return AzureOpenAI(azure_endpoint=url, api_key=KEY, api_version=VERSION, **{"max_retries": 0} | options)


def v1(url, **options):
    return OpenAI(base_url=f"{url}/openai/v1/", api_key=KEY, **{"max_retries": 0} | options)


@pytest.fixture(params=["dated", "deployment", "v1"])
def client(request, url):
    if request.param == "deployment":
        made = AzureOpenAI(
            base_url=f"{url}/openai/deployments/chat", api_key=KEY, api_version=VERSION, max_retries=0
        )
    else:
        made = (dated if request.param == "dated" else v1)(url)
    with made:
        yield made


def test_chat_is_answered(client):
    reply = client.chat.completions.create(model="chat", messages=MESSAGES)
    assert reply.choices[0].message.content.startswith("Hello from UK South:")
    assert (reply.model, reply.usage.total_tokens) == ("gpt-4.1-mini-2025-04-14", 16)


def test_chat_streams(client):
    stream = client.chat.completions.create(
        model="chat", messages=MESSAGES, stream=True, stream_options={"include_usage": True}
    )
    chunks = list(stream)
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert text.startswith("Hello from UK South:")
    assert (chunks[0].choices, chunks[-1].usage.completion_tokens) == ([], 8)


def test_a_reply_names_its_request_and_its_limits(client):
    raw = client.chat.completions.with_raw_response.create(model="chat", messages=MESSAGES)
    assert raw.headers["x-ms-region"] == "UK South"
    assert int(raw.headers["x-ratelimit-remaining-requests"]) < 1000
    assert raw.parse()._request_id == raw.headers["x-request-id"]


def test_the_helper_for_structured_answers_is_satisfied(url):
    with v1(url) as client:
        reply = client.chat.completions.parse(
            model="chat", messages=MESSAGES, response_format=Town, max_completion_tokens=100
        )
    assert reply.choices[0].message.parsed == Town(name="Hello from UK South", people=1)


@pytest.mark.parametrize("make", [dated, v1])
def test_embeddings_come_as_base64_unasked_and_as_floats_when_asked(url, make):
    with make(url) as client:
        unasked = client.embeddings.create(model="embed", input=["hello", "you"], dimensions=16)
        floats = client.embeddings.create(model="embed", input="hello", dimensions=16, encoding_format="float")
    assert [len(entry.embedding) for entry in unasked.data] == [16, 16]
    assert list(unasked.data[0].embedding) == pytest.approx(floats.data[0].embedding, rel=1e-6)


@pytest.mark.parametrize("make", [dated, v1])
def test_responses_keep_their_state(url, make):
    with make(url) as client:
        first = client.responses.create(model="chat", input="hello")
        second = client.responses.create(model="chat", input="more", previous_response_id=first.id)
        assert first.output_text.startswith("Hello from UK South:")
        assert second.usage.input_tokens > first.usage.total_tokens
        assert client.responses.retrieve(first.id).output_text == first.output_text
        assert [item.role for item in client.responses.input_items.list(first.id)] == ["user"]
        client.responses.delete(first.id)
        with pytest.raises(openai.NotFoundError):
            client.responses.retrieve(first.id)


def test_responses_stream(url):
    with v1(url) as client, client.responses.stream(model="chat", input="hello") as stream:
        kinds = [event.type for event in stream]
        final = stream.get_final_response()
    assert (kinds[0], kinds[-1]) == ("response.created", "response.completed")
    assert final.output_text.startswith("Hello from UK South:")


def test_a_conversation_breaks_in_another_region(regions):
    here, there = regions.apply(make_account(), make_account("ai-swc", "swedencentral"))
    with v1(here) as home, v1(there) as other:
        first = home.responses.create(model="chat", input="hello")
        with pytest.raises(openai.BadRequestError) as caught:
            other.responses.create(model="chat", input="more", previous_response_id=first.id)
    assert caught.value.code == "previous_response_not_found"


def test_models_are_listed(url):
    with v1(url) as client:
        assert [model.id for model in client.models.list()] == ["gpt-4.1-mini", "text-embedding-3-small"]
        assert client.models.retrieve("chat").id == "chat"


def test_the_asynchronous_clients_do_the_same(url):
    async def run():
        async with (
            AsyncAzureOpenAI(azure_endpoint=url, api_key=KEY, api_version=VERSION, max_retries=0) as old,
            AsyncOpenAI(base_url=f"{url}/openai/v1/", api_key=KEY, max_retries=0) as new,
        ):
            replies = await asyncio.gather(
                *(client.chat.completions.create(model="chat", messages=MESSAGES) for client in [old, new] * 10)
            )
            stream = await new.chat.completions.create(model="chat", messages=MESSAGES, stream=True)
            return [reply.usage.total_tokens for reply in replies], [chunk async for chunk in stream]

    totals, chunks = asyncio.run(run())
    assert totals == [16] * 20
    assert chunks[-1].choices[0].finish_reason == "stop"


def test_a_token_of_the_directory_is_accepted_where_keys_are_off(regions):
    [url] = regions.apply(make_account(local_auth=False))
    token = make_token("https://cognitiveservices.azure.com")
    with AzureOpenAI(azure_endpoint=url, azure_ad_token=token, api_version=VERSION, max_retries=0) as client:
        assert client.chat.completions.create(model="chat", messages=MESSAGES).choices
    with dated(url) as client, pytest.raises(openai.PermissionDeniedError) as caught:
        client.chat.completions.create(model="chat", messages=MESSAGES)
    assert caught.value.code == "AuthenticationTypeDisabled"


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, openai.BadRequestError),
        (401, openai.AuthenticationError),
        (403, openai.PermissionDeniedError),
        (404, openai.NotFoundError),
        (409, openai.ConflictError),
        (422, openai.UnprocessableEntityError),
        (429, openai.RateLimitError),
        (500, openai.InternalServerError),
        (503, openai.InternalServerError),
    ],
)
def test_errors_arrive_as_the_client_names_them(regions, url, status, kind):
    regions.fault("ai-uksouth", kind="status", status=status)
    with v1(url) as client, pytest.raises(kind) as caught:
        client.chat.completions.create(model="chat", messages=MESSAGES)
    assert (caught.value.status_code, bool(caught.value.message)) == (status, True)


def test_what_is_not_modelled_arrives_as_a_bad_request(url):
    with v1(url) as client, pytest.raises(openai.BadRequestError) as caught:
        client.chat.completions.create(model="chat", messages=MESSAGES, logprobs=True)
    assert (caught.value.param, caught.value.code) == ("logprobs", "unsupported_parameter")


def test_a_dry_deployment_says_when_to_come_back(regions):
    [url] = regions.apply(make_account(capacity=1))
    with dated(url) as client:
        client.chat.completions.create(model="chat", messages=MESSAGES)
        with pytest.raises(openai.RateLimitError) as caught:
            client.chat.completions.create(model="chat", messages=MESSAGES)
    headers = caught.value.response.headers
    assert 0 < int(headers["retry-after"]) <= 60
    assert caught.value.code == "429"
    assert f"Please retry after {headers['retry-after']} seconds." in str(caught.value)


def test_the_retries_of_the_client_wait_as_long_as_they_are_asked_to(regions, url):
    regions.fault("ai-uksouth", kind="status", status=429, retryAfterS=0.3, calls=2)
    began = time.monotonic()
    with v1(url, max_retries=2) as client:
        reply = client.chat.completions.with_raw_response.create(model="chat", messages=MESSAGES)
    assert (reply.status_code, reply.retries_taken) == (200, 2)
    assert 0.6 <= time.monotonic() - began < 3


@pytest.mark.parametrize("kind", ["reset-before-headers", "region-down", "dns", "tls"])
def test_a_broken_connection_is_a_connection_error_and_is_tried_again(regions, url, kind):
    regions.fault("ai-uksouth", kind=kind, calls=2)
    with v1(url) as client, pytest.raises(openai.APIConnectionError):
        client.chat.completions.create(model="chat", messages=MESSAGES)
    with v1(url, max_retries=1) as client:
        assert client.chat.completions.create(model="chat", messages=MESSAGES).choices


@pytest.mark.parametrize("stream", [False, True])
def test_a_reset_in_the_body_is_seen_by_the_client_and_gives_the_reservation_back(regions, stream):
    [url] = regions.apply(make_account(capacity=2))
    regions.fault("ai-uksouth", kind="reset-in-body", calls=1)

    def ask(client):
        return list(
            client.chat.completions.create(model="chat", messages=MESSAGES, stream=stream, max_tokens=1900)
        )

    with v1(url) as client, pytest.raises(openai.APIConnectionError):
        ask(client)
    assert regions.gauges("ai-uksouth")["chat"][1].used < 100


def test_a_slow_region_runs_into_the_timeout_of_the_client(regions, url):
    regions.fault("ai-uksouth", kind="delay", delayS=5)
    with v1(url, timeout=0.2) as client, pytest.raises(openai.APITimeoutError):
        client.chat.completions.create(model="chat", messages=MESSAGES)


def test_a_faster_clock_refills_faster(start):
    regions = start(speed=600)
    [url] = regions.apply(make_account(capacity=1))
    with v1(url) as client:
        client.chat.completions.create(model="chat", messages=MESSAGES)
        time.sleep(0.2)
        assert client.chat.completions.create(model="chat", messages=MESSAGES).choices
