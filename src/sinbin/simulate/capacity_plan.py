"""A capacity plan: what binds, what a load gets today, what to buy, how to route."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sinbin.errors import SinbinError
from sinbin.simulate.assumed import price_of_units
from sinbin.simulate.capacity import BreakEven, Demand, Supply, break_even, demand_of, supplies
from sinbin.simulate.consumer_limits import Allowance
from sinbin.simulate.cost import Prices
from sinbin.simulate.replications import replicate
from sinbin.simulate.results import Result
from sinbin.simulate.routing_search import Tried, as_good, reasons, search
from sinbin.simulate.scenario import Scenario
from sinbin.simulate.sizing import Lost, Purchase, carrying, scaled, size
from sinbin.simulate.steady_state import WARM_UP_S, steady


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that `sinbin capacity` says."""

    demand: Demand
    supplies: list[Supply]
    allowances: list[Allowance]
    """What the consumers may use; empty = nobody is limited."""
    today: Result
    """As it is, in the long run: with the consumers' limits."""
    purchase: Purchase
    """For the regions, as if no consumer were limited."""
    break_evens: list[BreakEven]
    unweighed: list[str]
    """Models for which units and tokens cannot be weighed against each other, and why."""
    routings: list[Tried]
    searched_factor: float
    """The routings were tried with so many times today's pay-as-you-go quota."""
    prices: Prices

    @property
    def serves_rpm(self) -> float:
        """Requests per minute that all regions serve for ever, perfectly routed."""
        return sum(supply.serves_rpm for supply in self.supplies)

    @property
    def passes_rpm(self) -> float:
        """Requests per minute that the consumers' own limits let through for ever."""
        return sum(one.passes_rpm for one in self.allowances) if self.allowances else 60 * self.demand.rps

    @property
    def binds(self) -> Literal["gateway", "regions", "nothing"]:
        """Whose limits refuse first at the peak."""
        wanted = 60 * self.demand.rps
        if min(self.serves_rpm, self.passes_rpm) >= wanted * (1 - 1e-9):
            return "nothing"
        return "gateway" if self.passes_rpm < self.serves_rpm else "regions"

    @property
    def refused_share(self) -> float:
        """Share of the requests that must be refused in the long run, however they are routed."""
        return max(0.0, 1 - min(self.serves_rpm, self.passes_rpm) / (60 * self.demand.rps))

    @property
    def most_pct(self) -> float:
        """Share of the requests (%) that can be answered in the long run."""
        return 100 * (1 - self.refused_share)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What is taken for granted, one sentence each."""
        lasts = (
            f"the load has lasted: regions begin with nothing left, and the first {WARM_UP_S} s are not counted"
        )
        units = price_of_units(self.prices) if self.break_evens else ()
        return tuple(dict.fromkeys((lasts, *self.today.assumptions, *units)))

    def as_json(self) -> dict[str, Any]:
        """Return the plan for a JSON document."""
        keys = ("success_pct", "refused_calls", "p95_ms")
        equal = as_good(self.routings[0], self.routings) if self.routings else []
        return {
            "demand_rpm": round(60 * self.demand.rps, 2),
            "serves_rpm": round(self.serves_rpm, 2),
            "passes_rpm": round(self.passes_rpm, 2),
            "binds": self.binds,
            "refused_share_at_least": round(self.refused_share, 4),
            "regions": [supply.as_json() for supply in self.supplies],
            "gateway_limits": [one.as_json() for one in self.allowances],
            "today": {key: self.today.total[key].as_json() for key in keys}
            | {"refused_by_consumer": self.today.as_json()["refused_by_consumer"]},
            "buy": self.purchase.as_json(),
            "break_even": [one.as_json() for one in self.break_evens],
            "without_break_even": self.unweighed,
            "searched_factor": round(self.searched_factor, 3),
            "routings": [one.as_json() | {"as_good_as_the_best": one in equal} for one in self.routings],
            "reasons": reasons(self.routings) if self.routings else [],
            "assumptions": list(self.assumptions),
            "prices": self.prices.sources(one.model for one in self.break_evens),
        }


def plan(
    scenario: Scenario,
    cases: Sequence[Lost],
    *,
    deployed: Scenario | None = None,
    limits: Sequence[Allowance] = (),
    target_pct: float,
    runs: int,
    workers: int,
    prices: Prices,
    search_routings: bool,
    done: Callable[[], None],
) -> Plan:
    """Plan for the load of `scenario`; `cases` are what may be lost (an empty one: nothing).

    Everything is simulated as it is in the long run, see `steady`.

    Args:
        scenario: regions and routing, without limits of consumers.
        cases: what may be lost.
        deployed: the same with the policies that hold those limits; None = nobody is limited.
        limits: what the limits let through.
        target_pct: success to reach (%).
        runs: replications.
        workers: processes.
        prices: for what units cost.
        search_routings: whether other routings are tried too.
        done: called after every replication.

    Raises:
        SinbinError: the load has no rate to plan for.
    """
    demand = demand_of(scenario)
    begun = steady(scenario)
    [today] = replicate([steady(deployed or scenario)], runs=runs, workers=workers, prices=prices, done=done)
    purchase = size(begun, cases, target_pct=target_pct, runs=runs, workers=workers, done=done)
    break_evens: list[BreakEven] = []
    unweighed: list[str] = []
    for model in dict.fromkeys(region.model for region in scenario.regions.values()):
        try:
            break_evens.append(break_even(model, demand, prices))
        except SinbinError as error:
            unweighed.append(str(error))
    worst = max(cases, key=len) if purchase.worst_today == () else purchase.worst_today
    # Where quota is short, the routing that wastes its remainder best would win; nobody is to keep it short.
    factor = carrying(scenario, worst) if purchase.factor is None else purchase.factor
    routings = (
        search(scaled(begun, factor), worst, runs=runs, workers=workers, done=done) if search_routings else []
    )
    return Plan(
        demand=demand,
        supplies=supplies(scenario.regions, demand),
        allowances=list(limits),
        today=today,
        purchase=purchase,
        break_evens=break_evens,
        unweighed=unweighed,
        routings=routings,
        searched_factor=factor,
        prices=prices,
    )
