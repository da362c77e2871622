"""Pools: who gets the next request."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sinbin.gateway.backends import BackendTable, Refusal
from sinbin.gateway.configuration import Backend, Pool
from sinbin.topology import CircuitBreaker, PoolMember, StatusRange

RULE = CircuitBreaker(
    failure_count=1,
    interval_s=60.0,
    trip_duration_s=60.0,
    status_ranges=(StatusRange(low=429, high=429),),
    accept_retry_after=True,
)


def table(*members, breaker=RULE, **pool):
    backends = [Backend(name=name, url=f"http://{name}.test", circuit_breaker=breaker) for name, _, _ in members]
    seats = tuple(PoolMember(backend=name, priority=priority, weight=weight) for name, priority, weight in members)
    return BackendTable(backends, [Pool(name="chat", members=seats, **pool)])


def names(backends, count, now=0.0, seed=1):
    rng = random.Random(seed)
    return [backends.choose("chat", now, rng).name for _ in range(count)]


def test_the_lowest_priority_number_with_a_member_not_sitting_out_is_used():
    backends = table(("a", 1, 1), ("b", 2, 1), ("c", 3, 1))
    assert names(backends, 2) == ["a", "a"]
    backends.record("a", 0.0, 429)
    assert names(backends, 2) == ["b", "b"]
    backends.record("b", 0.0, 429)
    assert names(backends, 2) == ["c", "c"]
    assert names(backends, 2, now=60.0) == ["a", "a"]


def test_equal_weights_take_turns():
    assert names(table(("a", 1, 1), ("b", 1, 1)), 4) == ["a", "b", "a", "b"]


def test_retry_that_goes_back_to_the_refusing_region_nine_times_in_ten():
    chosen = Counter(names(table(("a", 1, 90), ("b", 1, 5), ("c", 1, 5), breaker=None), 10_000))
    assert chosen["a"] / 10_000 == pytest.approx(0.9, abs=0.01)


@pytest.mark.parametrize("seed", range(3))
def test_weights_are_respected_inside_three_sigma(seed):
    drawn = Counter(names(table(("a", 1, 90), ("b", 1, 5), ("c", 1, 5)), 10_000, seed=seed))
    for name, share in (("a", 0.9), ("b", 0.05), ("c", 0.05)):
        assert abs(drawn[name] - 10_000 * share) <= 3 * (10_000 * share * (1 - share)) ** 0.5


@settings(deadline=None)
@given(st.lists(st.integers(0, 100), min_size=2, max_size=6), st.integers(0, 2**32))
def test_any_weights_are_respected(weights, seed):
    backends = table(*[(f"b{n}", 1, weight) for n, weight in enumerate(weights)])
    drawn = Counter(names(backends, 400, seed=seed))
    total = sum(weights) or len(weights)
    for n, weight in enumerate(weights):
        share = (weight or not sum(weights)) / total
        sigma = (400 * share * (1 - share)) ** 0.5
        # Hypothesis searches for the worst of many draws: three sigma would be hit by chance.
        assert abs(drawn[f"b{n}"] - 400 * share) <= 6 * sigma + 1


@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 200), st.sampled_from([200, 429])), max_size=40))
def test_an_open_breaker_is_never_chosen(events):
    backends = table(("a", 1, 2), ("b", 1, 1), ("c", 2, 1))
    rng = random.Random(1)
    for name, now, status in sorted(events, key=lambda event: event[1]):
        choice = backends.choose("chat", now, rng)
        out = backends.sitting_out(now)
        if isinstance(choice, Refusal):
            assert set(out) == {"a", "b", "c"}
        else:
            assert choice.name not in out
        backends.record(name, now, status)


def test_an_emptied_pool_refuses_with_its_own_status_until_the_first_member_is_back():
    backends = table(("a", 1, 1), ("b", 2, 1), failure_response_status=429)
    backends.record("a", 0.0, 429, retry_after_s=20.0)
    backends.record("b", 5.0, 429, retry_after_s=30.0)
    rng = random.Random(1)
    assert backends.choose("chat", 6.0, rng) == Refusal("chat", 429, "PoolExhausted", 20.0)
    assert backends.choose("chat", 20.0, rng).name == "a"


def test_a_single_backend_with_an_open_breaker_refuses_with_503():
    backends = table(("a", 1, 1))
    backends.record("a", 0.0, 429)
    assert backends.choose("a", 1.0, random.Random(1)) == Refusal("a", 503, "BreakerOpen", 60.0)


def test_a_session_sticks_to_its_member_until_that_sits_out():
    backends = table(("a", 1, 1), ("b", 2, 1), affinity_cookie="sid")
    rng = random.Random(1)
    assert backends.choose("chat", 0.0, rng, sticky="b").name == "b"
    backends.record("b", 0.0, 429)
    assert backends.choose("chat", 1.0, rng, sticky="b").name == "a"


def test_breaker_state_survives_a_change_of_configuration():
    backends = table(("a", 1, 1), ("b", 2, 1))
    backends.record("a", 0.0, 429)
    changed = [Backend(name=name, url="http://new.test", circuit_breaker=RULE) for name in "ab"]
    pool = Pool(
        name="chat",
        members=(PoolMember(backend="b", priority=2, weight=1), PoolMember(backend="a", priority=1, weight=1)),
    )
    backends.adopt(changed, [pool])
    assert names(backends, 1, now=59.0) == ["b"]
    assert names(backends, 1, now=60.0) == ["a"]
