"""What a consumer with `routingHeaders` is told of the calls that were made, beside what really was called."""

from dataclasses import replace

import pytest

from sinbin.foundry.faults import parse_fault
from tests.local.gateway.conftest import LOCAL

UK, SWEDEN, EUROPE = (f"gpt-4-1-mini-standard-{region}" for region in ("uksouth", "swedencentral", "westeurope"))
CHAT = {"model": "chat-default", "messages": [{"role": "user", "content": "hello"}], "max_tokens": 4}


@pytest.fixture(params=["same retries", "no retries"])
def azure(start, request):
    """The stack `local`: `told` sees the routing and may call thrice a minute, `web-chat` is as ever."""
    [web, *others] = LOCAL.consumers
    told = replace(
        web, name="told", routing_headers=True, tokens_per_minute=None, requests_per_minute=6 - 2 * len(others)
    )
    routes = LOCAL.routes
    if request.param == "no retries":
        routes = tuple(replace(route, retry=None) for route in routes)
    azure = start(speed=60)
    azure.deploy(replace(LOCAL, consumers=(web, *others, told), routes=routes))
    azure.retries = request.param == "same retries"
    return azure


def ask(azure, consumer="told"):
    """Return the status, what the caller is told, and what the trace says."""
    headers = {"api-key": azure.key(consumer), "x-sinbin-trace": "1"}
    with azure.client(headers=headers) as client:
        reply = client.post("/openai/v1/chat/completions", json=CHAT)
    return reply.status_code, reply.headers.get("x-gateway-tried"), reply.headers["x-sinbin-tried"]


def break_regions(azure, **fault):
    async def begin():
        for region in azure.regions.servers.regions.values():
            region.faults.begin(azure.clock.now(), parse_fault(fault))

    azure.call(begin())


def test_an_answer_names_the_backend_that_gave_it(azure):
    status, told, truth = ask(azure)
    assert (status, told) == (200, truth)
    assert told in {f"{name}=200" for name in (UK, SWEDEN, EUROPE)}


def test_refusals_are_named_in_order_until_no_region_is_left(azure):
    break_regions(azure, kind="status", status=429, retryAfterS=60)
    status, told, truth = ask(azure)
    assert (status, told) == (429, truth)
    assert len(told.split()) == (3 if azure.retries else 1)
    assert {call.partition("=")[2] for call in told.split()} == {"429"}
    for _ in range(0 if azure.retries else 2):
        ask(azure)
    status, told, truth = ask(azure)
    assert (status, told, truth) == (503, "", "")


def test_a_broken_connection_counts_as_a_call_without_a_status(azure):
    break_regions(azure, kind="reset-before-headers")
    status, told, truth = ask(azure)
    assert status == 503
    assert [call.partition("=")[0] for call in told.split()] == [call.partition("=")[0] for call in truth.split()]
    assert {call.partition("=")[2] for call in told.split()} == {"0"}


def test_a_limit_of_the_gateway_names_no_call(azure):
    assert [ask(azure)[0] for _ in range(4)] == [200] * 4
    assert ask(azure) == (429, "", "")


def test_other_consumers_are_told_nothing(azure):
    assert ask(azure, "web-chat")[:2][1] is None
    break_regions(azure, kind="status", status=429, retryAfterS=60)
    answers = [ask(azure, "web-chat")[:2] for _ in range(4)]
    # The 503 of the policies sets every header that it may have: this one is empty.
    assert {told for status, told in answers if status == 503} <= {""}
    assert {told for status, told in answers if status != 503} <= {None}
    assert 503 in [status for status, _ in answers]
