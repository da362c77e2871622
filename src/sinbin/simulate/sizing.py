"""How much quota reaches a target: found by simulation, one region lost or not."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sinbin.simulate.capacity import demand_of, supplies
from sinbin.simulate.replications import replicate
from sinbin.simulate.scenario import Outage, Region, Scenario
from sinbin.simulate.tables import show_pct

_STEP_TOKENS = 1_000
"""Azure gives pay-as-you-go quota in steps of 1,000 tokens per minute."""
_MOST = 64.0
_CLOSE = 0.04
_ROOM = 1.1

Lost = tuple[str, ...]
"""Regions that are lost together; none = nothing is lost."""


@dataclass(frozen=True, slots=True)
class Purchase:
    """What to buy so that `target_pct` of the requests are answered, whichever of `cases` happens."""

    target_pct: float
    reached_pct: float
    """Least success over the cases, with the purchase."""
    today_pct: float
    worst_today: Lost
    factor: float | None
    """All pay-as-you-go quota times this; 1 = enough today, None = no quota reaches the target."""
    tokens_per_minute: dict[str, int]
    """Pay-as-you-go quota by region, as it ought to be."""

    @property
    def sentence(self) -> str:
        """The purchase in words."""
        case = f"with {' and '.join(self.worst_today)} lost" if self.worst_today else "with nothing lost"
        today = f"today {show_pct(self.today_pct)} are answered {case}"
        if self.factor is None:
            return (
                f"{today}; no amount of quota reaches {self.target_pct:g} % with this routing (at most "
                f"{show_pct(self.reached_pct)}): change the routing first"
            )
        if self.factor == 1:
            return f"{today}, so {self.target_pct:g} % are reached; nothing is to be bought"
        return (
            f"{today}; {self.factor:.2f} times the pay-as-you-go quota reaches {self.target_pct:g} % "
            f"({show_pct(self.reached_pct)} simulated)"
        )

    def as_json(self) -> dict[str, Any]:
        """Return the purchase for a JSON document."""
        return {
            "target_pct": self.target_pct,
            "today_pct": round(self.today_pct, 3),
            "reached_pct": round(self.reached_pct, 3),
            "worst_case": list(self.worst_today),
            "factor": None if self.factor is None else round(self.factor, 3),
            "tokens_per_minute": self.tokens_per_minute,
            "sentence": self.sentence,
        }


def lose(scenario: Scenario, regions: Lost) -> Scenario:
    """Return `scenario` with `regions` lost from the start to the end."""
    outages = tuple(
        Outage(kind="outage", region=name, from_seconds=0, to_seconds=1e9, status=503) for name in regions
    )
    return scenario.model_copy(update={"faults": (*scenario.faults, *outages)})


def scaled(scenario: Scenario, factor: float) -> Scenario:
    """Return `scenario` with `factor` times the pay-as-you-go quota, in Azure's steps, requests in proportion."""
    return scenario.model_copy(
        update={"regions": {name: _scaled(region, factor) for name, region in scenario.regions.items()}}
    )


def _scaled(region: Region, factor: float) -> Region:
    if region.provisioned_units is not None:
        return region
    tokens = math.ceil(region.tokens_per_minute * factor / _STEP_TOKENS - 1e-9) * _STEP_TOKENS
    share = tokens / region.tokens_per_minute
    return region.model_copy(
        update={"tokens_per_minute": float(tokens), "requests_per_minute": region.requests_per_minute * share}
    )


def size(
    scenario: Scenario,
    cases: Sequence[Lost],
    *,
    target_pct: float,
    runs: int,
    workers: int = 1,
    done: Callable[[], None] = lambda: None,
) -> Purchase:
    """Return the least pay-as-you-go quota with which success reaches `target_pct` in each of `cases`.

    All regions grow by the same factor, found by bisection to 4 %. Success is the mean over `runs` replications
    that see the same requests at every factor, and never more than lasts.
    """

    def worst(factor: float, among: Sequence[Lost]) -> tuple[float, Lost]:
        wanted = [lose(scaled(scenario, factor) if factor != 1 else scenario, case) for case in among]
        results = replicate(wanted, runs=runs, workers=workers, done=done)
        found = []
        for result, loss, case in zip(results, wanted, among, strict=True):
            simulated = result.total["success_pct"].mean
            found.append((min(simulated, most_in_the_long_run(loss, case)), case))
        # Of cases that are equally bad the one in which most is lost says most.
        return min(found, key=lambda one: (one[0], -len(one[1])))

    today, first_case = worst(1, cases)
    if today >= target_pct:
        return Purchase(target_pct, today, today, first_case, 1, _quota(scenario))
    low, high, case = 1.0, 2.0, first_case
    while True:
        # Only the worst case is looked at on the way; what is found must then do for all of them.
        while worst(high, [case])[0] < target_pct:
            if high >= _MOST:
                return Purchase(target_pct, worst(high, [case])[0], today, first_case, None, {})
            low, high = high, high * 2
        while high / low > 1 + _CLOSE:
            middle = math.sqrt(low * high)
            if worst(middle, [case])[0] >= target_pct:
                high = middle
            else:
                low = middle
        reached, case = worst(high, cases)
        if reached >= target_pct:
            return Purchase(target_pct, reached, today, first_case, high, _quota(scaled(scenario, high)))
        low, high = high, high * (1 + 2 * _CLOSE)


def most_in_the_long_run(scenario: Scenario, lost: Lost) -> float:
    """Return the share (%) of an even load that the quota that is left can serve for ever, `lost` gone.

    A region that sat out has saved up a minute's quota, which may last as long as a simulation. Of a load that
    comes and goes no more is known than that: 100.
    """
    if not hasattr(scenario.load, "requests_per_second"):
        return 100.0
    demand = demand_of(scenario)
    left = {name: region for name, region in scenario.regions.items() if name not in lost}
    return min(100.0, 100 * sum(one.serves_rpm for one in supplies(left, demand)) / (60 * demand.rps))


def _quota(scenario: Scenario) -> dict[str, int]:
    return {
        name: round(region.tokens_per_minute)
        for name, region in scenario.regions.items()
        if region.provisioned_units is None
    }


def carrying(scenario: Scenario, lost: Lost) -> float:
    """Return the factor with which the quota that is left, `lost` gone, carries the peak with a tenth to spare."""
    demand = demand_of(scenario)
    left = {name: region for name, region in scenario.regions.items() if name not in lost}
    bought = sum(one.serves_rpm for one in supplies(left, demand) if left[one.region].provisioned_units is None)
    units = sum(one.serves_rpm for one in supplies(left, demand) if left[one.region].provisioned_units is not None)
    return max(1.0, (_ROOM * 60 * demand.rps - units) / bought) if bought else 1.0
