"""What is said of a measurement that is not as predicted."""

from dataclasses import replace

import pytest

from sinbin.loadtest.differences import differences, sitting_out
from sinbin.loadtest.target import Target
from sinbin.simulate.replications import replicate
from sinbin.simulate.results import Figure
from sinbin.simulate.scenario_file import parse_scenario

TARGET = Target("http://127.0.0.1:1/openai/v1/chat/completions", "chat", "key")


@pytest.fixture(scope="module")
def predicted():
    """Return the result of 2 requests a second that are answered in 300 ms."""
    scenario = parse_scenario(
        {
            "name": "one",
            "regions": {
                "a": {
                    "requestsPerMinute": 600,
                    "tokensPerMinute": 600_000,
                    "latency": {"medianMs": 300, "p95Ms": 300},
                }
            },
            "load": {"kind": "steady", "requestsPerSecond": 2, "durationSeconds": 60},
            "gateway": {"pool": {"a": {}}},
        },
        source="test",
    )
    return replicate([scenario], runs=2)[0]


def changed(result, **means):
    """Return `result` with other figures."""
    figures = {name: Figure(value, value, value) for name, value in means.items()}
    return replace(result, total=result.total | figures)


def test_a_region_that_sat_out_at_the_start_is_named(predicted):
    ready, out = {"open": False, "secondsLeft": 0.0}, {"open": True, "secondsLeft": 41.6}
    begins = sitting_out({"instances": [{"breakers": {"uksouth": ready, "westeurope": out}}, {"breakers": {}}]})
    sentence = (
        "westeurope sat out when the test began, for 42 s more; a prediction begins with every region ready: wait, and "
        "measure again"
    )
    assert begins == (sentence,)
    assert list(differences(predicted, predicted, replace(TARGET, begins=begins))) == [sentence]


def test_a_machine_that_is_too_slow_for_a_fast_clock_is_named(predicted):
    measured = changed(predicted, median_ms=420, throughput_rps=2)
    assert list(differences(measured, predicted, replace(TARGET, speed=60))) == [
        (
            "at 60 times the wall's clock every millisecond of this machine counts 60 ms, and it has 120 requests a "
            "second to answer: measure latencies at speed 1"
        )
    ]
    assert list(differences(measured, predicted, TARGET)) == []


def test_requests_that_were_not_sent_are_named(predicted):
    measured = changed(predicted, throughput_rps=1.5)
    assert list(differences(measured, changed(predicted, throughput_rps=2), TARGET)) == [
        "1.50 requests a second were sent, 2.00 ought to be: this machine or --callers is the limit"
    ]


def test_nothing_is_said_of_a_measurement_that_is_as_predicted(predicted):
    assert list(differences(predicted, predicted, replace(TARGET, speed=60))) == []
