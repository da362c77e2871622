"""Limiters: what they admit, when they would, and that no order of completions makes them leak."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sinbin.foundry.limiters import LIMITERS, make_limiter

NAMES = sorted(LIMITERS)


def admitted(limiter, times, amount=1.0):
    return sum(limiter.admit(at, amount) for at in times)


def test_the_limiters_are_these():
    assert NAMES == ["fixed-minute", "leaky-bucket", "sliding-minute", "token-bucket", "window-10s", "window-1s"]


def test_sixty_a_minute_serve_seventy_two_a_minute_over_five_minutes():
    bucket = make_limiter("token-bucket", 60)
    assert admitted(bucket, [n / 2 for n in range(601)]) == 360
    assert 360 / 5 == 72


def test_a_burst_takes_what_is_in_the_bucket_and_then_what_drips_in():
    bucket = make_limiter("token-bucket", 10)
    assert admitted(bucket, [0.0] * 50) == 10
    assert admitted(bucket, [6.0] * 50) == 1
    assert admitted(bucket, [600.0] * 50) == 10


def test_a_leaky_bucket_lets_one_more_through_as_soon_as_it_is_not_full():
    bucket = make_limiter("leaky-bucket", 10)
    assert admitted(bucket, [0.0] * 50) == 10
    assert admitted(bucket, [0.5] * 50) == 1
    assert bucket.wait(0.5, 1) == pytest.approx(5.5)
    assert admitted(bucket, [6.1] * 50) == 1
    assert bucket.remaining(6.1) == 0


def test_a_fixed_minute_lets_two_minutes_through_around_its_edge():
    limiter = make_limiter("fixed-minute", 10)
    assert admitted(limiter, [59.0] * 20 + [60.0] * 20) == 20
    assert limiter.wait(75.0, 1) == 45.0


def test_a_sliding_minute_does_not():
    limiter = make_limiter("sliding-minute", 10)
    assert admitted(limiter, [59.0] * 20 + [60.0] * 20) == 10
    assert limiter.wait(75.0, 1) == 44.0


@pytest.mark.parametrize(("name", "limit"), [("window-1s", 10), ("window-10s", 100)])
def test_six_hundred_a_minute_are_judged_over_a_short_window(name, limit):
    limiter = make_limiter(name, 600)
    assert limiter.limit == limit
    assert admitted(limiter, [0.0] * 200) == limit
    assert admitted(limiter, [limiter.window_s] * 200) == limit


def test_a_window_rounds_its_share_up():
    assert make_limiter("window-10s", 7).limit == 2
    assert make_limiter("window-10s", 60).limit == 10


def test_a_halved_bucket_keeps_its_debt_and_refills_at_half_the_speed():
    bucket = make_limiter("token-bucket", 60)
    assert admitted(bucket, [0.0] * 60) == 60
    bucket.resize(0.0, 30)
    assert bucket.remaining(0.0) == 0
    assert bucket.wait(0.0, 1) == 62.0


@pytest.mark.parametrize("name", NAMES)
def test_an_amount_above_the_limit_never_fits(name):
    limiter = make_limiter(name, 60)
    assert not limiter.admit(0.0, 61)
    assert limiter.wait(0.0, 61) == math.inf


@pytest.mark.parametrize("name", NAMES)
def test_a_released_hold_leaves_nothing_behind(name):
    limiter = make_limiter(name, 60)
    hold = limiter.take(0.0, limiter.limit)
    assert limiter.remaining(0.0) == 0
    limiter.settle(0.0, hold, 0)
    assert limiter.remaining(0.0) == limiter.limit


@pytest.mark.parametrize("name", NAMES)
def test_use_beyond_the_hold_is_charged_when_it_is_known(name):
    limiter = make_limiter(name, 600)
    limiter.settle(0.0, limiter.take(0.0, 1), limiter.limit + 5)
    assert limiter.remaining(0.0) == 0
    assert not limiter.fits(0.0, 0)


def test_a_hold_that_time_has_paid_off_is_not_given_back_twice():
    bucket = make_limiter("token-bucket", 10)
    first, second = bucket.take(0.0, 10), bucket.take(60.0, 10)
    assert bucket.fits(120.0, 10)
    third = bucket.take(120.0, 10)
    bucket.settle(120.0, first, 0)
    bucket.settle(120.0, second, 0)
    assert bucket.remaining(120.0) == 0
    bucket.settle(120.0, third, 4)
    assert bucket.remaining(120.0) == 6


def test_what_time_has_returned_is_not_taken_from_a_later_hold():
    bucket = make_limiter("token-bucket", 45)
    first = bucket.take(0.0, 1)
    second = bucket.take(2.0, 34)
    bucket.settle(2.0, first, 0)
    assert bucket.used(2.0) == 34
    bucket.settle(2.0, second, 34)
    assert bucket.used(2.0) == 34


@pytest.mark.parametrize(
    ("name", "amount", "message"),
    [
        (
            "leaky",
            60,
            f'there is no limiter "leaky"; choose {", ".join(NAMES)}',
        ),
        ("token-bucket", 0, "a limiter needs an amount above 0 per minute, not 0"),
    ],
)
def test_a_limiter_that_cannot_be_made_is_refused(name, amount, message):
    with pytest.raises(ValueError) as caught:
        make_limiter(name, amount)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("name", "seconds"),
    [
        ("token-bucket", 30),
        ("leaky-bucket", 30),
        ("fixed-minute", 50),
        ("sliding-minute", 60),
        ("window-10s", 10),
        ("window-1s", 1),
    ],
)
def test_a_limiter_says_when_nothing_counts_any_more(name, seconds):
    limiter = make_limiter(name, 600)
    assert limiter.reset(10.0) == 0
    assert limiter.admit(10.0, limiter.limit / 2)
    assert limiter.reset(10.0) == seconds
    assert limiter.used(10.0 + seconds) == 0


# A story is a list of (pause before the request, amount, share of it that is used, completions to wait out).
stories = st.lists(
    st.tuples(
        st.floats(0, 30, allow_nan=False),
        st.integers(1, 40),
        st.floats(0, 1),
        st.integers(0, 5),
    ),
    max_size=60,
)


def play(limiter, story):
    """Return the charges that remain, as [time, amount]: holds are settled late and in any order."""
    now, charges, pending = 0.0, [], []
    for pause, amount, share, lag in story:
        now += pause
        for entry in [entry for entry in pending if entry[0] <= 0]:
            pending.remove(entry)
            _, hold, charge, used = entry
            limiter.settle(now, hold, used)
            charge[1] = used
        for entry in pending:
            entry[0] -= 1
        if limiter.fits(now, amount):
            charges.append([now, float(amount)])
            pending.append([lag, limiter.take(now, amount), charges[-1], amount * share])
    return charges


@given(story=stories, name=st.sampled_from(NAMES), per_minute=st.integers(1, 300))
def test_what_is_charged_never_exceeds_the_bound_over_any_window(story, name, per_minute):
    limiter = make_limiter(name, per_minute)
    charges = play(limiter, story)
    for first in range(len(charges)):
        total = 0.0
        for at, amount in charges[first:]:
            total += amount
            length = at - charges[first][0]
            if name == "token-bucket":
                assert total <= per_minute * (1 + length / 60) + 1e-6
            elif name == "leaky-bucket":
                assert total - amount <= per_minute * (1 + length / 60) + 1e-6
            elif name == "fixed-minute":
                if at // 60 == charges[first][0] // 60:
                    assert total <= per_minute + 1e-6
            elif length < limiter.window_s - 1e-9:
                assert total <= limiter.limit + 1e-6


@given(story=stories, name=st.sampled_from(NAMES), per_minute=st.integers(1, 300))
def test_nothing_is_left_charged_once_everything_is_settled_and_a_minute_has_passed(story, name, per_minute):
    limiter = make_limiter(name, per_minute)
    held = []
    now = 0.0
    for pause, amount, share, _ in story:
        now += pause
        if limiter.fits(now, amount):
            held.append((limiter.take(now, amount), amount * share))
    for hold, used in reversed(held):
        limiter.settle(now, hold, used)
    # A leaky bucket may run over by the amount that came last.
    over = max((amount for _, amount, _, _ in story), default=0) if name == "leaky-bucket" else 0
    assert 0 <= limiter.used(now) <= limiter.limit + over + 1e-6
    assert limiter.used(now + 60 + over * 60 / per_minute + 1e-6) == pytest.approx(0, abs=1e-6)


@given(story=stories, name=st.sampled_from(NAMES), per_minute=st.integers(1, 300))
def test_an_amount_fits_after_the_wait_that_was_told_and_not_much_before(story, name, per_minute):
    limiter = make_limiter(name, per_minute)
    now = 0.0
    for pause, amount, _, _ in story:
        now += pause
        wait = limiter.wait(now, amount)
        assert (wait == 0) == limiter.fits(now, amount)
        if 1e-3 < wait < math.inf:
            assert not limiter.fits(now + wait - 1e-4, amount)
        if wait < math.inf:
            now += wait + 1e-9
            assert limiter.admit(now, amount)
