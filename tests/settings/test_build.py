"""Settings → Topology: names, priorities and weights."""

import re
from typing import Any

import pytest

from sinbin.settings import parse_settings
from sinbin.topology import BackendPool, CircuitBreaker, PoolMember, StatusRange, Topology

MODEL = {"name": "gpt-4.1", "version": "2025-04-14"}


def topology(**model: Any) -> Topology:
    """Three regions and one alias; `model` replaces keys of the alias."""
    alias = {
        "alias": "gpt-4.1",
        "model": MODEL,
        "deployments": [{"sku": "Standard", "tokensPerMinute": 60_000}],
    }
    raw = {
        "workload": "chat",
        "environment": "dev",
        "location": "uksouth",
        "apiManagement": {
            "tier": "Developer",
            "location": "uksouth",
            "publisher": {"name": "Contoso", "email": "api@contoso.com"},
        },
        "regions": [{"location": "uksouth"}, {"location": "swedencentral"}, {"location": "eastus2"}],
        "models": [alias | model],
        "consumers": [{"name": "web", "models": ["gpt-4.1"], "dataZone": "EU"}],
    }
    return parse_settings(raw, source="test").to_topology()


def shares(pool: BackendPool) -> list[tuple[str, int, int]]:
    return [(member.backend, member.priority, member.weight) for member in pool.members]


def test_a_priority_pool_follows_the_order_of_the_regions():
    [pool] = topology().pools
    assert pool.name == "pool-gpt-4-1"
    assert shares(pool) == [
        ("gpt-4-1-standard-uksouth", 1, 1),
        ("gpt-4-1-standard-swedencentral", 2, 1),
        ("gpt-4-1-standard-eastus2", 3, 1),
    ]


def test_bought_capacity_comes_before_pay_as_you_go_in_every_region():
    deployments = [
        {"sku": "ProvisionedManaged", "capacityUnits": 50, "regions": ["eastus2"], "priority": 1},
        {"sku": "Standard", "tokensPerMinute": 60_000, "priority": 2},
    ]
    built = topology(deployments=deployments)
    assert shares(built.pools[0]) == [
        ("gpt-4-1-provisionedmanaged-eastus2", 1, 1),
        ("gpt-4-1-standard-uksouth", 2, 1),
        ("gpt-4-1-standard-swedencentral", 3, 1),
        ("gpt-4-1-standard-eastus2", 4, 1),
    ]
    assert [(d.name, d.capacity, d.tokens_per_minute, d.provisioned) for d in built.accounts[2].deployments] == [
        ("gpt-4-1-provisionedmanaged", 50, None, True),
        ("gpt-4-1-standard", 60, 60_000, False),
    ]


def test_a_weighted_pool_has_one_priority():
    weights = {"uksouth": 90, "swedencentral": 5, "eastus2": 5}
    [pool] = topology(routing={"strategy": "weighted", "weights": weights}).pools
    assert [(priority, weight) for _, priority, weight in shares(pool)] == [(1, 90), (1, 5), (1, 5)]


def test_an_even_pool_has_equal_weights():
    [pool] = topology(routing={"strategy": "even"}).pools
    assert [(priority, weight) for _, priority, weight in shares(pool)] == [(1, 1), (1, 1), (1, 1)]


def test_a_single_region_with_one_deployment_needs_no_pool():
    built = topology(routing={"strategy": "single", "region": "swedencentral"})
    assert built.pools == ()
    [route] = built.routes
    assert route.targets == (("", "gpt-4-1-standard-swedencentral"),)
    assert built.target_backends("gpt-4-1-standard-swedencentral") == (
        PoolMember(backend="gpt-4-1-standard-swedencentral", priority=1, weight=1),
    )


def test_segmented_routing_keeps_a_request_in_its_data_zone():
    [route] = topology(routing={"strategy": "segmented", "by": "dataZone"}).routes
    assert route.targets == (
        ("United Kingdom", "gpt-4-1-standard-uksouth"),
        ("EU", "gpt-4-1-standard-swedencentral"),
        ("US", "gpt-4-1-standard-eastus2"),
    )


def test_the_default_breaker_is_the_sin_bin():
    assert topology().backends[0].circuit_breaker == CircuitBreaker(
        failure_count=1,
        interval_s=60,
        trip_duration_s=60,
        status_ranges=(StatusRange(low=429, high=429), StatusRange(low=500, high=599)),
        error_reasons=("BackendConnectionFailure", "Timeout"),
        accept_retry_after=True,
    )


def test_a_breaker_of_status_codes_only_is_asked_for_by_an_empty_list_of_reasons():
    first, *_ = topology(circuitBreaker={"errorReasons": []}).backends
    assert first.circuit_breaker.error_reasons == ()


def test_null_leaves_the_breaker_out():
    assert {b.circuit_breaker for b in topology(circuitBreaker=None).backends} == {None}


def test_the_alias_is_in_no_name_that_a_rename_would_replace():
    built = topology()
    names = [d.logical_name for d in built.deployments] + [d.name for d in built.deployments]
    names += [backend.name for backend in built.backends if backend.deployment]
    assert set(names) == {
        "gpt-4-1-standard",
        *(f"{region}-gpt-4-1-standard" for region in ("uksouth", "swedencentral", "eastus2")),
        *(f"gpt-4-1-standard-{region}" for region in ("uksouth", "swedencentral", "eastus2")),
    }


@pytest.mark.parametrize("name", ["gpt-4.1", "a" * 64])
def test_every_name_is_legal_in_azure(name):
    built = topology(model=MODEL | {"name": name})
    for backend in (*built.backends, *built.pools):
        assert re.fullmatch(r"[a-z0-9-]{1,80}", backend.name)
    for account in built.accounts:
        assert re.fullmatch(r"[a-z0-9][a-z0-9-]{0,62}[a-z0-9]", account.subdomain)
        assert all(re.fullmatch(r"[a-z0-9-]{1,64}", deployment.name) for deployment in account.deployments)
    assert re.fullmatch(r"[a-z](?:[a-z0-9-]{0,48}[a-z0-9])?", built.gateway.name)
    assert len({account.deployments[0].name for account in built.accounts}) == 1
