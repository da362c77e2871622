"""What is configured beside what happened: shares of pools, and the calls of the last minute."""

import pytest

from sinbin.gateway.configuration import Backend, GatewayConfiguration, Pool
from sinbin.gateway.effects import TransportError
from sinbin.gateway.messages import Headers, HttpResponse
from sinbin.local.gateway.activity import Activity, Calls
from sinbin.local.gateway.routing import configured_shares, describe_backends, describe_pools
from sinbin.topology import CircuitBreaker, PoolMember, StatusRange


def answer(status):
    return HttpResponse(status, Headers(), b"")


def pool(*members):
    """Return a pool of (backend, priority, weight)."""
    return Pool(name="p", members=tuple(PoolMember(backend=b, priority=p, weight=w) for b, p, w in members))


def test_calls_of_all_kinds_are_counted_by_backend():
    activity = Activity()
    for outcome in (answer(200), answer(429), answer(503), answer(404), TransportError("dns")):
        activity.note(10.0, "a", outcome)
    activity.note(10.0, "b", answer(200))
    assert activity.last_minute(10.5) == {"a": Calls(sent=5, refused=1, failed=2), "b": Calls(sent=1)}


def test_calls_are_forgotten_after_a_minute():
    activity = Activity()
    activity.note(10.2, "a", answer(200))
    activity.note(40.0, "a", answer(200))
    assert activity.last_minute(69.9)["a"].sent == 2
    assert activity.last_minute(70.1)["a"].sent == 1
    assert activity.last_minute(100.1) == {}


def test_a_second_that_comes_round_again_starts_empty():
    activity = Activity()
    activity.note(10.0, "a", answer(200))
    activity.note(70.0, "b", answer(200))
    assert activity.last_minute(70.0) == {"b": Calls(sent=1)}


@pytest.mark.parametrize(
    ("members", "shares"),
    [
        ([("a", 1, 90), ("b", 1, 10)], {"a": 0.9, "b": 0.1}),
        ([("a", 2, 50), ("b", 1, 1)], {"a": 0.0, "b": 1.0}),
        ([("a", 1, 0), ("b", 1, 0)], {"a": 0.5, "b": 0.5}),
        ([("a", 1, 0), ("b", 1, 3), ("c", 2, 9)], {"a": 0.0, "b": 1.0, "c": 0.0}),
    ],
)
def test_a_share_is_the_weight_within_the_first_priority(members, shares):
    assert configured_shares(pool(*members)) == shares


def test_backends_are_described_with_account_and_breaker():
    breaker = CircuitBreaker(
        failure_count=2,
        interval_s=60,
        trip_duration_s=30,
        status_ranges=(StatusRange(low=429, high=429),),
        accept_retry_after=True,
    )
    configuration = GatewayConfiguration(
        backends=(
            Backend(
                name="a", url="https://acc.openai.azure.com/openai", region="uksouth", circuit_breaker=breaker
            ),
            Backend(name="b", url="http://127.0.0.1:1/x"),
            Backend(name="c", url="http://[::1"),
        ),
        pools=(pool(("a", 1, 1)),),
    )
    rule = {"failures": 2, "percentage": None, "intervalS": 60, "tripS": 30, "acceptRetryAfter": True}
    first, second, third = describe_backends(configuration)
    assert (first["account"], first["region"], first["breaker"]) == ("acc", "uksouth", rule)
    assert (second["account"], second["breaker"], third["account"]) == (None, None, None)
    [described] = describe_pools(configuration, {"a": Calls(sent=3, refused=1)})
    assert described == {
        "name": "p",
        "members": [
            {"backend": "a", "priority": 1, "weight": 1, "share": 1.0, "calls": 3, "refused": 1, "failed": 0}
        ],
    }
