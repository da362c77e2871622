"""Exact timelines: what happens when, to the instant."""

import io

import pytest

from sinbin.simulate.engine import run_processes
from sinbin.simulate.run import run
from sinbin.simulate.scenario_file import load_scenarios
from sinbin.simulate.sketch import RELATIVE_ERROR, Sketch
from sinbin.simulate.tally import SLOTS, Series
from sinbin.simulate.trace import TraceWriter


def test_ties_are_served_in_the_order_in_which_they_were_made():
    log = []

    def process(name, *instants):
        for instant in instants:
            yield instant
            log.append((instant, name))

    run_processes(
        [process("a", 1, 3), process("b", 1, 2, 3)],
        iter([1.0, 2.0]),
        lambda now: process(f"arrival {now:g}", now + 1),
    )
    # An arrival comes after what was due at its instant.
    assert log == [(1, "a"), (1, "b"), (2, "b"), (2.0, "arrival 1"), (3, "a"), (3, "b"), (3.0, "arrival 2")]


def test_what_is_in_the_background_does_not_keep_a_run_going():
    log = []

    def beat():
        now = 0
        while True:
            now += 1
            yield now
            log.append(now)

    run_processes([], iter([3.5]), lambda now: None, beat())
    assert log == [1, 2, 3]


def events(scenario, seed=0):
    file = io.StringIO()
    run(scenario, seed, TraceWriter(file))
    rows = [line.split(",") for line in file.getvalue().splitlines()[1:]]
    return [(round(float(at), 3), event, region, status) for at, _, _, event, region, status, _, _ in rows]


def trace(times):
    return {"kind": "trace", "times": times}


def constant(scenario, **parts):
    """Return a scenario in which a refusal takes exactly 200 ms and an answer 300 ms."""
    made = scenario(**parts)
    regions = {
        name: region.model_copy(
            update={"latency": region.latency.model_copy(update={"refusal_median_ms": 200, "refusal_p95_ms": 200})}
        )
        for name, region in made.regions.items()
    }
    return made.model_copy(update={"regions": regions})


def test_a_client_moves_down_its_list_and_leaves_a_refusing_region_alone(scenario):
    cool = constant(
        scenario,
        rpm={"a": 1, "b": 600},
        load=trace([0, 1, 2, 40]) | {"callers": 1},
        client={"pick": "in-order", "attempts": 2, "coolDownSeconds": 30},
    )
    assert events(cool) == [
        (0, "call", "a", "200"),
        (0.3, "answer", "a", "200"),
        (1, "call", "a", "429"),
        (1.2, "sits-out", "a", ""),
        (1.2, "call", "b", "200"),
        (1.5, "answer", "b", "200"),
        (2, "call", "b", "200"),
        (2.3, "answer", "b", "200"),
        (40, "call", "a", "429"),
        (40.2, "sits-out", "a", ""),
        (40.2, "call", "b", "200"),
        (40.5, "answer", "b", "200"),
    ]


def test_a_caller_whose_regions_all_cool_down_fails_without_a_call_or_tries(scenario):
    parts = {"rpm": {"a": 1}, "load": trace([0, 1, 2]) | {"callers": 1}}
    client = {"pick": "in-order", "coolDownSeconds": 60}
    fails = constant(scenario, **parts, client={**client, "whenAllCooling": "fail"})
    assert events(fails)[2:] == [
        (1, "call", "a", "429"),
        (1.2, "sits-out", "a", ""),
        (1.2, "unanswered", "", "429"),
        (2, "unanswered", "", "0"),
    ]
    tries = constant(scenario, **parts, client={**client, "whenAllCooling": "try"})
    assert [event for event in events(tries) if event[1] == "call"][-1] == (2, "call", "a", "429")


def test_a_breaker_trips_when_the_refusal_arrives_and_a_retry_goes_to_the_next_priority(scenario):
    tripped = constant(
        scenario,
        rpm={"a": 1, "b": 600},
        load=trace([0, 1, 1.1, 1.25, 31.3]),
        gateway={
            "pool": {"a": {"priority": 1}, "b": {"priority": 2}},
            "circuitBreaker": {"count": 1, "tripDuration": "PT30S", "acceptRetryAfter": False},
            "retry": {"count": 1, "intervalSeconds": 0},
        },
    )
    assert events(tripped) == [
        (0, "call", "a", "200"),
        (0.3, "answer", "a", "200"),
        (1, "call", "a", "429"),
        (1.1, "call", "a", "429"),  # still open: the refusal has not arrived
        (1.2, "sits-out", "a", ""),
        (1.2, "call", "b", "200"),
        (1.25, "call", "b", "200"),
        (1.3, "call", "b", "200"),  # its refusal neither lengthens the trip nor counts
        (1.5, "answer", "b", "200"),
        (1.55, "answer", "b", "200"),
        (1.6, "answer", "b", "200"),
        (31.3, "call", "a", "429"),
        (31.5, "sits-out", "a", ""),
        (31.5, "call", "b", "200"),
        (31.8, "answer", "b", "200"),
    ]


def test_who_waits_for_a_retry_after_backs_off_where_a_reply_has_none(scenario):
    # The only member sits out, and a bare policy's 503 says nothing of when to come back.
    waiting = constant(
        scenario,
        rpm={"a": 1},
        load=trace([0, 1, 2]),
        gateway={
            "pool": {"a": {}},
            "policy": "bare",
            "circuitBreaker": {"count": 1, "tripDuration": "PT30S", "acceptRetryAfter": False},
        },
        client={"attempts": 3, "pause": "retry-after", "maxRetryAfterSeconds": 1},
    )
    gave_up, refused = [at for at, event, _, _ in events(waiting) if event == "unanswered"]
    # The second request is told to wait longer than it will; the third is refused by the gateway three times: at
    # once, 0.375 to 0.5 s after that, and twice as long after that.
    assert gave_up == 1.2
    assert 2 + 3 * 0.012 + 0.375 + 0.75 <= refused <= 2 + 3 * 0.012 + 0.5 + 1.0


def test_a_retry_without_a_buffered_body_never_reaches_a_region(scenario):
    broken = constant(
        scenario,
        rpm={"a": 1, "b": 600},
        load=trace([0, 1]),
        gateway={
            "pool": {"a": {"priority": 1}, "b": {"priority": 2}},
            "circuitBreaker": {"count": 1},
            "retry": {"count": 2, "intervalSeconds": 1, "firstFastRetry": False, "bufferRequestBody": False},
        },
    )
    assert events(broken)[2:] == [
        (1, "call", "a", "429"),
        (1.2, "sits-out", "a", ""),
        (2.212, "unanswered", "", "500"),
    ]


def test_a_cap_at_the_gateway_refuses_before_a_region_is_called(scenario):
    capped = constant(
        scenario, rpm={"a": 600}, load=trace([0, 1, 2]), gateway={"pool": {"a": {}}, "requestsPerMinute": 2}
    )
    assert events(capped)[-1] == (2.012, "unanswered", "", "429")
    assert run(capped, 0).calls == 2


def test_a_stream_answers_with_its_first_token_and_settles_with_its_last(scenario):
    # 10 tokens a minute of quota: the stream holds 20 + 100 until it ends 9.9 s later, then is settled at the same.
    made = scenario(
        rpm={"a": 600},
        tpm=150,
        load=trace([0, 5, 65]) | {"stream": True, "promptTokens": 20, "completionTokens": 100, "maxTokens": 100},
    )
    slow = made.regions["a"].latency.model_copy(update={"per_token_ms": 100})
    made = made.model_copy(update={"regions": {"a": made.regions["a"].model_copy(update={"latency": slow})}})
    assert [(event, status) for _, event, _, status in events(made)] == [
        ("call", "200"),
        ("answer", "200"),
        ("call", "429"),
        ("unanswered", "429"),
        ("call", "200"),
        ("answer", "200"),
    ]
    assert run(made, 0).latency().quantile(1) == pytest.approx(0.3, rel=RELATIVE_ERROR)


def test_a_series_that_runs_over_joins_its_slots():
    series = Series(1.0)
    for now in (0.5, 1.5, SLOTS + 0.5):
        series.add(now)
    assert (series.width_s, series.counts[0], series.counts[SLOTS // 2], sum(series.counts)) == (2.0, 2, 1, 3)
    series.add_span(1.0, 5.0)
    assert series.counts[:3] == [2 + 1, 2, 1]


def test_merged_sketches_are_the_sketch_of_all():
    both, first, second = Sketch(), Sketch(), Sketch()
    for index in range(1, 1001):
        both.add(index / 1000)
        (first if index % 3 else second).add(index / 1000)
    first.merge(second)
    assert first.counts == both.counts
    assert first.quantile(0.5) == pytest.approx(0.5, rel=2 * RELATIVE_ERROR)
    assert first.quantile(0.95) == pytest.approx(0.95, rel=2 * RELATIVE_ERROR)


def test_the_scenarios_of_the_guide_are_read():
    from pathlib import Path  # noqa: PLC0415

    folder = Path(__file__).parents[2] / "docs" / "scenarios"
    paths = sorted(folder.rglob("*.yaml"))
    assert len(load_scenarios(paths)) == len(paths) == 6
