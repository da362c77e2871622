"""The HTTP client: reuse of connections, bodies whole and in pieces, and the names of what goes wrong."""

import asyncio
import socket
import time

import pytest

from sinbin.local.http.client import HttpClient, Origin, TransportFailure
from sinbin.local.http.messages import Limits
from sinbin.local.http.response import BodyTooLargeError
from sinbin.local.http.server import HttpServer

HOST = [(b"host", b"x")]


def listener():
    bound = socket.socket()
    bound.bind(("127.0.0.1", 0))
    return bound


def with_server(handler, work, **client_options):
    """Return what `work(client, origin)` returns beside a server with `handler`."""

    async def run():
        server = HttpServer(handler, Limits())
        bound = listener()
        await server.start(bound)
        client = HttpClient(**client_options)
        try:
            return await work(client, Origin(secure=False, host="127.0.0.1", port=bound.getsockname()[1]))
        finally:
            client.close()
            await server.stop(0.1)

    return asyncio.run(run())


def with_bytes(answer, work):
    """Return what `work` returns beside a server that says `answer` to whatever comes, and closes."""

    async def talk(reader, writer):
        await reader.read(10_000)
        writer.write(answer)
        writer.close()

    async def run():
        bound = listener()
        server = await asyncio.start_server(talk, sock=bound)
        client = HttpClient()
        try:
            return await work(client, Origin(secure=False, host="127.0.0.1", port=bound.getsockname()[1]))
        finally:
            client.close()
            server.close()

    return asyncio.run(run())


async def get(client, origin, path="/", method="GET", body=b"", **options):
    response = await client.send(origin, method, path, HOST, body, **options)
    return response.status, dict(response.headers), await response.read()


def failure(work):
    with pytest.raises(TransportFailure) as caught:
        work()
    return caught.value.kind, str(caught.value)


def test_a_request_carries_its_body_and_the_response_comes_back():
    async def handler(exchange):
        request = exchange.request
        exchange.respond(
            201, [(b"X-Name", b"value")], f"{request.method} {request.target} {request.body!r}".encode()
        )

    status, headers, body = with_server(handler, lambda c, o: get(c, o, "/a?b=c", "POST", b"hello"))
    assert (status, headers[b"x-name"], body) == (201, b"value", b"POST /a?b=c b'hello'")


def test_a_connection_is_used_again_and_many_are_opened_at_once():
    seen = set()

    async def handler(exchange):
        seen.add(id(exchange._connection))
        await asyncio.sleep(0.02)
        exchange.respond(200, [], b"")

    async def work(client, origin):
        for _ in range(3):
            await get(client, origin)
        one = len(seen)
        await asyncio.gather(*(get(client, origin) for _ in range(5)))
        return one, len(seen)

    assert with_server(handler, work) == (1, 5)


def test_a_streamed_body_comes_in_its_pieces():
    async def handler(exchange):
        exchange.start(200, [])
        for piece in (b"one", b"two"):
            await exchange.write(piece)
            await asyncio.sleep(0.05)
        await exchange.end()

    async def work(client, origin):
        response = await client.send(origin, "GET", "/", HOST, b"")
        return [chunk async for chunk in response.chunks()]

    assert with_server(handler, work) == [b"one", b"two"]


def test_a_slow_reader_holds_the_server_back_and_loses_nothing():
    written = []

    async def handler(exchange):
        exchange.start(200, [])
        for _ in range(300):
            await exchange.write(b"x" * 100_000)
            written.append(1)
        await exchange.end()

    async def work(client, origin):
        response = await client.send(origin, "GET", "/", HOST, b"")
        await asyncio.sleep(0.2)
        early = len(written)
        return early, sum([len(chunk) async for chunk in response.chunks()])

    early, total = with_server(handler, work)
    assert early < 200
    assert total == 30_000_000


def test_a_head_response_has_no_body():
    async def handler(exchange):
        exchange.respond(200, [], b"12345")

    status, headers, body = with_server(handler, lambda c, o: get(c, o, method="HEAD"))
    assert (status, headers[b"content-length"], body) == (200, b"5", b"")


def test_a_body_without_length_ends_with_the_connection():
    assert with_bytes(b"HTTP/1.1 200 OK\r\n\r\nall of it", get)[2] == b"all of it"


def test_an_interim_response_is_passed_over():
    answer = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    assert with_bytes(answer, get) == (200, {b"content-length": b"2"}, b"ok")


def test_a_body_that_breaks_off_is_an_error_after_what_came():
    async def work(client, origin):
        response = await client.send(origin, "GET", "/", HOST, b"")
        chunks = response.chunks()
        first = await anext(chunks)
        with pytest.raises(ConnectionResetError, match="the server has broken the connection"):
            await anext(chunks)
        return response.status, first

    assert with_bytes(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", work) == (200, b"half")


def test_what_goes_wrong_has_a_name():
    free = listener()
    port = free.getsockname()[1]
    free.close()
    refused = Origin(secure=False, host="127.0.0.1", port=port)
    unknown = Origin(secure=False, host="nowhere.invalid", port=80)
    assert failure(lambda: asyncio.run(get(HttpClient(), refused))) == (
        "refused",
        f"refused: nobody listens on 127.0.0.1:{port}",
    )
    assert failure(lambda: asyncio.run(get(HttpClient(), unknown))) == ("dns", "dns: nowhere.invalid is not found")


def test_a_server_without_tls_is_a_tls_failure():
    async def work(client, origin):
        return await get(client, Origin(secure=True, host=origin.host, port=origin.port))

    assert failure(lambda: with_bytes(b"HTTP/1.1 200 OK\r\n\r\n", work))[0] == "tls"


def test_a_connection_that_breaks_before_the_head_is_a_reset():
    async def handler(exchange):
        exchange.reset()

    assert failure(lambda: with_server(handler, get)) == (
        "reset",
        "reset: the server has broken the connection",
    )


def test_an_answer_that_is_no_http_is_a_reset():
    assert failure(lambda: with_bytes(b"SSH-2.0-OpenSSH\r\n", get)) == (
        "reset",
        "reset: the server's answer is no valid HTTP/1.1",
    )


def test_an_answer_that_takes_too_long_is_a_timeout():
    async def handler(exchange):
        await asyncio.sleep(5)
        exchange.respond(200, [], b"")

    began = time.monotonic()
    assert failure(lambda: with_server(handler, lambda c, o: get(c, o, timeout_s=0.1))) == (
        "timeout",
        "timeout: no answer within 0.1 s",
    )
    assert time.monotonic() - began < 2


def test_a_request_that_is_given_up_closes_its_connection():
    begun, ended = asyncio.Event(), asyncio.Event()

    async def handler(exchange):
        begun.set()
        try:
            await asyncio.sleep(30)
        finally:
            ended.set()

    async def work(client, origin):
        asking = asyncio.create_task(get(client, origin))
        await begun.wait()
        asking.cancel()
        await asyncio.wait_for(ended.wait(), 5)
        return asking.cancelled()

    assert with_server(handler, work)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (b"HTTP/1.1 000 X\r\ncontent-length: 0\r\n\r\n", "000 is no status of HTTP"),
        (b"HTTP/1.1 099 X\r\ncontent-length: 0\r\n\r\n", "099 is no status of HTTP"),
        (b"HTTP/1.1 200 OK\r\n" + b"x-a: 1\r\n" * 20_000, "the headers of the server's answer are too large"),
    ],
)
def test_an_answer_that_no_caller_could_use_is_a_reset(answer, why):
    assert failure(lambda: with_bytes(answer, get)) == ("reset", f"reset: {why}")


def test_a_body_is_read_up_to_what_its_reader_takes():
    async def handler(exchange):
        exchange.start(200, [])
        while True:
            await exchange.write(b"x" * 1000)

    async def work(client, origin):
        response = await client.send(origin, "GET", "/", HOST, b"")
        with pytest.raises(BodyTooLargeError) as caught:
            await response.read(5000)
        return str(caught.value)

    assert with_server(handler, work) == "the body has more than 5000 bytes"
