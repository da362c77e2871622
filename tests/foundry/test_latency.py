"""Latency: the fitted distribution has the median and the 95th percentile it was fitted from."""

import random
from statistics import quantiles

import pytest

from sinbin.foundry.latency import LogNormal, RegionLatency, known_latency


def test_draws_have_the_median_and_the_95th_percentile_they_were_fitted_from():
    rng = random.Random(1)
    latency = LogNormal(0.481, 0.982)
    cuts = quantiles((latency.draw(rng) for _ in range(40_000)), n=100)
    # The standard errors at this size are 0.55 % and 1.0 % of the figures: three of them are allowed.
    assert cuts[49] == pytest.approx(0.481, rel=0.0165)
    assert cuts[94] == pytest.approx(0.982, rel=0.03)


def test_equal_figures_give_a_constant():
    assert LogNormal(0.2, 0.2).draw(random.Random(1)) == 0.2


def test_a_reply_takes_longer_by_each_token_after_the_first():
    latency = RegionLatency(reply=LogNormal(0.3, 0.3), per_token=LogNormal(0.01, 0.01))
    timing = latency.draw(random.Random(1), 11)
    assert (timing.first_s, timing.pace_s) == (0.3, 0.01)
    assert timing.total_s == pytest.approx(0.4)


def test_without_a_pace_the_reply_time_is_the_whole():
    assert RegionLatency(reply=LogNormal(0.3, 0.3)).draw(random.Random(1), 500).total_s == 0.3


def test_equal_seeds_give_equal_draws():
    latency = RegionLatency(per_token=LogNormal(0.01, 0.02))
    one, other = (
        [latency.draw(rng, 5) for _ in range(100)] for rng in (random.Random("seed"), random.Random("seed"))
    )
    assert one == other


def test_a_median_above_the_95th_percentile_is_refused():
    with pytest.raises(ValueError) as caught:
        LogNormal(2, 1)
    assert str(caught.value) == "a latency needs 0 < median <= 95th percentile, not 2 s and 1 s"


@pytest.mark.parametrize(
    ("location", "median_s", "p95_s"),
    [("westeurope", 0.481, 0.982), ("swedencentral", 0.365, 0.675), ("brazilsouth", 0.297, 0.434)],
)
def test_five_tokens_take_as_long_as_was_measured(location, median_s, p95_s):
    rng = random.Random(1)
    latency = known_latency(location)
    cuts = quantiles((latency.draw(rng, 5).total_s for _ in range(40_000)), n=100)
    assert cuts[49] == pytest.approx(median_s, rel=0.03)
    assert cuts[94] == pytest.approx(p95_s, rel=0.03)
