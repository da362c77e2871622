"""The simulation against queueing theory. Tolerances are confidence intervals over replications, stated in each test."""

import math

import pytest

from sinbin.simulate.results import figure
from sinbin.simulate.run import run
from sinbin.simulate.streams import normal, stream

# 99.9 % of all results lie within this many standard errors of what theory says.
WITHIN = 3.29


def estimate(scenario, measure, runs):
    values = [measure(run(scenario, seed)) for seed in range(runs)]
    mean = sum(values) / runs
    error = math.sqrt(sum((value - mean) ** 2 for value in values) / (runs - 1) / runs)
    return mean, error


def assert_theory(scenario, measure, expected, runs=12, floor=0.0):
    """`floor` is what the theory itself leaves out (an end effect), stated by the caller."""
    mean, error = estimate(scenario, measure, runs)
    assert abs(mean - expected) <= WITHIN * error + floor, (mean, expected, error)


def test_an_overloaded_bucket_serves_its_fluid_limit(scenario):
    # One full bucket at the start and the refill of the whole run: rpm x (1 + T / 60). One request of slack: a
    # bucket hands out whole requests.
    overloaded = scenario(rpm=60, load={"kind": "poisson", "requestsPerSecond": 5, "durationSeconds": 600})
    assert_theory(overloaded, lambda tally: tally.answered(), 60 * (1 + 600 / 60), floor=1)


def test_a_bucket_with_room_refuses_nothing(scenario):
    easy = scenario(rpm=600, load={"kind": "steady", "requestsPerSecond": 5, "durationSeconds": 300})
    assert run(easy, 0).refused_calls == 0


def test_the_token_limit_binds_when_requests_are_heavy(scenario):
    # 6,000 tokens a minute of requests that use 100 + 20 each and reserve as much: 50 a minute and 50 at the start.
    heavy = scenario(
        rpm=6000,
        tpm=6000,
        load={
            "kind": "poisson",
            "requestsPerSecond": 5,
            "durationSeconds": 600,
            "promptTokens": 100,
            "completionTokens": 20,
            "maxTokens": 20,
        },
    )
    assert_theory(heavy, lambda tally: tally.answered(), 50 * (1 + 600 / 60), floor=1)


@pytest.mark.parametrize(
    "weights", [{"a": 90, "b": 5, "c": 5}, {"a": 60, "b": 25, "c": 15}, {"a": 1, "b": 1, "c": 2}]
)
def test_shares_follow_the_weights(scenario, weights):
    shared = scenario(
        rpm=dict.fromkeys(weights, 1e6),
        load={"kind": "poisson", "requestsPerSecond": 20, "durationSeconds": 100},
        client={"pick": "weighted", "weights": weights},
    )
    total = sum(weights.values())
    for name, weight in weights.items():
        assert_theory(shared, lambda tally, name=name: tally.regions[name].calls / tally.requests, weight / total)


@pytest.mark.parametrize("behind", ["client", "gateway"])
def test_weights_mean_the_same_behind_a_gateway(scenario, behind):
    weights = {"a": 90, "b": 5, "c": 5}
    parts = (
        {"client": {"pick": "weighted", "weights": weights}}
        if behind == "client"
        else {"gateway": {"pool": {name: {"weight": weight} for name, weight in weights.items()}}}
    )
    shared = scenario(
        rpm=dict.fromkeys(weights, 1e6),
        load={"kind": "poisson", "requestsPerSecond": 20, "durationSeconds": 100},
        **parts,
    )
    assert_theory(shared, lambda tally: tally.regions["a"].calls / tally.requests, 0.9)


def test_poisson_arrivals_come_at_their_rate_with_variance_equal_to_the_mean(scenario):
    load = scenario(rpm=1e6, load={"kind": "poisson", "requestsPerSecond": 10, "durationSeconds": 50})
    counts = [run(load, seed).requests for seed in range(60)]
    mean = sum(counts) / len(counts)
    variance = sum((count - mean) ** 2 for count in counts) / (len(counts) - 1)
    assert abs(mean - 500) <= WITHIN * math.sqrt(500 / len(counts))
    # The sample variance of n counts has a relative standard error of sqrt(2 / (n - 1)).
    assert abs(variance / 500 - 1) <= WITHIN * math.sqrt(2 / (len(counts) - 1))


def test_retries_multiply_calls_as_a_geometric_sum(scenario):
    # A region that refuses everything but a trickle: every request makes all its attempts, 1 + 2 retries, but for
    # those that meet the trickle: 1 of 1,000 a second, refilled, and the one bucket at the start.
    empty = scenario(
        rpm=1,
        load={"kind": "poisson", "requestsPerSecond": 50, "durationSeconds": 60},
        client={"attempts": 3, "pause": 0.5},
    )
    tally = run(empty, 0)
    answered = tally.answered()
    assert answered <= 2
    assert 3 * tally.requests - 2 * answered <= tally.calls <= 3 * tally.requests


def test_retry_amplification_with_independent_refusals(scenario):
    # Outages refuse region `a` always and `b` never; a draw by 70/30 makes refusals independent with p = 0.7, so
    # calls per request are 1 + p + p^2 and success is 1 - p^3.
    split = scenario(
        rpm={"a": 1e6, "b": 1e6},
        load={"kind": "poisson", "requestsPerSecond": 20, "durationSeconds": 100},
        client={"pick": "weighted", "weights": {"a": 70, "b": 30}, "attempts": 3},
        faults=[{"kind": "outage", "region": "a", "fromSeconds": 0, "toSeconds": 1000}],
    )
    assert_theory(split, lambda tally: tally.calls / tally.requests, 1 + 0.7 + 0.49)
    assert_theory(split, lambda tally: tally.answered() / tally.requests, 1 - 0.7**3)


def test_requests_under_way_follow_littles_law(scenario):
    # M/G/infinity: callers never wait for each other. Mean number under way = rate x mean latency; the mean of a
    # log-normal is median x exp(sigma^2 / 2).
    load = scenario(
        rpm=1e6, median=300, p95=900, load={"kind": "poisson", "requestsPerSecond": 20, "durationSeconds": 200}
    )
    sigma = math.log(3) / 1.6448536269514722
    expected = 20 * 0.3 * math.exp(sigma**2 / 2)

    def under_way(tally):
        total = sum((low + high) / 2 * count for low, high, count in tally.latency().bars())
        return total / 200

    # The sketch knows a latency within 0.5 %.
    assert_theory(load, under_way, expected, floor=0.005 * expected)


def test_closed_loop_throughput_is_callers_over_cycle_time(scenario):
    # Machine repairman without contention: N callers, each cycle lasts latency + think time.
    load = scenario(
        rpm=1e6,
        load={"kind": "closed", "callers": 30, "thinkSeconds": 0.7, "durationSeconds": 300},
    )
    # Callers start within the first cycle: up to one request each.
    assert_theory(load, lambda tally: tally.requests / 300, 30 / (0.3 + 0.7), floor=30 / 300)


def test_a_burst_of_callers_takes_as_long_as_its_rounds(scenario):
    load = scenario(rpm=1e6, load={"kind": "burst", "requests": 200, "callers": 20})
    # Ten rounds of 0.3 s, callers start within 10 ms.
    assert run(load, 0).elapsed_s == pytest.approx(10 * 0.3, abs=0.011)


def test_erlang_loss_of_a_region_that_admits_what_it_can_hold(scenario):
    # A bucket of one request that refills at rate mu is a single place that frees after exactly 1/mu: M/D/1/1. By
    # insensitivity Erlang's loss formula holds for any service time: B = a / (1 + a).
    for rate in (0.5, 1.0, 2.0):
        load = scenario(rpm=1, load={"kind": "poisson", "requestsPerSecond": rate / 60, "durationSeconds": 60_000})
        assert_theory(
            load,
            lambda tally: tally.refused_calls / tally.requests,
            rate / (1 + rate),
            runs=10,
            # Refill does not stop while the place is free, it is capped: the bucket is the place. No end effect but
            # the first request.
            floor=0.002,
        )


def test_the_interval_covers_the_mean_as_often_as_it_says():
    # 95 % intervals of means of normal numbers: of 400 intervals 380 +- 3.29 x sqrt(400 x 0.95 x 0.05) cover.
    rng = stream(1, "coverage")
    covered = 0
    for _ in range(400):
        value = figure([normal(rng.random()) for _ in range(8)])
        covered += value.low <= 0 <= value.high
    assert abs(covered - 380) <= WITHIN * math.sqrt(400 * 0.95 * 0.05)
