"""Many streams at once from one region, over the wire."""

import asyncio
import json

from sinbin.local.http.client import HttpClient, Origin
from tests.local.foundry.running import KEY, make_account

STREAMS = 200


def test_two_hundred_streams_at_once_lose_nothing_and_keep_their_order(regions):
    [url] = regions.apply(make_account(reply_tokens=30))
    origin = Origin(secure=False, host="127.0.0.1", port=int(url.rpartition(":")[2]))
    body = json.dumps(
        {"model": "chat", "messages": [{"role": "user", "content": "hello"}], "stream": True}
    ).encode()
    headers = [(b"host", b"x"), (b"api-key", KEY.encode()), (b"content-type", b"application/json")]

    async def one(client):
        response = await client.send(origin, "POST", "/openai/v1/chat/completions", headers, body)
        lines = (await response.read()).decode().split("\n\n")
        assert (response.status, lines[-2:]) == (200, ["data: [DONE]", ""])
        chunks = [json.loads(line.removeprefix("data: ")) for line in lines[1:-2]]
        assert len({chunk["id"] for chunk in chunks}) == 1
        pieces = [chunk["choices"][0]["delta"].get("content", "") for chunk in chunks]
        return len([piece for piece in pieces if piece]), "".join(pieces)

    async def all_of_them():
        client = HttpClient()
        try:
            return await asyncio.gather(*(one(client) for _ in range(STREAMS)))
        finally:
            client.close()

    answers = asyncio.run(all_of_them())
    assert [count for count, _ in answers] == [30] * STREAMS
    assert all(text.startswith("Hello from UK South: ") for _, text in answers)
    assert len({text for _, text in answers}) == STREAMS
