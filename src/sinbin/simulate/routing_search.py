"""Which routing suits a load: every combination is simulated, the best are explained."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from sinbin.settings.schema import CircuitBreakerSettings
from sinbin.simulate.capacity import demand_of, supplies
from sinbin.simulate.replications import replicate
from sinbin.simulate.results import Figure, Result, figure
from sinbin.simulate.scenario import Client, GatewayRetry, GatewaySetup, Member, Region, Scenario
from sinbin.simulate.sizing import Lost, lose
from sinbin.simulate.tables import show

_LARGEST_WEIGHT = 100

STRATEGIES = ("priority", "by quota", "even")
BREAKERS = ("breaker at 1", "breaker at 3", "no breaker")
RETRIES = ("2 retries at once", "no retry", "2 retries after 1 s")
"""Of each, what a stack file without a word about it deploys stands first; so on a tie that is chosen."""


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
class _Aspect:
    """Something by which routings are compared."""

    lost: bool
    """With the worst region lost, else normally."""
    key: str
    least: float
    """A smaller difference is none, however certain."""
    more_is_better: bool
    digits: int
    what: str


_ASPECTS = (
    _Aspect(False, "success_pct", 0.1, True, 1, "points answered"),
    _Aspect(True, "success_pct", 0.1, True, 1, "points answered with a region lost"),
    _Aspect(False, "p95_ms", 10, False, 0, "ms of p95"),
    _Aspect(False, "refused_calls", 1, False, 0, "refused calls a run"),
)


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
            -worse["success_pct"].mean,
            -usual["success_pct"].mean,
            usual["p95_ms"].mean,
            usual["calls_per_request"].mean,
        )

    def differs(self, other: "Tried") -> list[tuple[_Aspect, Figure]]:
        """Return in what `other` certainly differs, and by how much: other minus this, over the same requests."""
        found = []
        for aspect in _ASPECTS:
            mine, theirs = (one.lost if aspect.lost else one.normal for one in (self, other))
            pairs = zip(mine.replications, theirs.replications, strict=True)
            change = figure([theirs_[aspect.key] - mine_[aspect.key] for mine_, theirs_ in pairs])
            if abs(change.mean) >= aspect.least and not change.low <= 0 <= change.high:
                found.append((aspect, change))
        return found

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
    """Simulate every routing for `scenario`, normally and with the regions `worst` lost; best first.

    Routings that are no worse than the one with the best figures, for all that is certain, are as good as it: of
    them the one nearest to what a stack deploys unless told otherwise comes first.
    """
    routings = [Routing(*choice) for choice in product(STRATEGIES, BREAKERS, RETRIES)]
    normal = [routed(scenario, routing) for routing in routings]
    results = replicate([*normal, *(lose(one, worst) for one in normal)], runs=runs, workers=workers, done=done)
    tried = [
        Tried(routing, results[index], results[index + len(routings)]) for index, routing in enumerate(routings)
    ]
    first = min(tried, key=lambda one: one.rank)
    equal = as_good(first, tried)
    return [*equal, *sorted((one for one in tried if one not in equal), key=lambda one: one.rank)]


def as_good(best: Tried, tried: Sequence[Tried]) -> list[Tried]:
    """Return those of `tried` that are nowhere certainly worse than `best`, in success or p95; with `best`."""
    return [
        one
        for one in tried
        if not any(
            (change.mean < 0) == aspect.more_is_better
            for aspect, change in best.differs(one)
            if aspect.key != "refused_calls"
        )
    ]


def reasons(tried: Sequence[Tried]) -> list[str]:
    """Return in words what each choice of the best routing brings against its alternatives."""
    best = tried[0]
    found = {one.routing: one for one in tried}
    usual, worse = best.normal.total, best.lost.total
    answered = f"{show(usual['success_pct'], '%')} answered, {show(worse['success_pct'], '%')} with a region lost"
    sentences = [f"best: {best.routing.name}; {answered}, p95 {show(usual['p95_ms'], 'ms')}"]
    others = len(as_good(best, tried)) - 1
    if others:
        sentences.append(
            f"{others} of the other {len(tried) - 1} routings are as good, for all that {best.normal.runs} runs "
            "can tell; of equals the one nearest to what a stack deploys unless told otherwise is named"
        )
    for field, options in (("strategy", STRATEGIES), ("breaker", BREAKERS), ("retry", RETRIES)):
        chosen = getattr(best.routing, field)
        for option in options:
            if option != chosen:
                differences = best.differs(found[replace(best.routing, **{field: option})])
                said = ", ".join(_in_words(aspect, change) for aspect, change in differences)
                sentences.append(f"{option} instead of {chosen}: {said or 'no difference at this load'}")
    return sentences


def _in_words(aspect: _Aspect, change: Figure) -> str:
    half = f" ± {(change.high - change.low) / 2:.{aspect.digits}f}" if change.high > change.low else ""
    return f"{change.mean:+.{aspect.digits}f}{half} {aspect.what}"
