import dataclasses

import pytest

from components.backend import Backend, BackendArgs
from sinbin.errors import SinbinError
from sinbin.topology import Backend as Spec
from sinbin.topology import CircuitBreaker, StatusRange

BREAKER = CircuitBreaker(
    failure_count=3,
    interval_s=60.0,
    trip_duration_s=90.0,
    status_ranges=(StatusRange(low=429, high=429), StatusRange(low=500, high=599)),
    accept_retry_after=True,
)


def program(place, grant, breaker):
    spec = Spec(
        name="mini-uksouth",
        region="uksouth",
        account="chat-uksouth",
        deployment="mini",
        url="https://chat-uksouth.openai.azure.com/openai/deployments/mini",
        circuit_breaker=breaker,
    )

    def run():
        Backend(spec.name, BackendArgs(spec=spec, grant=grant(), **place))

    return run


def test_a_backend_trips_by_one_rule(declare, place, grant):
    backend = declare(program(place, grant, BREAKER)).one("apimanagement:Backend")
    assert backend.urn == (
        "urn:pulumi:test::sinbin::sinbin:components:Backend$azure-native:apimanagement:Backend::mini-uksouth"
    )
    assert backend.inputs == {
        "backendId": "mini-uksouth",
        "resourceGroupName": "rg",
        "serviceName": "gateway",
        "type": "Single",
        "url": "https://chat-uksouth.openai.azure.com/openai/deployments/mini",
        "protocol": "http",
        "circuitBreaker": {
            "rules": [
                {
                    "name": "sin-bin",
                    "failureCondition": {
                        "count": 3,
                        "interval": "PT1M",
                        "statusCodeRanges": [{"min": 429, "max": 429}, {"min": 500, "max": 599}],
                    },
                    "tripDuration": "PT1M30S",
                    "acceptRetryAfter": True,
                }
            ]
        },
    }


def test_a_share_of_failures_and_transport_errors_trip_it_too(declare, place, grant):
    breaker = dataclasses.replace(
        BREAKER, failure_count=None, failure_percentage=50, error_reasons=("Timeout",), status_ranges=()
    )
    [rule] = declare(program(place, grant, breaker)).one("apimanagement:Backend").inputs["circuitBreaker"]["rules"]
    assert rule["failureCondition"] == {
        "percentage": 50,
        "interval": "PT1M",
        "statusCodeRanges": [],
        "errorReasons": ["Timeout"],
    }


def test_without_a_breaker_the_property_is_left_out(declare, place, grant):
    assert "circuitBreaker" not in declare(program(place, grant, None)).one("apimanagement:Backend").inputs


def test_a_backend_waits_for_the_right_to_call_it(declare, place, grant):
    backend = declare(program(place, grant, None)).one("apimanagement:Backend")
    assert backend.depends_on == ("urn:pulumi:test::sinbin::azure-native:resources:ResourceGroup::grant",)


def test_a_status_for_an_open_circuit_is_refused_and_not_lost(declare, place, grant):
    breaker = dataclasses.replace(BREAKER, failure_response_status=429)
    with pytest.raises(SinbinError) as refused:
        declare(program(place, grant, breaker))
    assert str(refused.value) == (
        "backend mini-uksouth: circuitBreaker.failureResponseStatus is not in the API Management contract that "
        "pulumi-azure-native binds (2024-05-01); leave it out, callers then get 503 while the circuit is open"
    )
