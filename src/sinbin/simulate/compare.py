"""Gateway against client: the same requests through both, and who wins.

The rule is the one that was fixed before the published main test: the gateway counts as better with more than 2
points more success, or a 95th percentile more than 50 ms faster. Here it is read in both directions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sinbin.simulate.results import Figure, Result, figure
from sinbin.simulate.scenario import Client, Scenario
from sinbin.simulate.scenario_file import ScenarioError

SUCCESS_POINTS = 2.0
P95_MS = 50.0

_PURPOSE = "compare judges a gateway against a client; to see any scenarios side by side"
Side = Literal["gateway", "client"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the rule says of a pair; differences are gateway minus client, replication by replication."""

    gateway: Result
    client: Result
    success_points: Figure
    p95_ms: Figure
    more_success: Side | None
    faster: Side | None

    @property
    def winner(self) -> Side | None:
        """Who is better by the rule; None when neither is, or each in something else."""
        sides = {self.more_success, self.faster} - {None}
        return sides.pop() if len(sides) == 1 else None

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        success = f"{abs(self.success_points.mean):.1f} points of success"
        p95 = f"{abs(self.p95_ms.mean):.0f} ms of p95"
        if self.more_success and self.faster and self.more_success != self.faster:
            return f"each wins something: the {self.more_success} {success} more, the {self.faster} {p95} less"
        if self.winner is None:
            return f"neither wins: {success} (more than 2 decide) and {p95} (more than 50 decide) lie between them"
        reasons = [f"{success} more"] if self.more_success else []
        reasons += [f"{p95} less"] if self.faster else []
        return f"the {self.winner} wins: {' and '.join(reasons)}"

    @property
    def certain(self) -> bool:
        """Whether the confidence intervals lie on one side of the rule's limits."""
        return all(
            value.low > limit or value.high < limit
            for value, bound in ((self.success_points, SUCCESS_POINTS), (self.p95_ms, P95_MS))
            for limit in (-bound, bound)
        )

    def as_json(self) -> dict[str, Any]:
        """Return the verdict for a JSON document."""
        return {
            "winner": self.winner,
            "sentence": self.sentence,
            "certain": self.certain,
            "success_points": self.success_points.as_json(),
            "p95_ms": self.p95_ms.as_json(),
            "gateway": self.gateway.as_json(),
            "client": self.client.as_json(),
        }


def pairs_of(scenarios: Sequence[Scenario], sources: Sequence[str]) -> list[tuple[Scenario, Scenario]]:
    """Return the pairs that `scenarios` are: each describes both sides, or a gateway is followed by its client.

    Raises:
        ScenarioError: a scenario is no side of a pair.
    """
    pairs: list[tuple[Scenario, Scenario]] = []
    index = 0
    while index < len(scenarios):
        first = scenarios[index]
        second = scenarios[index + 1] if index + 1 < len(scenarios) else None
        if first.gateway is not None and second is not None and second.gateway is None:
            pairs.append((first, second))
            index += 2
        else:
            pairs.append(pair_of(first, sources[index]))
            index += 1
    return pairs


def pair_of(scenario: Scenario, source: str) -> tuple[Scenario, Scenario]:
    """Return the two sides of a scenario that describes a gateway and a client.

    Behind the gateway the callers try once; without it they do what `client` says.

    Raises:
        ScenarioError: the scenario has no gateway, or its client could not go to the regions alone.
    """
    if scenario.gateway is None:
        message = f"{source}: has no gateway, and no scenario with one stands before it; {_PURPOSE}"
        raise ScenarioError([f"{message}: sinbin simulate {source}"])
    if scenario.client.pick == "weighted" and scenario.client.weights is None and len(scenario.regions) > 1:
        message = (
            f"{source}: has a gateway, and no client that could do without it; write under `client` how callers "
            "choose a region by themselves (pick: even, or weights by region), or let a scenario without a "
            f"gateway follow; {_PURPOSE}"
        )
        raise ScenarioError([f"{message}: sinbin simulate {source} OTHER.yaml"])
    return (
        scenario.model_copy(update={"name": f"{scenario.name}: gateway", "client": Client()}),
        scenario.model_copy(update={"name": f"{scenario.name}: client", "gateway": None}),
    )


def judge(gateway: Result, client: Result) -> Verdict:
    """Return what the rule says of two results over the same seeds."""
    pairs = list(zip(gateway.replications, client.replications, strict=True))
    success = figure([one["success_pct"] - other["success_pct"] for one, other in pairs])
    p95 = figure([one["p95_ms"] - other["p95_ms"] for one, other in pairs])
    return Verdict(
        gateway=gateway,
        client=client,
        success_points=success,
        p95_ms=p95,
        more_success=_side(success.mean, SUCCESS_POINTS),
        faster=_side(-p95.mean, P95_MS),
    )


def _side(difference: float, bound: float) -> Side | None:
    if difference > bound:
        return "gateway"
    return "client" if difference < -bound else None
