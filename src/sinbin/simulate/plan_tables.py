"""A capacity plan as text."""

import math

from rich.console import Console
from rich.table import Table

from sinbin.simulate.capacity_plan import Plan
from sinbin.simulate.consumer_limits import Allowance
from sinbin.simulate.routing_search import as_good, reasons
from sinbin.simulate.tables import refusals, region_labels, show

_SHOWN = 5


def print_plan(found: Plan, console: Console) -> None:
    """Print a plan."""

    def say(text: str) -> None:
        console.print(text, markup=False, highlight=False, soft_wrap=True)

    _print_supplies(found, console)
    if found.allowances:
        _print_allowances(found.allowances, console)
    say(_verdict(found))
    success = found.today.total["success_pct"]
    more = " (more than lasts: quota that was saved up still helps)" if success.mean > found.most_pct + 1 else ""
    refused = show(found.today.total["refused_calls"])
    say(f"simulated as it is: {show(success, '%')} answered{more}, {refused} refused calls a run")
    for line in refusals(found.today):
        say(f"  refused at the gateway: {line} a run")
    for one in found.allowances:
        for key, value in one.needs.items():
            say(f"  {one.consumer} needs {key}: {value:,} for its share of the load")
    if found.binds == "gateway":
        say("the regions, as if the gateway let everything through:")
    say(found.purchase.sentence)
    if found.purchase.factor not in (None, 1):
        for name, tokens in found.purchase.tokens_per_minute.items():
            say(f"  {name}: {tokens:,} tokens per minute")
    for one_model in found.break_evens:
        first, *rest = one_model.sentences
        say(f"{one_model.model}: {first}")
        for line in rest:
            say(f"  {line}")
    for line in found.unweighed:
        say(f"no comparison of PTU with tokens: {line}")
    for line in found.prices.sources(one.model for one in found.break_evens):
        say(line)
    if found.routings:
        _print_routings(found, console)
    for line in found.assumptions:
        say(f"assumed: {line}")


def _verdict(found: Plan) -> str:
    wanted = f"{60 * found.demand.rps:.0f}"
    regions = f"all regions together serve {found.serves_rpm:.0f} requests a minute"
    if found.binds == "nothing":
        return f"{regions}, enough for the {wanted} of the peak when all are up and perfectly routed"
    refused = f"in the long run at least {found.refused_share:.1%} of the peak must be refused"
    if found.binds == "gateway":
        return (
            f"the gateway's own limits bind first: they let {found.passes_rpm:.0f} of {wanted} requests a minute "
            f"pass ({regions}); {refused}, by the gateway"
        )
    return f"{regions}; {refused}"


def _number(value: float) -> str:
    return "-" if math.isinf(value) else f"{value:.0f}"


def _print_supplies(found: Plan, console: Console) -> None:
    table = Table(title=f"{60 * found.demand.rps:.0f} requests a minute at the peak", title_justify="left")
    table.add_column("region", overflow="fold")
    for heading in ("by requests", "by tokens", "binds", "serves /min"):
        table.add_column(heading, justify="left" if heading == "binds" else "right")
    labels = region_labels(found.today.scenario.regions)
    for one in found.supplies:
        table.add_row(
            labels[one.region],
            _number(one.by_requests_rpm),
            _number(one.by_tokens_rpm),
            one.binds,
            _number(one.serves_rpm),
        )
    console.print(table)


def _print_allowances(allowances: list[Allowance], console: Console) -> None:
    units = allowances[0].units
    each = f" ({units} units of the gateway, each counts for itself)" if units > 1 else ""
    # A title would be folded to the width of its table.
    console.print(f"what the gateway's own limits let through{each}", highlight=False, soft_wrap=True)
    table = Table()
    table.add_column("consumer", overflow="fold")
    for heading in ("share /min", "by requests", "by tokens", "binds", "passes /min"):
        table.add_column(heading, justify="left" if heading == "binds" else "right")
    for one in allowances:
        table.add_row(
            one.consumer,
            _number(one.wanted_rpm),
            _number(one.by_requests_rpm),
            _number(one.by_tokens_rpm),
            one.binds,
            _number(one.passes_rpm),
        )
    console.print(table)
    for one in allowances:
        if not math.isinf(one.quota_lasts_s):
            hours = one.quota_lasts_s / 3600
            console.print(
                f"{one.consumer}: its token quota lasts {hours:.1f} h at this load",
                highlight=False,
                soft_wrap=True,
            )


def _print_routings(found: Plan, console: Console) -> None:
    routings = found.routings
    if found.searched_factor > 1:
        console.print(
            f"routings are tried with {found.searched_factor:.2f} times today's pay-as-you-go quota: today's is "
            "short, and what suffers least from that is no reason to choose a routing",
            highlight=False,
            soft_wrap=True,
        )
    table = Table(title="routings, best first", title_justify="left")
    for heading in ("routing", "success", "region lost", "p95", "calls/request"):
        table.add_column(heading, justify="left" if heading == "routing" else "right")
    equal = as_good(routings[0], routings)
    for one in routings[:_SHOWN]:
        table.add_row(
            f"{one.routing.name}{' (as good)' if one in equal[1:] else ''}",
            show(one.normal.total["success_pct"], "%"),
            show(one.lost.total["success_pct"], "%"),
            show(one.normal.total["p95_ms"], "ms"),
            show(one.normal.total["calls_per_request"]),
        )
    console.print(table)
    for sentence in reasons(routings):
        console.print(f"- {sentence}", highlight=False, soft_wrap=True)
