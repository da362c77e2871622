"""What a run began with, and what of it is counted."""

import pytest

from sinbin.foundry.models import model_facts
from sinbin.foundry.quota import Demand, PayAsYouGo, Provisioned, QuotaOptions, Refusal
from sinbin.simulate.run import run
from sinbin.simulate.scenario_file import ScenarioError

STEADY = {"kind": "steady", "requestsPerSecond": 1, "durationSeconds": 100}


def spent(scenario, share, **parts):
    """Return a scenario whose one region begins with `share` of its minute."""
    made = scenario(**parts)
    [region] = made.regions.values()
    return made.model_copy(update={"regions": {"a": region.model_copy(update={"quota_at_start": share})}})


@pytest.mark.parametrize(("share", "answered"), [(1, 60), (0.5, 30), (0, 0)])
def test_a_region_begins_with_the_share_of_its_minute_that_is_left(scenario, share, answered):
    at_once = {"kind": "trace", "times": [0] * 100}
    assert run(spent(scenario, share, rpm=60, load=at_once)).answered() == answered


@pytest.mark.parametrize(
    "limiter", ["token-bucket", "leaky-bucket", "fixed-minute", "sliding-minute", "window-1s", "window-10s"]
)
def test_nothing_is_left_of_a_quota_that_is_spent(limiter):
    quota = PayAsYouGo(
        model_facts("gpt-4.1-mini"), 60, 60_000, QuotaOptions(requests_limiter=limiter, tokens_limiter=limiter)
    )
    quota.spend(5, 1)
    assert isinstance(quota.reserve(5, Demand(10, 10)), Refusal)
    assert not isinstance(quota.reserve(500, Demand(10, 10)), Refusal)


def test_nothing_is_left_of_units_that_are_spent():
    units = Provisioned(model_facts("gpt-4.1-mini"), 1)
    units.spend(5, 0.5)
    assert units.utilization(5) == 0.5
    units.spend(5, 0.5)
    assert units.reserve(5, Demand(10, 10)) == Refusal("utilization", 0)
    assert units.utilization(35) == 0.5


def test_the_warm_up_is_not_counted(scenario):
    # A bucket of 30 that is empty fills at one every 2 s: one request in two is answered, whatever came before.
    warm = scenario(rpm=30, load=STEADY | {"durationSeconds": 300}).model_copy(update={"warm_up_seconds": 100})
    tally = run(warm)
    [kind] = tally.kinds.values()
    assert kind.requests == pytest.approx(200, abs=1)
    assert tally.answered() + sum(kind.unanswered.values()) == kind.requests
    assert tally.answered() == pytest.approx(100, abs=2)
    assert tally.regions["a"].calls == tally.requests
    assert tally.elapsed_s == pytest.approx(200, abs=1)
    assert sum(tally.regions["a"].answered.counts) == tally.answered()


def test_requests_under_way_at_its_end_are_counted_when_they_end(scenario):
    # Each takes 10 s through a gateway, so that ten are under way at any time.
    slow = scenario(rpm=6000, median=10_000, p95=10_000, load=STEADY, gateway={"pool": {"a": {}}})
    tally = run(slow.model_copy(update={"warm_up_seconds": 50}))
    assert (tally.requests, tally.answered()) == (60, 60)


def test_who_was_refused_and_sat_out_before_is_forgotten(scenario):
    tripped = scenario(
        rpm=600,
        load=STEADY,
        gateway={"pool": {"a": {}}, "circuitBreaker": {"count": 1, "tripDuration": "PT10S"}},
        faults=[{"kind": "outage", "region": "a", "fromSeconds": 0, "toSeconds": 20}],
    )
    assert run(tripped).sit_out_count == 2
    tally = run(tripped.model_copy(update={"warm_up_seconds": 50}))
    assert (tally.sit_out_count, tally.failed_calls, tally.refused_at_gateway, tally.unanswered_by_status()) == (
        0,
        0,
        {},
        {},
    )


@pytest.mark.parametrize(
    ("load", "message"),
    [
        (STEADY, "test: warmUpSeconds: must be less than load.durationSeconds 100 (got 100)"),
        (
            {"kind": "burst", "requests": 5},
            'test: warmUpSeconds: is for loads with durationSeconds; one of kind "burst" has none',
        ),
    ],
)
def test_a_warm_up_must_leave_something_to_count(scenario, load, message):
    with pytest.raises(ScenarioError) as refused:
        scenario(load=load, warmUpSeconds=100)
    assert str(refused.value) == message
