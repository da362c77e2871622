"""A capacity plan: what binds, what a load gets today, what to buy, how to route."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table

from sinbin.errors import SinbinError
from sinbin.simulate.capacity import BreakEven, Demand, Supply, break_even, demand_of, supplies
from sinbin.simulate.cost import Prices
from sinbin.simulate.replications import replicate
from sinbin.simulate.results import Result
from sinbin.simulate.routing_search import Tried, reasons, search
from sinbin.simulate.scenario import Scenario
from sinbin.simulate.sizing import Lost, Purchase, size
from sinbin.simulate.tables import show

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that `sinbin capacity` says."""

    demand: Demand
    supplies: list[Supply]
    today: Result
    purchase: Purchase
    break_evens: list[BreakEven]
    routings: list[Tried]

    @property
    def serves_rpm(self) -> float:
        """Requests per minute that all regions serve for ever, perfectly routed."""
        return sum(supply.serves_rpm for supply in self.supplies)

    @property
    def refused_share(self) -> float:
        """Share of the requests that must be refused in the long run, however they are routed."""
        return max(0.0, 1 - self.serves_rpm / (60 * self.demand.rps))

    def as_json(self) -> dict[str, Any]:
        """Return the plan for a JSON document."""
        return {
            "demand_rpm": round(60 * self.demand.rps, 2),
            "serves_rpm": round(self.serves_rpm, 2),
            "refused_share_at_least": round(self.refused_share, 4),
            "regions": [supply.as_json() for supply in self.supplies],
            "today": {key: self.today.total[key].as_json() for key in ("success_pct", "refused_calls", "p95_ms")},
            "buy": self.purchase.as_json(),
            "break_even": [one.as_json() for one in self.break_evens],
            "routings": [one.as_json() for one in self.routings],
            "reasons": reasons(self.routings) if self.routings else [],
        }


def plan(
    scenario: Scenario,
    cases: Sequence[Lost],
    *,
    target_pct: float,
    runs: int,
    workers: int,
    prices: Prices,
    search_routings: bool,
    done: Callable[[], None],
) -> Plan:
    """Plan for the load of `scenario`; `cases` are what may be lost (an empty one: nothing).

    Raises:
        SinbinError: the load has no rate to plan for.
    """
    demand = demand_of(scenario)
    [today] = replicate([scenario], runs=runs, workers=workers, prices=prices, done=done)
    purchase = size(scenario, cases, target_pct=target_pct, runs=runs, workers=workers, done=done)
    break_evens: list[BreakEven] = []
    for model in dict.fromkeys(region.model for region in scenario.regions.values()):
        try:
            break_evens.append(break_even(model, demand, prices))
        except SinbinError:
            # Not offered provisioned, or without a price: nothing to weigh against each other.
            continue
    worst = max(cases, key=len) if purchase.worst_today == () else purchase.worst_today
    return Plan(
        demand=demand,
        supplies=supplies(scenario.regions, demand),
        today=today,
        purchase=purchase,
        break_evens=break_evens,
        routings=search(scenario, worst, runs=runs, workers=workers, done=done) if search_routings else [],
    )


def print_plan(found: Plan, console: Console) -> None:
    """Print a plan."""
    table = Table(title=f"{60 * found.demand.rps:.0f} requests a minute at the peak", title_justify="left")
    for heading in ("region", "by requests", "by tokens", "binds", "serves /min"):
        table.add_column(heading, justify="left" if heading in ("region", "binds") else "right")
    for supply in found.supplies:
        one = supply.as_json()
        by_requests = "-" if one["by_requests_rpm"] is None else f"{supply.by_requests_rpm:.0f}"
        table.add_row(
            supply.region, by_requests, f"{supply.by_tokens_rpm:.0f}", supply.binds, f"{supply.serves_rpm:.0f}"
        )
    console.print(table)
    console.print(
        f"all regions together serve {found.serves_rpm:.0f} requests a minute; in the long run at least "
        f"{found.refused_share:.1%} of the peak must be refused",
        highlight=False,
    )
    success = show(found.today.total["success_pct"], "%")
    console.print(
        f"simulated: {success} answered, {show(found.today.total['refused_calls'])} refused calls a run",
        highlight=False,
    )
    console.print(found.purchase.sentence, highlight=False)
    if found.purchase.factor not in (None, 1):
        for name, tokens in found.purchase.tokens_per_minute.items():
            console.print(f"  {name}: {tokens:,} tokens per minute", highlight=False)
    for one_model in found.break_evens:
        console.print(f"{one_model.model}: {one_model.sentence}", highlight=False)
    if found.routings:
        _print_routings(found.routings, console)


def _print_routings(routings: list[Tried], console: Console) -> None:
    table = Table(title="routings, best first", title_justify="left")
    for heading in ("routing", "success", "region lost", "p95", "calls/request"):
        table.add_column(heading, justify="left" if heading == "routing" else "right")
    for one in routings[:_SHOWN]:
        table.add_row(
            one.routing.name,
            show(one.normal.total["success_pct"], "%"),
            show(one.lost.total["success_pct"], "%"),
            show(one.normal.total["p95_ms"], "ms"),
            show(one.normal.total["calls_per_request"]),
        )
    console.print(table)
    for sentence in reasons(routings):
        console.print(f"- {sentence}", highlight=False)
