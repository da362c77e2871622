"""A stack as a plain scenario: its pools, breakers and retries, without its policy documents.

Fast, and the same routing: what an alias's callers meet when no consumer's own limit binds.
"""

from collections.abc import Mapping
from typing import Any

from sinbin.durations import format_duration
from sinbin.errors import SinbinError
from sinbin.simulate.assumed import StackBased, of_a_load
from sinbin.simulate.scenario import Latency
from sinbin.simulate.scenario_file import parse_scenario
from sinbin.simulate.stack import alias_regions, find_route
from sinbin.topology import CircuitBreaker, Retry, Topology


def routing_scenario(
    topology: Topology, load: Mapping[str, Any], *, alias: str | None = None, latency: Latency | None = None
) -> StackBased:
    """Return the scenario of `load` on the pools of `alias`; None = the first alias.

    A segmented alias is one pool here: all its backends.

    Raises:
        SinbinError: the stack has no such alias, or the load does not describe one.
    """
    route = find_route(topology, alias)
    regions = alias_regions(topology, route, latency)
    members = {
        member.backend: member for _, target in route.targets for member in topology.target_backends(target)
    }
    breakers = [topology.backend(name).circuit_breaker for name in members]
    read = parse_scenario(
        {
            "name": f"{topology.environment}: {route.alias}",
            "regions": {name: region.model_dump(by_alias=True) for name, region in regions.items()},
            "load": dict(load),
            "gateway": {
                "pool": {
                    name: {"priority": member.priority, "weight": member.weight}
                    for name, member in members.items()
                    if name in regions
                },
                "circuitBreaker": _breaker(breakers[0]),
                "retry": _retry(route.retry),
                "instances": topology.gateway.home.capacity or 1,
            },
        },
        source=f"stack {topology.environment}",
    )
    return StackBased.model_validate({**dict(read), "assumed": of_a_load(load, ())})


def _breaker(rule: CircuitBreaker | None) -> dict[str, Any] | None:
    if rule is None:
        return None
    if rule.failure_response_status is not None:
        raise SinbinError(
            "a scenario has no failure response; simulate the stack's own policies, without --routing-only"
        )
    return {
        "count": rule.failure_count,
        "percentage": rule.failure_percentage,
        "interval": format_duration(rule.interval_s),
        "tripDuration": format_duration(rule.trip_duration_s),
        "statusCodes": [f"{span.low}-{span.high}" for span in rule.status_ranges],
        "errorReasons": list(rule.error_reasons),
        "acceptRetryAfter": rule.accept_retry_after,
    }


def _retry(retry: Retry | None) -> dict[str, Any] | None:
    if retry is None:
        return None
    return {
        "count": retry.count,
        "intervalSeconds": round(retry.interval_s),
        "deltaSeconds": None if retry.delta_s is None else round(retry.delta_s),
        "maxIntervalSeconds": None if retry.max_interval_s is None else round(retry.max_interval_s),
        "firstFastRetry": retry.first_fast_retry,
    }
