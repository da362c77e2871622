"""Whatever a caller sends ends in a proper answer, and the gateway goes on."""

import json
import logging
import socket

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

MEGABYTE = b"x" * (1024 * 1024)
CHAT = {"model": "chat-default", "messages": [{"role": "user", "content": "hi"}], "max_tokens": 2}


@pytest.fixture(scope="module")
def key(deployed):
    return deployed.key("web-chat")


@pytest.fixture(scope="module")
def caller():
    with httpx.Client(trust_env=False, timeout=20) as client:
        yield client


@pytest.fixture(scope="module")
def exchange(deployed):
    """Send bytes and return what comes back until the gateway closes the connection."""
    host, _, port = deployed.url.removeprefix("http://").partition(":")

    def send(*pieces):
        with socket.create_connection((host, int(port)), timeout=10) as connection:
            for piece in pieces:
                try:
                    connection.sendall(piece)
                except (BrokenPipeError, ConnectionResetError):
                    break
            got = b""
            try:
                while data := connection.recv(65536):
                    got += data
            except ConnectionResetError:
                pass
            return got

    return send


@pytest.fixture(autouse=True)
def still_serves(deployed, key, caplog):
    """After every test the gateway answers as ever, and nothing failed inside it."""
    yield
    with deployed.client(headers={"api-key": key}) as client:
        assert client.get("/openai/v1/models").status_code == 200
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


def refusal(got):
    """Return status and JSON body of an answer."""
    head, _, body = got.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)


def test_a_body_of_a_hundred_megabytes_is_refused_before_it_is_read(exchange):
    head = b"POST /openai/v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 104857600\r\n\r\n"
    assert refusal(exchange(head, *[MEGABYTE] * 100)) == (
        413,
        {"statusCode": 413, "message": "the body is too large"},
    )


def test_a_chunked_body_of_a_hundred_megabytes_is_refused_on_the_way(exchange):
    head = b"POST /openai/v1/chat/completions HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    got = exchange(head, *[b"100000\r\n" + MEGABYTE + b"\r\n"] * 100, b"0\r\n\r\n")
    assert refusal(got)[0] == 413


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"what is this\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n", 400),
        (b"GET http://127.0.0.1/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 400),
        (b"OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 400),
        (b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\nHost: x\r\nA: " + b"a" * 70_000 + b"\r\n\r\n", 431),
    ],
)
def test_a_malformed_request_is_refused(exchange, data, status):
    assert refusal(exchange(data))[0] == status


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:4690", 200),
        ("localhost", 200),
        ("apim.localhost:80", 200),
        ("[::1]:4690", 200),
        ("192.168.1.7", 200),
        ("rebound.example", 403),
        ("localhost.example", 403),
        ("127.0.0.1.example:4690", 403),
    ],
)
def test_a_name_that_a_website_may_have_made_is_not_served(deployed, key, host, status):
    with deployed.client(headers={"api-key": key, "host": host}) as client:
        reply = client.get("/openai/v1/models")
    assert reply.status_code == status
    if status == 403:
        why = "the gateway is reached by a name of loopback or an address"
        assert reply.json() == {"statusCode": 403, "message": why}


@pytest.mark.parametrize("number", ["9" * 5000, "²", "-1", "1x"])
def test_a_number_that_no_trace_has_is_not_found(deployed, number):
    answer = deployed.call(deployed.gateways._report(f"traces/{number}"))
    assert answer == (404, {"error": {"message": f"there is no traces/{number}"}})


@pytest.mark.parametrize(
    "body",
    [
        b'{"max_tokens":' + b"9" * 5000 + b"}",
        b'{"model":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b"[" * 100_000,
    ],
    ids=["digits", "depth", "unfinished"],
)
@pytest.mark.parametrize("path", ["/openai/v1/chat/completions", "/openai/v1/embeddings", "/openai/v1/responses"])
def test_a_body_that_cannot_be_read_names_no_model(deployed, key, path, body):
    with deployed.client(headers={"api-key": key, "content-type": "application/json"}, timeout=20) as client:
        assert client.post(path, content=body).status_code == 404


def test_connections_that_are_left_half_open_disturb_nobody(deployed, key):
    host, _, port = deployed.url.removeprefix("http://").partition(":")
    left = [socket.create_connection((host, int(port))) for _ in range(50)]
    for connection in left:
        connection.sendall(b"POST /openai/v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Le")
    with deployed.client(headers={"api-key": key}) as client:
        assert client.post("/openai/v1/chat/completions", json=CHAT).status_code == 200
    for connection in left:
        connection.close()


TOKENS = st.text(
    st.characters(min_codepoint=33, max_codepoint=126, exclude_characters=':"()<>@,;\\/[]?={}'), min_size=1
)
VALUES = st.text(st.characters(min_codepoint=32, max_codepoint=255, exclude_categories=["Cc"]), max_size=40)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=8,
)
BODIES = st.one_of(
    st.binary(max_size=200),
    JSON.map(lambda value: json.dumps(value).encode()),
    st.fixed_dictionaries(
        {"model": st.just("chat-default") | JSON, "messages": JSON},
        optional={"stream": JSON, "max_tokens": JSON, "input": JSON, "tools": JSON, "n": JSON},
    ).map(lambda value: json.dumps(value).encode()),
)
PATHS = st.sampled_from(
    [
        "/openai/v1/chat/completions",
        "/openai/v1/embeddings",
        "/openai/v1/responses",
        "/openai/v1/responses/{}",
        "/openai/v1/models",
        "/openai/deployments/{}/chat/completions?api-version={}",
        "/openai/deployments/chat-default/embeddings?{}",
        "/{}",
    ]
)
WORDS = st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="#"), max_size=30)
METHODS = st.sampled_from(["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE"])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.tuples(METHODS, PATHS, WORDS, st.lists(st.tuples(TOKENS, VALUES), max_size=4), BODIES))
def test_no_request_makes_the_gateway_fail(deployed, caller, key, drawn):
    method, path, word, headers, body = drawn
    sent = [(b"api-key", key.encode()), (b"x-sinbin-trace", b"1")]
    sent += [
        (name.encode(), value.strip().encode("latin-1"))
        for name, value in headers
        if name.lower() not in {"host", "content-length", "transfer-encoding", "connection", "upgrade", "expect"}
    ]
    reply = caller.request(method, deployed.url + path.replace("{}", word), headers=sent, content=body)
    assert reply.status_code != 500, reply.text
