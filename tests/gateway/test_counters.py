"""Counters never admit more than their bound."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sinbin.gateway.counters import SWEEP_EVERY, FixedPeriod, Quotas, SlidingWindow, TokenBucket

ARRIVALS = st.lists(st.tuples(st.floats(0, 20), st.integers(1, 30)), max_size=80)


def admitted(counter, arrivals):
    now = 0.0
    for pause, amount in arrivals:
        now += pause
        if counter.left(now) >= amount:
            counter.add(now, amount)
            yield now, amount


@given(ARRIVALS)
def test_a_sliding_window_never_admits_more_than_its_limit_in_any_window(arrivals):
    uses = list(admitted(SlidingWindow(50, 60.0), arrivals))
    for start, _ in uses:
        assert sum(amount for at, amount in uses if start <= at < start + 60.0) <= 50


@given(ARRIVALS)
def test_a_token_bucket_never_admits_more_than_its_burst_and_its_refill(arrivals):
    uses = list(admitted(TokenBucket(50, 60.0), arrivals))
    for start, _ in uses:
        for end, _ in uses:
            total = sum(amount for at, amount in uses if start <= at <= end)
            assert total <= 50 + max(0.0, end - start) * 50 / 60.0 + 1e-6


@given(ARRIVALS, st.sampled_from([SlidingWindow, TokenBucket]))
def test_what_a_counter_says_to_wait_for_is_free_after_the_wait(arrivals, kind):
    counter = kind(50, 60.0)
    now = 0.0
    for pause, amount in arrivals:
        now += pause
        wait = counter.wait(now, amount)
        if counter.left(now) < amount:
            assert wait > 0
            assert counter.left(now + wait + 1e-6) >= amount - 1e-6
            now += wait + 1e-6
        counter.add(now, amount)


@given(st.lists(st.tuples(st.floats(0, 5), st.integers(1, 20), st.integers(0, 20), st.floats(0, 90)), max_size=30))
def test_reserve_and_settle_never_leak_whatever_order_completions_come_in(requests):
    counter = SlidingWindow(1000, 60.0)
    events, now = [], 0.0
    for number, (pause, estimate, actual, duration) in enumerate(requests):
        now += pause
        events.append((now, 0, number, estimate, 0.0))
        events.append((now + duration, 1, number, actual - estimate, now))
    last = 0.0
    for at, settles, _, amount, reserved_at in sorted(events):
        last = at
        if settles:
            counter.correct(reserved_at, at, amount)
        else:
            counter.add(at, amount)
        assert counter.left(at) <= 1000
    assert counter.left(last + 60.001) == 1000
    assert counter.idle(last + 60.001)


def test_a_v2_bucket_of_6_a_minute_gives_a_burst_of_6_then_one_every_ten_seconds():
    bucket = TokenBucket(6, 60.0)
    assert len(list(admitted(bucket, [(0.0, 1)] * 10))) == 6
    assert bucket.wait(0.0, 1) == pytest.approx(10.0)


def test_a_fixed_period_starts_empty_and_drops_what_belongs_to_a_past_one():
    quota = FixedPeriod(100)
    quota.add(0.0, 80)
    assert quota.left(0.0) == 20
    assert quota.left(3600.0) == 100
    quota.add(0.0, 50)
    assert quota.left(3600.0) == 100


def test_quotas_forget_the_counters_of_periods_that_are_over():
    quotas = Quotas()
    for second in range(3 * SWEEP_EVERY):
        quotas.counter(f"key {second}", 10, second, second + 60).add(second, 1)
    assert len(quotas) <= SWEEP_EVERY + 60
    endless = quotas.counter("endless", 10, 0.0, float("inf"))
    for second in range(2 * SWEEP_EVERY):
        quotas.counter("other", 10, second, second + 1)
    assert quotas.counter("endless", 10, 0.0, float("inf")) is endless


def test_a_wait_that_rounding_takes_away_is_still_a_wait():
    window = SlidingWindow(50, 60.0)
    began = 1.1435027998693317
    for now, amount in ((began, 1), (began + 20.0, 1), (began + 20.0 + 20.0, 19)):
        window.add(now, amount)
    now = began + 20.0 + 20.0 + 20.0
    assert window.left(now) == 29
    assert 0 < window.wait(now, 30) < 1e-9
