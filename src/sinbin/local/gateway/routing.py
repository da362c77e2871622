"""Backends and pools of a gateway for people who look at it: what is configured beside what happened."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from sinbin.gateway.configuration import Backend, GatewayConfiguration, Pool
from sinbin.local.gateway.activity import Calls
from sinbin.local.gateway.destinations import REGION_DOMAINS
from sinbin.topology import PoolMember


def describe_backends(configuration: GatewayConfiguration) -> list[dict[str, Any]]:
    """Return every backend with its breaker's rule and the Foundry account behind it (None = another server)."""
    return [
        {
            "name": backend.name,
            "url": backend.url,
            "region": backend.region,
            "account": _account(backend.url),
            "breaker": _rule(backend),
        }
        for backend in configuration.backends
    ]


def describe_pools(configuration: GatewayConfiguration, calls: Mapping[str, Calls]) -> list[dict[str, Any]]:
    """Return every pool with the share of calls that each member is to get and the calls of the last minute.

    Args:
        configuration: what the gateway runs.
        calls: those of the last minute by backend; one that is in several pools shows all its calls in each.
    """
    described = []
    for pool in configuration.pools:
        shares = configured_shares(pool)
        members = []
        for member in pool.members:
            its = calls.get(member.backend, Calls())
            members.append(
                {
                    "backend": member.backend,
                    "priority": member.priority,
                    "weight": member.weight,
                    "share": shares[member.backend],
                    "calls": its.sent,
                    "refused": its.refused,
                    "failed": its.failed,
                }
            )
        described.append({"name": pool.name, "members": members})
    return described


def configured_shares(pool: Pool) -> dict[str, float]:
    """Return the share of calls (0 to 1) that each member gets while nobody sits out.

    Members of a later priority get none: they take over from the first.
    """
    first = min(member.priority for member in pool.members)
    playing = [member for member in pool.members if member.priority == first]
    total = sum(member.weight for member in playing)

    def share(member: PoolMember) -> float:
        if member not in playing:
            return 0.0
        return member.weight / total if total else 1 / len(playing)

    return {member.backend: share(member) for member in pool.members}


def _rule(backend: Backend) -> dict[str, Any] | None:
    rule = backend.circuit_breaker
    if rule is None:
        return None
    return {
        "failures": rule.failure_count,
        "percentage": rule.failure_percentage,
        "intervalS": rule.interval_s,
        "tripS": rule.trip_duration_s,
        "acceptRetryAfter": rule.accept_retry_after,
    }


def _account(url: str) -> str | None:
    try:
        account, _, domain = (urlsplit(url).hostname or "").partition(".")
    except ValueError:
        return None
    return account if domain in REGION_DOMAINS else None
