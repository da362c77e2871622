"""The HTTP server: whole and streamed answers, one after the other, and what it refuses."""

import asyncio
import socket
import time

import pytest

from sinbin.local.http.messages import Limits
from sinbin.local.http.server import HttpServer

LIMITS = Limits(head_bytes=2000, body_bytes=1000, head_s=0.2, body_s=0.2, idle_s=0.3, connections=5)
REFUSAL = b'{"error":{"code":"%d","message":"%s"}}'


async def echo(exchange):
    request = exchange.request
    body = f"{request.method} {request.target} {len(request.body)}".encode()
    if request.path == "/stream":
        exchange.start(200, [(b"content-type", b"text/plain")])
        for piece in (b"one ", b"two ", b"three"):
            await exchange.write(piece)
        await exchange.end()
    elif request.path == "/fails":
        raise RuntimeError("broken")
    elif request.path == "/slow":
        await asyncio.sleep(0.5)
        exchange.respond(200, [], b"slow")
    elif request.path == "/reset":
        exchange.reset()
    elif request.path == "/injects":
        exchange.respond(200, [(b"x-name", b"a\r\nx-other: b")], b"")
    else:
        exchange.respond(200, [(b"content-type", b"text/plain")], body)


def listener():
    bound = socket.socket()
    bound.bind(("127.0.0.1", 0))
    return bound


def talk(*pieces, handler=echo, limits=LIMITS, pause=0.0, wait=2.0):
    """Return all that the server says to `pieces`, sent one after the other, until it closes."""

    async def run():
        server = HttpServer(handler, limits)
        bound = listener()
        await server.start(bound)
        reader, writer = await asyncio.open_connection(*bound.getsockname())
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(pause)
        try:
            return await asyncio.wait_for(reader.read(), wait)
        finally:
            writer.close()
            await server.stop(0.1)

    return asyncio.run(run())


def parts(answer):
    """Return status, headers without the date, and body of one answer."""
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    assert headers.pop("date").endswith(" GMT")
    return first, headers, body


def refused(answer):
    first, headers, body = parts(answer)
    assert headers == {
        "content-type": "application/json",
        "content-length": str(len(body)),
        "connection": "close",
    }
    return first, body


GET = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


def test_an_answer_has_its_length():
    assert parts(talk(GET)) == (
        "HTTP/1.1 200 OK",
        {"content-type": "text/plain", "content-length": "7", "connection": "close"},
        b"GET / 0",
    )


@pytest.mark.parametrize(
    ("reason", "line"),
    [("Sat out", "HTTP/1.1 200 Sat out"), ("", "HTTP/1.1 200 "), ("a\r\nb: c", "HTTP/1.1 200 a  b: c")],
)
def test_an_answer_says_its_own_reason_in_one_line(reason, line):
    async def reasoned(exchange):
        exchange.respond(200, [], b"", reason=reason)

    assert parts(talk(GET, handler=reasoned)) == (line, {"content-length": "0", "connection": "close"}, b"")


def test_a_streamed_answer_is_chunked():
    first, headers, body = parts(talk(GET.replace(b"/ ", b"/stream ")))
    assert (first, headers["transfer-encoding"]) == ("HTTP/1.1 200 OK", "chunked")
    assert body == b"4\r\none \r\n4\r\ntwo \r\n5\r\nthree\r\n0\r\n\r\n"


def test_a_streamed_answer_to_an_older_caller_ends_with_the_connection():
    _, headers, body = parts(talk(b"GET /stream HTTP/1.0\r\n\r\n"))
    assert "transfer-encoding" not in headers
    assert body == b"one two three"


def test_requests_on_one_connection_are_answered_in_order():
    post = b"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"
    answer = talk(post + post.replace(b"/a", b"/b") + GET)
    assert [answer.find(text) for text in (b"POST /a 3", b"POST /b 3", b"GET / 0")] == sorted(
        answer.find(text) for text in (b"POST /a 3", b"POST /b 3", b"GET / 0")
    )
    assert answer.count(b"HTTP/1.1 200 OK") == 3


def test_more_requests_than_are_read_ahead_are_all_answered():
    post = b"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"
    assert talk(post * 100 + GET).count(b"HTTP/1.1 200 OK") == 101


def test_a_chunked_body_is_put_together():
    body = b"5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n"
    head = b"POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    assert parts(talk(head, body[:7], body[7:], pause=0.02))[2] == b"POST /c 6"


def test_a_caller_that_asks_before_it_sends_is_told_to_go_on():
    head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n"
    answer = talk(head, b"ab", pause=0.05)
    assert answer.startswith(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n")


def test_a_head_request_gets_no_body():
    _, headers, body = parts(talk(GET.replace(b"GET", b"HEAD")))
    assert (headers["content-length"], body) == ("8", b"")


@pytest.mark.parametrize(
    "request_",
    [
        b"nonsense\r\n\r\n",
        b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999999\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc",
        b"GET / HTTP/1.1\r\nHost: x\r\nBad Name: y\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ],
    ids=["words", "version", "negative", "huge", "both lengths", "name", "tls", "chunk"],
)
def test_what_is_no_http_is_refused(request_):
    assert refused(talk(request_)) == (
        "HTTP/1.1 400 Bad Request",
        REFUSAL % (400, b"the request is no valid HTTP/1.1"),
    )


def test_a_request_without_host_is_refused():
    assert refused(talk(b"GET / HTTP/1.1\r\n\r\n"))[1] == REFUSAL % (400, b"the request has no Host header")


@pytest.mark.parametrize("version", [b"1.0", b"1.1"])
def test_a_request_with_two_hosts_is_refused(version):
    got = talk(b"GET / HTTP/" + version + b"\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n")
    assert refused(got)[1] == REFUSAL % (400, b"the request has more than one Host header")


@pytest.mark.parametrize(
    "request_",
    [
        b"GET /" + b"x" * 3000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nA: " + b"x" * 3000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n" + b"A: bcdefghij\r\n" * 300 + b"\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nA: " + b"x" * 3000,
    ],
    ids=["target", "value", "many", "endless"],
)
def test_headers_that_are_too_large_are_refused(request_):
    assert refused(talk(request_)) == (
        "HTTP/1.1 431 Request Header Fields Too Large",
        REFUSAL % (431, b"the request line and headers are too large"),
    )


@pytest.mark.parametrize(
    "head", [b"Content-Length: 5000000\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n4c4b40\r\n"]
)
def test_a_caller_reads_why_its_body_is_too_large_while_it_is_still_sending(head):
    answer = talk(b"POST / HTTP/1.1\r\nHost: x\r\n" + head, *[b"x" * 500_000] * 10)
    assert refused(answer)[1] == REFUSAL % (413, b"the body is too large")


@pytest.mark.parametrize(
    "begun", [b"GET / HT", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc"], ids=["head", "body"]
)
def test_a_request_that_does_not_arrive_is_refused(begun):
    assert refused(talk(begun))[1] == REFUSAL % (408, b"the request took too long to arrive")


def test_a_connection_that_is_not_used_is_closed():
    began = time.monotonic()
    assert talk(b"") == b""
    assert time.monotonic() - began < 1.9


def test_a_request_that_is_being_answered_has_all_the_time_it_needs():
    assert parts(talk(GET.replace(b"/ ", b"/slow ")))[2] == b"slow"


def test_a_handler_that_fails_is_a_500_and_a_line_in_the_log(caplog):
    answer = talk(GET.replace(b"/ ", b"/fails "))
    first, _, body = parts(answer)
    assert (first, body) == (
        "HTTP/1.1 500 Internal Server Error",
        REFUSAL % (500, b"the local server failed; its log says more"),
    )
    assert "GET /fails failed" in caplog.text


def test_a_header_that_would_make_another_is_not_sent(caplog):
    first, headers, _ = parts(talk(GET.replace(b"/ ", b"/injects ")))
    assert (first, "x-other" in headers) == ("HTTP/1.1 500 Internal Server Error", False)
    assert "a header holds a line break" in caplog.text


def test_a_reset_is_seen_as_a_reset():
    with pytest.raises(ConnectionResetError):
        talk(GET.replace(b"/ ", b"/reset "))


def test_a_handler_ends_when_its_caller_goes():
    async def run():
        begun, ended = asyncio.Event(), asyncio.Event()

        async def handler(exchange):
            begun.set()
            try:
                await asyncio.sleep(30)
            finally:
                ended.set()

        server = HttpServer(handler, LIMITS)
        bound = listener()
        await server.start(bound)
        _, writer = await asyncio.open_connection(*bound.getsockname())
        writer.write(GET)
        await begun.wait()
        writer.transport.abort()
        await asyncio.wait_for(ended.wait(), 5)
        await server.stop(0.1)
        return ended.is_set()

    assert asyncio.run(run())


def test_a_caller_that_reads_slowly_holds_the_handler_back():
    written = []

    async def handler(exchange):
        exchange.start(200, [])
        for _ in range(400):
            await exchange.write(b"x" * 100_000)
            written.append(1)
        await exchange.end()

    async def run():
        server = HttpServer(handler, Limits())
        bound = listener()
        await server.start(bound)
        reader, writer = await asyncio.open_connection(*bound.getsockname(), limit=1000)
        writer.write(GET)
        await asyncio.sleep(0.2)
        early = len(written)
        total = 0
        while data := await reader.read(1_000_000):
            total += len(data)
        writer.close()
        await server.stop(0.1)
        return early, total

    early, total = asyncio.run(run())
    assert early < 200
    assert (len(written), total > 40_000_000) == (400, True)


def test_one_connection_too_many_is_refused():
    async def run():
        server = HttpServer(echo, LIMITS)
        bound = listener()
        await server.start(bound)
        pairs = [await asyncio.open_connection(*bound.getsockname()) for _ in range(6)]
        answer = await asyncio.wait_for(pairs[-1][0].read(), 2)
        for _, writer in pairs:
            writer.close()
        await server.stop(0.1)
        return answer

    assert refused(asyncio.run(run())) == (
        "HTTP/1.1 503 Service Unavailable",
        REFUSAL % (503, b"too many connections"),
    )


UPGRADE = b"GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: %s\r\n\r\n"


def test_an_offer_of_http_2_is_answered_in_http_1():
    post = b"POST /a HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\n"
    answer = talk(post + b"Content-Length: 3\r\n\r\nabc" + GET)
    assert [answer.count(text) for text in (b"HTTP/1.1 200 OK", b"POST /a 3", b"GET / 0")] == [2, 1, 1]


def test_a_handler_may_take_a_connection_over_with_what_was_sent_already():
    async def handler(exchange):
        reader, writer = exchange.take_over()
        writer.write(b"HTTP/1.1 101 Switching Protocols\r\n\r\n")
        while data := await reader.read(100):
            writer.write(data.upper())
            if data.endswith(b"."):
                break
        writer.close()

    answer = talk(UPGRADE % b"websocket" + b"first ", b"second.", handler=handler, pause=0.05)
    assert answer == b"HTTP/1.1 101 Switching Protocols\r\n\r\nFIRST SECOND."


def test_a_request_for_another_protocol_may_be_answered_as_any_other():
    answer = talk(UPGRADE % b"websocket" + GET)
    assert [answer.count(text) for text in (b"HTTP/1.1 200 OK", b"GET /ws 0", b"GET / 0")] == [2, 1, 1]
