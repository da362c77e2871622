import pytest

from sinbin.errors import SinbinError
from sinbin.live.clients import Target, target_from
from sinbin.live.rate_limits import RateLimits, parse_rate_limits

TOKENS = {"key": "token", "renewalPeriod": 60, "count": 60_000}
REQUESTS = {"key": "request", "renewalPeriod": 10, "count": 10}


def parsed(properties):
    limits = parse_rate_limits("uksouth", "mini", properties)
    assert (limits.region, limits.deployment) == ("uksouth", "mini")
    return limits.tokens_per_minute, limits.requests_per_minute


@pytest.mark.parametrize(
    ("properties", "expected"),
    [
        ({"rateLimits": [REQUESTS, TOKENS]}, (60_000, 60)),
        ({"ratelimits": [{"Key": "Token", "RenewalPeriod": 60, "Count": 1000}]}, (1000, None)),
        ({"rateLimits": [REQUESTS]}, (None, 60)),  # as a provisioned deployment shows it
        ({"rateLimits": []}, (None, None)),
        ({"rateLimits": None}, (None, None)),
        ({}, (None, None)),
        ({"rateLimits": [{"key": "token", "renewalPeriod": 0, "count": 5}]}, (None, None)),
        ({"rateLimits": [{"key": "token", "renewalPeriod": 60, "count": 0}]}, (0, None)),
    ],
)
def test_limits_are_per_minute_and_what_is_not_said_is_unknown(properties, expected):
    assert parsed(properties) == expected


def limits(tokens, requests):
    return RateLimits(region="r", deployment="d", tokens_per_minute=tokens, requests_per_minute=requests)


@pytest.mark.parametrize(
    ("given", "size", "binds", "sustained"),
    [
        (limits(60_000, 60), 1800, "tokens", 60_000 / 1800),
        (limits(60_000, 60), 100, "requests", 60),
        (limits(60_000, 60), 1000, "requests", 60),
        (limits(None, 60), 100, None, None),
        (limits(60_000, None), 100, None, None),
    ],
)
def test_the_size_of_a_request_decides_which_limit_binds_first(given, size, binds, sustained):
    assert (given.binds_first(size), given.sustained_requests_per_minute(size)) == (binds, sustained)


def test_the_variables_say_where_to_read():
    assert target_from({"AZURE_SUBSCRIPTION_ID": "a"}) == Target("a")
    local = {"ARM_SUBSCRIPTION_ID": "b", "ARM_ENDPOINT": "http://127.0.0.1:4680"}
    assert target_from(local) == Target("b", "http://127.0.0.1:4680")


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({}, "ARM_SUBSCRIPTION_ID: is not set; set it to the id of your Azure subscription"),
        (
            {"ARM_SUBSCRIPTION_ID": "b", "ARM_ENDPOINT": "http://example.com"},
            "ARM_ENDPOINT: http://example.com is not on this machine; unset it to read Azure",
        ),
    ],
)
def test_credentials_are_never_left_out_for_another_machine(variables, message):
    with pytest.raises(SinbinError) as refused:
        target_from(variables)
    assert str(refused.value) == message
