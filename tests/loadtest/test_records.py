"""What k6 says of requests, counted as the simulator counts."""

import json
import math

import pytest

from sinbin.loadtest.records import Record, read_record, record_of
from sinbin.loadtest.requirements import missed, read_requirement, thresholds_of
from sinbin.loadtest.result import measured_result
from sinbin.simulate.cost import load_prices
from sinbin.simulate.scenario_file import parse_scenario

SCENARIO = parse_scenario(
    {
        "name": "two",
        "regions": {
            name: {"requestsPerMinute": 60, "tokensPerMinute": 6000, "latency": {"medianMs": 300, "p95Ms": 300}}
            for name in "ab"
        },
        "load": {"kind": "steady", "requestsPerSecond": 1, "durationSeconds": 10},
        "gateway": {"pool": {"a": {}, "b": {}}},
    },
    source="test",
)


def record(at=0.0, latency=0.5, status=200, calls=(("a", 200),), why="", **more):
    sizes = (
        {"prompt_tokens": 20, "completion_tokens": 5}
        if status == 200
        else {"prompt_tokens": 0, "completion_tokens": 0}
    )
    values = {"kind": "all", "at_s": at, "latency_s": latency, "status": status, "answered": status == 200}
    return Record(**values | sizes | {"calls": calls, "why": why} | more)


def means(figures):
    return {name: figure.mean for name, figure in figures.items()}


def test_calls_answers_and_refusals_are_counted_by_region():
    result = measured_result(
        SCENARIO,
        [
            record(0, calls=(("a", 200),)),
            record(1, 1.0, calls=(("a", 429), ("b", 200))),
            record(2, 0.2, 503, (("a", 429), ("b", 429)), "pool exhausted"),
            record(3, 0.2, 429, (("a", 500), ("b", 429))),
        ],
        load_prices(),
    )
    total = means(result.total)
    assert (total["success_pct"], total["requests"], total["elapsed_s"]) == (50, 4, 3.2)
    assert (total["calls_per_request"], total["refused_calls"]) == (7 / 4, 4)
    assert total["median_ms"] == pytest.approx(500, rel=0.01)
    assert math.isnan(total["sit_outs"])
    a, b = means(result.by_region["a"]), means(result.by_region["b"])
    assert (a["answered"], a["calls"], a["refused_calls"], a["failed_calls"]) == (1, 4, 2, 1)
    assert (b["answered"], b["calls"], b["refused_calls"], b["failed_calls"]) == (1, 3, 2, 0)
    assert total["cost_usd"] == pytest.approx(2 * (20 * 0.4 + 5 * 1.6) / 1e6)
    assert result.unanswered == {503: 1, 429: 1}
    assert result.refused_at_gateway == {"pool empty": 1}


@pytest.mark.parametrize(
    ("status", "calls", "why", "reason"),
    [
        (503, (), "breaker open", {"pool empty": 1}),
        (503, (), "", {"pool empty": 1}),
        (503, (("a", 503),), "", {}),
        (429, (), "", {"limits": 1}),
        (403, (), "", {"limits": 1}),
        (500, (), "", {"status 500": 1}),
        (429, None, "", {}),
        (503, None, "pool exhausted", {"pool empty": 1}),
        (0, None, "connection refused", {}),
    ],
)
def test_who_refused_is_told_by_calls_and_reason(status, calls, why, reason):
    result = measured_result(SCENARIO, [record(status=status, calls=calls, why=why)], load_prices())
    assert (result.refused_at_gateway, result.unanswered) == (reason, {status: 1})


def test_the_figures_of_calls_are_unknown_when_one_answer_does_not_name_them():
    result = measured_result(SCENARIO, [record(), record(1, status=429, calls=None)], load_prices())
    assert math.isnan(result.total["calls_per_request"].mean)
    a = means(result.by_region["a"])
    assert (a["answered"], math.isnan(a["calls"])) == (1, True)


def test_only_the_notes_of_the_scripts_are_read():
    noted = {"at": 2000, "kind": "chat", "status": 200, "ms": 250, "answered": True, "why": ""}
    noted |= {"calls": [{"backend": "a", "status": None}, {"backend": "b", "status": 200}], "usage": [20, 5]}
    point = {
        "metric": "requests",
        "type": "Point",
        "data": {"value": 1, "metadata": {"record": json.dumps(noted)}},
    }
    assert record_of(json.dumps({"metric": "requests", "type": "Point", "data": {"value": 1, "tags": {}}})) is None
    assert record_of('{"type":"Metric","data":{"name":"record"}}') is None
    found = record_of(json.dumps(point, separators=(",", ":")))
    assert found == noted
    assert read_record(found, 1000, 10) == Record("chat", 10.0, 0.25, 200, True, (("a", 0), ("b", 200)), 20, 5, "")


@pytest.mark.parametrize(
    ("text", "metric", "expression"),
    [
        ("success_pct >= 99.5", "success", "rate>=0.995"),
        ("goodput_rps>1.5", "goodput", "rate>15"),
        ("calls_per_request<=1.2", "calls_per_request", "avg<=1.2"),
        ("median_ms<400", "answer_ms", "med<400"),
        ("p95_ms<=900", "answer_ms", "p(95)<=900"),
        ("share_pct:a<=90", "region_share{region:a}", "rate<=0.9"),
    ],
)
def test_a_requirement_is_a_threshold_of_k6(text, metric, expression):
    found = read_requirement(text, "ab", 10)
    assert (found.metric, found.expression) == (metric, expression)
    assert expression in thresholds_of([found], "ab")[metric]


def judged(records, *texts, speed=1):
    return missed(
        [read_requirement(text, "ab", speed) for text in texts], measured_result(SCENARIO, records, load_prices())
    )


@pytest.mark.parametrize("speed", [1, 10])
def test_a_requirement_is_judged_by_the_figures_of_the_result(speed):
    """Four requests in 2.5 s of the gateway's clock, three of them answered: 1.2 a second, whatever its speed."""
    records = [
        record(0, calls=(("a", 200),)),
        record(0.5, calls=(("a", 429), ("b", 200))),
        record(1, status=429, calls=(("a", 429),)),
        record(2, calls=(("a", 200),)),
    ]
    reached = (
        "goodput_rps>=1.2",
        "success_pct<=75",
        "calls_per_request<1.26",
        "refused_calls>1",
        "share_pct:b<33.4",
        "p95_ms<=501",
    )
    assert judged(records, *reached, speed=speed) == []
    assert judged(
        records,
        *("goodput_rps > 1.2", "success_pct>=99.5", "calls_per_request<=1.2", "refused_calls<2"),
        "share_pct:a>=66.67",
        speed=speed,
    ) == [
        "missed: goodput_rps is 1.2, wanted > 1.2",
        "missed: success_pct is 75, wanted >= 99.5",
        "missed: calls_per_request is 1.25, wanted <= 1.2",
        "missed: refused_calls is 2, wanted < 2",
        "missed: share_pct:a is 66.667, wanted >= 66.67",
    ]


def test_a_figure_that_nobody_knows_cannot_be_judged():
    unnamed = "cannot be judged: {}: the answers do not say which backends were called"
    assert judged([record(calls=None)], "calls_per_request<=2", "share_pct:a>0", "success_pct>=90") == [
        unnamed.format("calls_per_request <= 2"),
        unnamed.format("share_pct:a > 0"),
    ]
    nothing = "cannot be judged: {}: no request was answered"
    assert judged([record(status=429)], "p95_ms<=900", "share_pct:a>=0", "goodput_rps<1") == [
        nothing.format("p95_ms <= 900"),
        nothing.format("share_pct:a >= 0"),
    ]
