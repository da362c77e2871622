"""What holds whatever the backends do."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sinbin.gateway.configuration import Api, Backend, GatewayConfiguration, PolicySource, Pool
from sinbin.gateway.effects import Forward
from sinbin.gateway.gateway import Gateway
from sinbin.gateway.messages import Headers, HttpRequest, HttpResponse
from sinbin.gateway.policies.retrying import retry_pause
from sinbin.gateway.testing.driver import Driver, ScriptedReply
from sinbin.gateway.trace import Trace
from sinbin.topology import CircuitBreaker, PoolMember, StatusRange

RULE = CircuitBreaker(
    failure_count=2,
    interval_s=60.0,
    trip_duration_s=30.0,
    status_ranges=(StatusRange(low=429, high=429),),
    error_reasons=("Timeout",),
    accept_retry_after=True,
)
REPLIES = st.sampled_from(
    [
        ScriptedReply(),
        ScriptedReply(429),
        ScriptedReply(429, (("Retry-After", "5"),)),
        ScriptedReply(500, latency_s=1.0),
        ScriptedReply(error="timeout", latency_s=2.0),
        ScriptedReply(error="reset"),
    ]
)


def gateway(inbound="", count=3, backend='<forward-request buffer-request-body="true" />'):
    text = f"""<policies><inbound>{inbound}<set-backend-service backend-id="chat" /></inbound><backend>
    <retry condition="true" count="{count}" interval="1" delta="1" max-interval="4">{backend}</retry></backend></policies>"""
    members = tuple(
        PoolMember(backend=name, priority=1, weight=weight) for name, weight in (("a", 5), ("b", 3), ("c", 2))
    )
    return Gateway(
        GatewayConfiguration(
            backends=tuple(Backend(name=name, url=f"http://{name}.test", circuit_breaker=RULE) for name in "abc"),
            pools=(Pool(name="chat", members=members),),
            apis=(Api(name="api", path="", policy=PolicySource(text=text, name="api.xml")),),
        ),
        instances=2,
    )


def play(scripts, seed, count):
    run, log = Driver(gateway(count=count), seed=seed), []
    for number, script in enumerate(scripts):
        trace = Trace()
        ran = run.run(
            HttpRequest("POST", "/x", Headers(), b"{}"),
            dict(zip("abc", script, strict=True)),
            instance=number % 2,
            trace=trace,
        )
        log.append((ran.response.status, ran.backends, ran.waited_s, str(trace)))
    return log


SCRIPTS = st.lists(st.tuples(*[st.lists(REPLIES, min_size=1, max_size=3)] * 3), min_size=1, max_size=6)


@settings(max_examples=50)
@given(SCRIPTS, st.integers(0, 2**16), st.integers(1, 5))
def test_retries_never_exceed_count_and_equal_seeds_give_equal_traces(scripts, seed, count):
    log = play(scripts, seed, count)
    assert all(len(backends) <= count + 1 for _, backends, _, _ in log)
    assert play(scripts, seed, count) == log


@settings(max_examples=50)
@given(
    st.lists(st.tuples(st.floats(0, 20), st.integers(0, 200), st.booleans()), max_size=40),
    st.sampled_from(["Standard", "StandardV2"]),
)
def test_estimated_tokens_admitted_never_exceed_the_limit_over_any_minute(calls, tier):
    text = '<policies><inbound><llm-token-limit counter-key="k" tokens-per-minute="100" estimate-prompt-tokens="true" /></inbound><backend><forward-request /></backend></policies>'
    run = Driver(
        Gateway(
            GatewayConfiguration(
                tier=tier,
                apis=(
                    Api(
                        name="a",
                        path="",
                        service_url="http://a.test",
                        policy=PolicySource(text=text, name="a.xml"),
                    ),
                ),
            )
        )
    )
    admitted = []
    for pause, characters, works in calls:
        run.now += pause
        tokens = -(-characters // 4)
        body = b'{"messages":[{"content":"%s"}]}' % (b"x" * characters)
        usage = b'{"usage":{"prompt_tokens":%d,"completion_tokens":0}}' % tokens
        reply = ScriptedReply(200, (), usage) if works else ScriptedReply(500)
        ran = run.run(HttpRequest("POST", "/x", Headers(), body), {"http://a.test": [reply]})
        if ran.calls and works:
            admitted.append((run.now, tokens))
    refill = 100 / 60 if tier == "StandardV2" else 0.0
    for start, _ in admitted:
        assert sum(tokens for at, tokens in admitted if start <= at < start + 60.0) <= 100 + refill * 60.0 + 1e-6


@pytest.mark.parametrize(
    ("interval", "delta", "cap", "pauses"),
    [
        (2.0, None, None, [2, 2, 2, 2, 2]),
        (2.0, 3.0, None, [2, 5, 8, 11, 14]),
        (10.0, None, 4.0, [4, 4, 4, 4, 4]),
    ],
)
def test_fixed_and_linear_pauses(interval, delta, cap, pauses):
    rng = random.Random(1)
    assert [retry_pause(number, interval, delta, cap, rng) for number in range(1, 6)] == pauses


def test_the_exponential_pauses_are_those_of_the_reference_pages_example():
    rng = random.Random(1)
    pauses = [[retry_pause(number, 10.0, 10.0, 100.0, rng) for number in range(1, 6)] for _ in range(2000)]
    means = [sum(column) / 2000 for column in zip(*pauses, strict=True)]
    assert means[0] == 10.0
    assert means[1:4] == [pytest.approx(20, rel=0.02), pytest.approx(40, rel=0.02), pytest.approx(80, rel=0.02)]
    assert all(pause == 100.0 for row in pauses for pause in row[4:])


def test_a_first_fast_retry_skips_only_the_first_pause():
    text = """<policies><inbound><set-backend-service backend-id="a" /></inbound><backend>
    <retry condition="true" count="3" interval="1" delta="2" first-fast-retry="true"><forward-request buffer-request-body="true" /></retry></backend></policies>"""
    run = Driver(
        Gateway(
            GatewayConfiguration(
                backends=(Backend(name="a", url="http://a.test"),),
                apis=(Api(name="x", path="", policy=PolicySource(text=text, name="x")),),
            )
        )
    )
    assert run.run(HttpRequest("GET", "/")).waited_s == 0 + 3 + 5


def test_limit_concurrency_refuses_while_another_request_is_inside_and_no_longer():
    gate = gateway(
        backend='<limit-concurrency key="k" max-count="1"><forward-request /></limit-concurrency>', count=1
    )
    rng = random.Random(1)
    first = gate.handle(HttpRequest("GET", "/"), 0.0, rng)
    assert isinstance(next(first), Forward)
    second = gate.handle(HttpRequest("GET", "/"), 0.0, rng)
    next(second)
    with pytest.raises(StopIteration) as refused:
        second.send((1.0, None))
    answer = refused.value.value
    assert (answer.response.status, answer.last_error.reason) == (429, "ConcurrencyLimitExceeded")
    first.close()
    assert isinstance(next(gate.handle(HttpRequest("GET", "/"), 2.0, rng)), Forward)


def test_a_call_that_its_caller_gave_up_keeps_its_estimate():
    gate = gateway(
        '<llm-token-limit counter-key="k" tokens-per-minute="100" estimate-prompt-tokens="true" remaining-tokens-variable-name="left" />',
        count=1,
    )
    body = b'{"messages":[{"content":"%s"}]}' % (b"x" * 160)
    rng = random.Random(1)
    run = gate.handle(HttpRequest("POST", "/", Headers(), body), 0.0, rng)
    next(run)
    run.close()
    assert gate.instances[0].rates["tokens", "k"].left(0.0) == 60


def test_now_is_current_after_every_answer():
    gate = gateway('<set-variable name="x" value="1" />', count=1)
    trace = Trace()
    run = gate.handle(HttpRequest("GET", "/"), 5.0, random.Random(1), trace=trace)
    next(run)
    wait = run.send((7.5, HttpResponse(500)))
    assert wait.seconds == 1.0
    run.send((8.75, None))
    assert [entry.at for entry in trace.entries if "answered" in entry.text or "→" in entry.text] == [
        5.0,
        7.5,
        8.75,
    ]
