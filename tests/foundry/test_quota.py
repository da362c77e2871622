"""Quota of a deployment: reservation, settlement, headers, provisioned utilisation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sinbin.foundry.models import model_facts
from sinbin.foundry.quota import Demand, PayAsYouGo, Provisioned, QuotaOptions, Refusal, Reservation

MINI = model_facts("gpt-4.1-mini")


def payg(rpm=60, tpm=60_000, **options):
    return PayAsYouGo(MINI, rpm, tpm, QuotaOptions(**options))


def test_a_request_reserves_its_prompt_and_its_longest_reply():
    quota = payg()
    assert isinstance(quota.reserve(0, Demand(prompt_tokens=20, max_tokens=100)), Reservation)
    assert quota.headers(0) == {
        "x-ratelimit-limit-requests": "60",
        "x-ratelimit-limit-tokens": "60000",
        "x-ratelimit-remaining-requests": "59",
        "x-ratelimit-remaining-tokens": "59880",
    }


def test_every_reply_that_is_asked_for_is_reserved():
    quota = payg()
    quota.reserve(0, Demand(prompt_tokens=20, max_tokens=100, choices=3))
    assert quota.headers(0)["x-ratelimit-remaining-tokens"] == "59680"


@pytest.mark.parametrize(
    ("reserve", "remaining"),
    [(None, "59964"), (500, "59480"), ("context", "0")],
    ids=["model", "number", "context"],
)
def test_what_a_missing_maximum_reserves_is_a_setting(reserve, remaining):
    quota = payg(reserve_without_max_tokens=reserve)
    assert isinstance(quota.reserve(0, Demand(prompt_tokens=20)), Reservation)
    assert quota.headers(0)["x-ratelimit-remaining-tokens"] == remaining


def test_completion_settles_at_the_true_size_and_failure_gives_the_tokens_back():
    quota = payg()
    finished = quota.reserve(0, Demand(20, 1000))
    failed = quota.reserve(0, Demand(20, 1000))
    quota.settle(0, finished, 20, 5)
    quota.release(0, failed)
    assert quota.headers(0)["x-ratelimit-remaining-tokens"] == "59975"
    assert quota.headers(0)["x-ratelimit-remaining-requests"] == "58"


def test_a_reservation_is_closed_once():
    quota = payg()
    reservation = quota.reserve(0, Demand(20, 10))
    quota.settle(0, reservation, 20, 5)
    with pytest.raises(ValueError, match="a reservation is settled or released once"):
        quota.release(0, reservation)


def test_the_request_limit_refuses_until_the_minute_is_refilled():
    quota = payg(rpm=10)
    for _ in range(10):
        quota.reserve(0, Demand(1, 1))
    refusal = quota.reserve(3, Demand(1, 1))
    assert refusal == Refusal("requests", 57.0)
    assert quota.refusal_headers(3, refusal) == {
        "retry-after": "57",
        "retry-after-ms": "57000",
        "x-ratelimit-limit-requests": "10",
        "x-ratelimit-limit-tokens": "60000",
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-remaining-tokens": "60000",
        "x-ratelimit-reset-requests": "57",
        "x-ratelimit-reset-tokens": "0",
    }


def test_retry_after_is_what_remains_of_the_minute_however_full_the_bucket_is():
    quota, refilling = payg(rpm=10), payg(rpm=10, retry_after="refill")
    for bucket in (quota, refilling):
        for _ in range(10):
            bucket.reserve(54, Demand(1, 1))
    assert quota.reserve(56, Demand(1, 1)) == Refusal("requests", 4.0)
    assert refilling.reserve(56, Demand(1, 1)) == Refusal("requests", 58.0)


def test_retry_after_may_name_the_next_drop_instead():
    quota = payg(rpm=10, retry_after="next")
    for _ in range(10):
        quota.reserve(0, Demand(1, 1))
    refusal = quota.reserve(3.5, Demand(1, 1))
    assert refusal == Refusal("requests", pytest.approx(2.5))
    assert refusal.headers() == {"retry-after": "3", "retry-after-ms": "2500"}


def test_a_refused_request_charges_neither_limit():
    quota = payg(rpm=10, tpm=1000)
    assert quota.reserve(0, Demand(10, 991)) == Refusal("tokens", 86_400)
    assert quota.headers(0)["x-ratelimit-remaining-requests"] == "10"
    assert quota.headers(0)["x-ratelimit-remaining-tokens"] == "1000"


def test_a_request_larger_than_the_limit_is_told_to_come_back_in_a_day():
    refusal = payg(tpm=1000).reserve(0, Demand(2000, 10))
    assert refusal.headers() == {"retry-after": "86400", "retry-after-ms": "86400000"}


def test_the_request_header_may_count_ten_seconds():
    quota = PayAsYouGo(model_facts("gpt-35-turbo"), 120, 20_000, QuotaOptions(request_header="per-10s"))
    assert quota.headers(0)["x-ratelimit-limit-requests"] == "20"
    assert quota.headers(0)["x-ratelimit-remaining-requests"] == "20"


def test_a_halved_quota_refuses_and_comes_back():
    quota = payg(rpm=10)
    quota.scale(0, 0.5)
    assert [isinstance(quota.reserve(0, Demand(1, 1)), Reservation) for _ in range(6)] == [True] * 5 + [False]
    quota.scale(0, 1)
    assert isinstance(quota.reserve(0, Demand(1, 1)), Reservation)


def test_a_provisioned_deployment_admits_below_one_hundred_percent_and_lets_one_burst_over():
    quota = Provisioned(MINI, 1)
    assert isinstance(quota.reserve(0, Demand(prompt_tokens=14_899)), Reservation) is True
    assert quota.reserve(0, Demand(1, 1)) == Refusal("utilization", pytest.approx(63 / 14_900 * 60))


def test_a_reply_weighs_more_than_a_prompt_on_a_provisioned_deployment():
    quota = Provisioned(MINI, 1)
    reservation = quota.reserve(0, Demand(900, 3500))
    assert quota.utilization(0) == 1.0
    assert quota.headers(0) == {"azure-openai-deployment-utilization": "100.0%"}
    quota.settle(0, reservation, 900, 1400)
    assert quota.utilization(0) == pytest.approx(6_500 / 14_900)
    assert quota.utilization(6_500 / 14_900 * 60) == pytest.approx(0)


def test_a_provisioned_429_says_in_milliseconds_when_utilisation_is_below_one_hundred():
    quota = Provisioned(MINI, 50)
    quota.reserve(0, Demand(745_000 + 596, 0))
    refusal = quota.reserve(0, Demand(1, 1))
    assert quota.refusal_headers(0, refusal) == {
        "retry-after": "1",
        "retry-after-ms": "48",
        "azure-openai-deployment-utilization": "100.1%",
    }
    assert isinstance(quota.reserve(0.0481, Demand(1, 1)), Reservation)


def test_a_model_without_provisioned_offer_is_refused():
    with pytest.raises(ValueError, match='model "gpt-35-turbo" is not offered provisioned'):
        Provisioned(model_facts("gpt-35-turbo"), 50)


requests = st.lists(
    st.tuples(st.floats(0, 5), st.integers(0, 300), st.integers(0, 300), st.floats(0, 1.5), st.booleans()),
    max_size=40,
)


@given(requests, st.randoms(use_true_random=False), st.sampled_from(["payg", "provisioned"]))
def test_reserve_and_settle_never_leak_whatever_order_completions_come_in(story, rng, kind):
    quota = payg(rpm=40, tpm=2000) if kind == "payg" else Provisioned(MINI, 1)
    now, open_reservations = 0.0, []
    for pause, prompt, longest, share, fails in story:
        now += pause
        admitted = quota.reserve(now, Demand(prompt, longest))
        if isinstance(admitted, Reservation):
            open_reservations.append((admitted, prompt, int(longest * min(share, 1)), fails))
        if open_reservations and rng.random() < 0.5:
            _close(quota, now, open_reservations.pop(rng.randrange(len(open_reservations))))
    while open_reservations:
        _close(quota, now, open_reservations.pop(rng.randrange(len(open_reservations))))
    later = now + 60 * 3
    assert [gauge.used for gauge in quota.gauges(later)] == pytest.approx(
        [0.0] * len(quota.gauges(later)), abs=1e-6
    )


def _close(quota, now, entry):
    reservation, prompt, completion, fails = entry
    if fails:
        quota.release(now, reservation)
    else:
        quota.settle(now, reservation, prompt, completion)
