"""What a client from PyPI does in a case of the suite; one text for the synchronous and the asynchronous one."""

import asyncio
import inspect

import httpx
import openai

MESSAGES = [{"role": "user", "content": "Why is the sky blue?"}]


async def _got(value):
    return await value if inspect.isawaitable(value) else value


async def _items(stream):
    """Return what comes out of a stream of either client."""
    stream = await _got(stream)
    return [item async for item in stream] if hasattr(stream, "__aiter__") else list(stream)


async def chat(client, arguments):
    reply = await _got(client.chat.completions.create(messages=MESSAGES, **arguments))
    [choice] = reply.choices
    return {
        "model": reply.model,
        "text": choice.message.content,
        "finish": choice.finish_reason,
        "completion_tokens": reply.usage.completion_tokens,
    }


async def chat_stream(client, arguments):
    chunks = await _items(client.chat.completions.create(messages=MESSAGES, stream=True, **arguments))
    choices = [chunk.choices[0] for chunk in chunks if chunk.choices]
    pieces = [choice.delta.content for choice in choices if choice.delta.content]
    return {
        "pieces": len(pieces),
        "text": "".join(pieces),
        "ids": len({chunk.id for chunk in chunks if chunk.choices}),
        "finish": choices[-1].finish_reason,
        "completion_tokens": chunks[-1].usage.completion_tokens,
    }


async def chat_stream_left(client, arguments):
    stream = await _got(client.chat.completions.create(messages=MESSAGES, stream=True, **arguments))
    seen = 0
    if hasattr(stream, "__aiter__"):
        async for _ in stream:
            seen += 1
            if seen == 3:
                break
    else:
        for _ in stream:
            seen += 1
            if seen == 3:
                break
    await _got(stream.close())
    return {"seen": seen, "then": (await chat(client, arguments))["completion_tokens"]}


async def chat_many(client, arguments):
    def ask():
        return client.chat.completions.create(messages=MESSAGES, **arguments)

    if isinstance(client, openai.AsyncOpenAI):
        replies = await asyncio.gather(*(ask() for _ in range(20)))
    else:
        replies = await asyncio.gather(*(asyncio.to_thread(ask) for _ in range(20)))
    return {
        "answers": len(replies),
        "completion_tokens": sorted({reply.usage.completion_tokens for reply in replies}),
        "ids": len({reply.id for reply in replies}),
    }


async def embeddings(client, arguments):
    unasked = await _got(client.embeddings.create(**arguments))
    floats = await _got(client.embeddings.create(**arguments, encoding_format="float"))
    pairs = zip(unasked.data, floats.data, strict=True)
    return {
        "lengths": [len(item.embedding) for item in unasked.data],
        "same_as_floats": all(
            abs(one - other) < 1e-6 for a, b in pairs for one, other in zip(a.embedding, b.embedding, strict=True)
        ),
    }


async def response(client, arguments):
    made = await _got(client.responses.create(**arguments))
    return {"text": made.output_text, "output_tokens": made.usage.output_tokens}


async def response_life(client, arguments):
    made = await _got(client.responses.create(**arguments))
    read = await _got(client.responses.retrieve(made.id))
    items = await _items(client.responses.input_items.list(made.id))
    await _got(client.responses.delete(made.id))
    gone = None
    try:
        await _got(client.responses.retrieve(made.id))
    except openai.APIStatusError as error:
        gone = type(error).__name__
    same = read.output_text == made.output_text
    return {"text": made.output_text, "same_when_read": same, "roles": [item.role for item in items], "gone": gone}


async def response_chain(client, arguments):
    first = await _got(client.responses.create(**arguments))
    second = await _got(client.responses.create(**arguments, previous_response_id=first.id))
    return {"longer": second.usage.input_tokens > first.usage.total_tokens}


async def response_stream(client, arguments):
    events = await _items(client.responses.create(stream=True, **arguments))
    numbers = [event.sequence_number for event in events]
    return {
        "first": events[0].type,
        "last": events[-1].type,
        "counts_up": numbers == list(range(numbers[0], numbers[0] + len(numbers))),
        "output_tokens": events[-1].response.usage.output_tokens,
        "text": "".join(event.delta for event in events if event.type == "response.output_text.delta"),
    }


async def models(client, arguments):
    return {"ids": sorted(model.id for model in await _items(client.models.list(**arguments)))}


_DOES = (
    *(chat, chat_stream, chat_stream_left, chat_many, embeddings),
    *(response, response_life, response_chain, response_stream, models),
)
DOES = {function.__name__: function for function in _DOES}


def run(order, *, asynchronous):
    """Carry out an order (`url`, `key`, `base`, `do`, `with`, `retries`) and return what came of it."""
    return asyncio.run(_run(order, asynchronous))


async def _run(order, asynchronous):
    attempts = 0

    def count(_):
        nonlocal attempts
        attempts += 1

    async def count_async(request):
        count(request)

    hooks = {"request": [count_async if asynchronous else count]}
    http = (httpx.AsyncClient if asynchronous else httpx.Client)(trust_env=False, event_hooks=hooks)
    url, key, base = order["url"], order["key"], order["base"]
    common = {"max_retries": order["retries"], "http_client": http, "api_key": key}
    prefix = "Async" if asynchronous else ""
    if base == "dated":
        made = getattr(openai, f"{prefix}AzureOpenAI")(
            azure_endpoint=url, api_version="2025-04-01-preview", **common
        )
    else:
        if base == "v1-header":
            common |= {"api_key": "unused", "default_headers": {"api-key": key}}
        made = getattr(openai, f"{prefix}OpenAI")(base_url=f"{url}/openai/v1", **common)
    try:
        found = await DOES[order["do"]](made, order["with"])
    except openai.APIStatusError as error:
        found = {"error": type(error).__name__, "status": error.status_code, "code": error.code}
    finally:
        await _got(made.close())
    return {**found, "attempts": attempts}
