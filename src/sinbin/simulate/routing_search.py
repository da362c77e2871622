"""Which routing suits a load: every combination is simulated, the best are explained."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from sinbin.settings.schema import CircuitBreakerSettings
from sinbin.simulate.capacity import demand_of, supplies
from sinbin.simulate.replications import replicate
from sinbin.simulate.results import Result
from sinbin.simulate.scenario import Client, GatewayRetry, GatewaySetup, Member, Region, Scenario
from sinbin.simulate.sizing import Lost, lose

_LARGEST_WEIGHT = 100

STRATEGIES = ("priority", "by quota", "even")
BREAKERS = ("no breaker", "breaker at 1", "breaker at 3")
RETRIES = ("no retry", "2 retries at once", "2 retries after 1 s")


@dataclass(frozen=True, slots=True)
class Routing:
    """One choice of each."""

    strategy: str
    breaker: str
    retry: str

    @property
    def name(self) -> str:
        """The choices in words."""
        return f"{self.strategy}, {self.breaker}, {self.retry}"


@dataclass(frozen=True, slots=True)
class Tried:
    """A routing and what came of it: normally, and with the worst region lost."""

    routing: Routing
    normal: Result
    lost: Result

    @property
    def rank(self) -> tuple[float, float, float, float]:
        """What is compared: success in the worse case, success normally, p95, calls; smaller is better."""
        usual, worse = self.normal.total, self.lost.total
        return (
            -round(worse["success_pct"].mean, 1),
            -round(usual["success_pct"].mean, 1),
            round(usual["p95_ms"].mean, -1),
            usual["calls_per_request"].mean,
        )

    def as_json(self) -> dict[str, Any]:
        """Return the trial for a JSON document."""
        return {
            "routing": self.routing.name,
            "success_pct": self.normal.total["success_pct"].as_json(),
            "success_pct_region_lost": self.lost.total["success_pct"].as_json(),
            "p95_ms": self.normal.total["p95_ms"].as_json(),
            "calls_per_request": self.normal.total["calls_per_request"].as_json(),
        }


def routed(scenario: Scenario, routing: Routing) -> Scenario:
    """Return `scenario` with a gateway of that routing; fastest region first, where the order matters."""
    members = _members(scenario, routing.strategy)
    breaker = {
        "no breaker": None,
        "breaker at 1": CircuitBreakerSettings(count=1),
        "breaker at 3": CircuitBreakerSettings(count=3),
    }[routing.breaker]
    retry = {
        "no retry": None,
        "2 retries at once": GatewayRetry(count=2, interval_seconds=0),
        "2 retries after 1 s": GatewayRetry(count=2, interval_seconds=1, first_fast_retry=False),
    }[routing.retry]
    instances = scenario.gateway.instances if scenario.gateway is not None else 1
    return scenario.model_copy(
        update={
            "name": routing.name,
            "client": Client(),
            "gateway": GatewaySetup(pool=members, circuit_breaker=breaker, retry=retry, instances=instances),
        }
    )


def _members(scenario: Scenario, strategy: str) -> dict[str, Member]:
    regions = scenario.regions

    def speed(item: tuple[str, Region]) -> float:
        region = item[1]
        return (region.gateway_latency or region.latency).median_ms

    if strategy == "priority":
        ordered = sorted(regions.items(), key=speed)
        return {name: Member(priority=rank) for rank, (name, _) in enumerate(ordered, 1)}
    if strategy == "even":
        return {name: Member() for name in regions}
    served = {one.region: one.serves_rpm for one in supplies(regions, demand_of(scenario))}
    most = max(served.values())
    return {name: Member(weight=max(1, round(_LARGEST_WEIGHT * rpm / most))) for name, rpm in served.items()}


def search(
    scenario: Scenario, worst: Lost, *, runs: int, workers: int = 1, done: Callable[[], None] = lambda: None
) -> list[Tried]:
    """Simulate every routing for `scenario`, normally and with the regions `worst` lost; best first."""
    routings = [Routing(*choice) for choice in product(STRATEGIES, BREAKERS, RETRIES)]
    normal = [routed(scenario, routing) for routing in routings]
    results = replicate([*normal, *(lose(one, worst) for one in normal)], runs=runs, workers=workers, done=done)
    tried = [
        Tried(routing, results[index], results[index + len(routings)]) for index, routing in enumerate(routings)
    ]
    return sorted(tried, key=lambda one: one.rank)


def reasons(tried: Sequence[Tried]) -> list[str]:
    """Return in words what each choice of the best routing brings against its alternatives."""
    best = tried[0]
    found = {one.routing: one for one in tried}
    usual, worse = best.normal.total, best.lost.total
    answered = f"{usual['success_pct'].mean:.1f} % answered, {worse['success_pct'].mean:.1f} % with a region lost"
    sentences = [f"best: {best.routing.name}; {answered}, p95 {usual['p95_ms'].mean:.0f} ms"]
    for field, options in (("strategy", STRATEGIES), ("breaker", BREAKERS), ("retry", RETRIES)):
        chosen = getattr(best.routing, field)
        for option in options:
            if option != chosen:
                other = found[replace(best.routing, **{field: option})]
                sentences.append(f"{option} instead of {chosen}: {_against(best, other)}")
    return sentences


def _against(best: Tried, other: Tried) -> str:
    parts: list[str] = []
    for label, mine, theirs in (
        ("answered", best.normal, other.normal),
        ("answered with a region lost", best.lost, other.lost),
    ):
        change = theirs.total["success_pct"].mean - mine.total["success_pct"].mean
        if abs(change) >= 0.1:
            parts.append(f"{change:+.1f} points {label}")
    slower = other.normal.total["p95_ms"].mean - best.normal.total["p95_ms"].mean
    if abs(slower) >= 10:
        parts.append(f"{slower:+.0f} ms of p95")
    calls = other.normal.total["refused_calls"].mean - best.normal.total["refused_calls"].mean
    if abs(calls) >= 1:
        parts.append(f"{calls:+.0f} refused calls a run")
    return ", ".join(parts) or "no difference at this load"
