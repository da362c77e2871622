"""Many streams at once through the gateway, over the wire."""

import asyncio
import json
import random

import pytest

from sinbin.local.http.client import HttpClient, Origin

STREAMS, CHUNKS = 200, 30
POLICY = """<policies><inbound>{inbound}</inbound>
<backend><forward-request buffer-request-body="true" buffer-response="false" /></backend><outbound /><on-error /></policies>"""
TOKENS = (
    '<llm-token-limit counter-key="all" tokens-per-minute="100000000" estimate-prompt-tokens="true" '
    'remaining-tokens-header-name="x-left" />'
)


def pieces(name):
    """Return the events of one stream: each says whose it is and which one."""
    for number in range(CHUNKS):
        delta = {"content": f"{name}/{number} "}
        yield f"data: {json.dumps({'id': name, 'choices': [{'delta': delta}]})}\n\n"
    yield "data: [DONE]\n\n"


async def stream_of_its_own(exchange):
    """Answer with a stream that the request names, in events that are cut anywhere and come at odd times."""
    name = json.loads(exchange.request.body)["user"]
    rng = random.Random(name)
    exchange.start(200, [(b"content-type", b"text/event-stream")])
    text = "".join(pieces(name)).encode()
    while text:
        cut = rng.randint(1, 200)
        await exchange.write(text[:cut])
        text = text[cut:]
        await asyncio.sleep(rng.random() * 0.02)
    await exchange.end()


@pytest.mark.parametrize("inbound", ["", TOKENS], ids=["passed on", "counted on the way"])
def test_two_hundred_streams_at_once_lose_nothing_and_keep_their_order(azure, stub, inbound):
    azure.make_api("s", POLICY.format(inbound=inbound), serviceUrl=stub(stream_of_its_own).url)
    azure.settle()
    origin = Origin(secure=False, host="127.0.0.1", port=int(azure.url.rpartition(":")[2]))
    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]

    async def one(client, name):
        body = {"model": "m", "user": name, "stream": True, "messages": [{"role": "user", "content": "hello"}]}
        target = "/s/deployments/m/chat/completions"
        reply = await client.send(origin, "POST", target, headers, json.dumps(body).encode())
        return reply.status, (await reply.read()).decode()

    async def all_of_them():
        client = HttpClient()
        try:
            return await asyncio.gather(*(one(client, f"stream-{number}") for number in range(STREAMS)))
        finally:
            client.close()

    answers = asyncio.run(all_of_them())
    azure.delete("/apis/s")
    azure.settle()
    assert answers == [(200, "".join(pieces(f"stream-{number}"))) for number in range(STREAMS)]
