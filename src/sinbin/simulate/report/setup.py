"""What was simulated, in words: load, pools, breakers, retries, and faults with their times."""

from collections.abc import Iterable, Iterator

from sinbin.durations import format_duration
from sinbin.settings.schema import CircuitBreakerSettings
from sinbin.simulate.scenario import Fault, GatewaySetup, Outage, QuotaCut, Scenario
from sinbin.simulate.stack import StackScenario
from sinbin.topology import CircuitBreaker


def setup_of(scenario: Scenario) -> list[str]:
    """Return the setup of `scenario`, one sentence per part."""
    load = scenario.load.model_dump(by_alias=True, exclude_none=True, exclude={"mix", "kind", "times"})
    said = ", ".join(
        key if value is True else f"{key} {value:g}" if isinstance(value, float | int) else f"{key} varies"
        for key, value in load.items()
        if value is not False
    )
    lines = [f"{scenario.load.kind} load ({said})"]
    if isinstance(scenario, StackScenario):
        lines += _deployed(scenario)
    elif scenario.gateway is not None:
        lines += _gateway(scenario.gateway)
    else:
        lines.append("straight to the regions")
    lines += [f"fault: {_fault(fault)}" for fault in scenario.faults]
    return lines


def _gateway(setup: GatewaySetup) -> Iterator[str]:
    members = ((name, one.priority, one.weight) for name, one in setup.pool.items())
    yield f"through the gateway, pool: {_members(members)}"
    yield f"breaker: {_wanted(setup.circuit_breaker)}"
    retry = setup.retry
    yield "retries: none" if retry is None else f"retries: {retry.count}, {_pause(retry.interval_seconds)}"


def _deployed(scenario: StackScenario) -> Iterator[str]:
    configuration = scenario.deployed.configuration
    units = scenario.deployed.instances
    yield f"through the gateway and its rendered policies, {units} unit{'s' if units > 1 else ''}"
    rules: dict[CircuitBreaker | None, list[str]] = {}
    for backend in configuration.backends:
        if backend.name in scenario.regions:
            rules.setdefault(backend.circuit_breaker, []).append(backend.name)
    for pool in configuration.pools:
        members = [one for one in pool.members if one.backend in scenario.regions]
        if members:
            listed = _members((one.backend, one.priority, one.weight) for one in members)
            yield f"pool {pool.name}: {listed}"
    for rule, names in rules.items():
        of = "" if len(rules) == 1 else f" of {', '.join(names)}"
        yield f"breaker{of}: {_rule(rule)}"


def _wanted(rule: CircuitBreakerSettings | None) -> str:
    if rule is None:
        return "none"
    codes = (*rule.status_codes, *rule.error_reasons)
    return _breaker(rule, rule.percentage, rule.count, codes, (rule.interval, rule.trip_duration))


def _rule(rule: CircuitBreaker | None) -> str:
    if rule is None:
        return "none"
    spans = (f"{one.low}-{one.high}" if one.low < one.high else str(one.low) for one in rule.status_ranges)
    times = format_duration(rule.interval_s), format_duration(rule.trip_duration_s)
    return _breaker(rule, rule.failure_percentage, rule.failure_count, (*spans, *rule.error_reasons), times)


def _breaker(
    rule: CircuitBreaker | CircuitBreakerSettings,
    percentage: int | None,
    count: int | None,
    codes: Iterable[str],
    times: tuple[str, str],
) -> str:
    failures = f"{percentage} % failures" if percentage is not None else _count(count or 1)
    asked = ", or as long as Retry-After says" if rule.accept_retry_after else ""
    return f"{failures} ({', '.join(codes)}) within {times[0]}; sits out {times[1]}{asked}"


def _count(failures: int) -> str:
    return f"{failures} failure{'s' if failures > 1 else ''}"


def _pause(seconds: float) -> str:
    return f"{seconds:g} s apart" if seconds else "at once"


def _members(members: Iterable[tuple[str, int, int]]) -> str:
    return ", ".join(f"{name} (priority {priority}, weight {weight})" for name, priority, weight in members)


def _fault(fault: Fault) -> str:
    when = f"of {fault.region} from {fault.from_seconds:g} to {fault.to_seconds:g} s"
    if isinstance(fault, Outage):
        return f"outage {when}, answered with {fault.status}"
    if isinstance(fault, QuotaCut):
        return f"quota {when}, {fault.share:.0%} left"
    return f"slowness {when}, {fault.factor:g} times as long"
