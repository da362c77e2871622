"""The breaker of one backend, with the time as an argument."""

import pytest

from sinbin.gateway.circuit_breaker import BreakerState
from sinbin.topology import CircuitBreaker, StatusRange


def breaker(*, count=1, percentage=None, interval=60.0, trip=60.0, accept=False, ranges=((429, 429),), reasons=()):
    rule = CircuitBreaker(
        failure_count=count,
        failure_percentage=percentage,
        interval_s=interval,
        trip_duration_s=trip,
        status_ranges=tuple(StatusRange(low=low, high=high) for low, high in ranges),
        error_reasons=reasons,
        accept_retry_after=accept,
    )
    return BreakerState(rule)


def test_the_count_th_failure_inside_the_interval_trips():
    state = breaker(count=3)
    assert [state.record(now, 429) for now in (0.0, 30.0, 59.0)] == [False, False, True]
    assert state.is_open(59.0)


def test_failures_that_left_the_interval_do_not_count():
    state = breaker(count=3)
    assert [state.record(now, 429) for now in (0.0, 30.0, 60.0)] == [False, False, False]
    assert state.failures(60.0) == 2


def test_the_trip_is_timed_from_the_reply_that_trips_not_from_the_first_failure():
    state = breaker(count=2, trip=10.0)
    state.record(0.0, 429)
    state.record(40.0, 429)
    assert (state.is_open(49.9), state.is_open(50.0)) == (True, False)


def test_late_failures_of_requests_under_way_neither_lengthen_the_trip_nor_count_against_the_next():
    state = breaker(count=2, trip=10.0)
    state.record(0.0, 429)
    state.record(1.0, 429)
    assert state.record(5.0, 429) is False
    assert state.open_until == 11.0
    assert state.record(11.0, 429) is False
    assert state.record(12.0, 429) is True


def test_breaker_that_never_fires_on_429_when_it_counts_only_5xx():
    state = breaker(count=1, ranges=((500, 599),))
    assert not any(state.record(float(now), 429) for now in range(1000))
    assert state.record(1000.0, 500)


@pytest.mark.parametrize(
    ("accept", "retry_after", "until"),
    [(True, 20.0, 20.0), (False, 20.0, 60.0), (True, None, 60.0), (True, 86_400.0, 86_400.0), (True, 0.0, 0.0)],
)
def test_retry_after_replaces_the_trip_duration_only_when_accepted(accept, retry_after, until):
    state = breaker(accept=accept)
    state.record(0.0, 429, retry_after_s=retry_after)
    assert state.open_until == until


def test_a_transport_error_counts_only_under_its_reason():
    assert breaker(ranges=((200, 599),)).record(0.0, None, "Timeout") is False
    assert breaker(reasons=("timeout",)).record(0.0, None, "Timeout") is True
    assert breaker(reasons=("timeout",)).record(0.0, None, "BackendConnectionFailure") is False


def test_a_percentage_is_of_the_calls_inside_the_interval():
    state = breaker(count=None, percentage=50, interval=10.0)
    assert [state.record(0.1 * n, 200) for n in range(4)] == [False] * 4
    assert [state.record(1.0 + 0.1 * n, 429) for n in range(4)] == [False, False, False, True]


def test_a_changed_rule_takes_over_the_open_state():
    state = breaker(trip=60.0)
    state.record(0.0, 429)
    state.adopt(breaker(trip=5.0).rule)
    assert state.is_open(59.0)
