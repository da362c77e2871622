"""A measurement as a result in the simulator's shape; what the answers do not say is no number (null in JSON)."""

import math
from collections.abc import Sequence
from dataclasses import replace

from sinbin.loadtest.records import UNNAMED, Record, tally_of, with_unnamed
from sinbin.simulate.cost import Prices
from sinbin.simulate.results import Result, collect, measure
from sinbin.simulate.scenario import Scenario

_OF_CALLS = ("calls_per_request", "refused_calls", "failed_calls")


def measured_result(scenario: Scenario, records: Sequence[Record], prices: Prices) -> Result:
    """Return what was measured when the load of `scenario` was sent once; `records` hold at least one request.

    How often a region sat out is the gateway's secret; calls and regions are known when every answer names them.
    """
    named = with_unnamed(scenario)
    tally = tally_of(named, records)
    found = measure(named, tally, prices)
    total = found.total | {"sit_outs": math.nan}
    regions = {
        name: figures | {"sit_outs": math.nan} for name, figures in found.by_region.items() if name != UNNAMED
    }
    if any(record.calls is None for record in records):
        total |= dict.fromkeys(_OF_CALLS, math.nan)
    if tally.answered(region=UNNAMED):
        regions = {name: dict.fromkeys(figures, math.nan) for name, figures in regions.items()}
        if not _same_price(scenario):
            total |= dict.fromkeys(("cost_usd", "cost_usd_per_1000_answers"), math.nan)
    elif any(record.calls is None for record in records):
        unknown = ("calls", "refused_calls", "failed_calls")
        regions = {name: figures | dict.fromkeys(unknown, math.nan) for name, figures in regions.items()}
    figures = replace(found, total=total, by_region=regions)
    return collect(scenario, 0, [figures], tally, tally)


def renamed(result: Result, name: str) -> Result:
    """Return `result` as one of a scenario called `name`, for a table of several."""
    return replace(result, scenario=result.scenario.model_copy(update={"name": name}))


def _same_price(scenario: Scenario) -> bool:
    """Return whether it does not matter for the cost which region answers."""
    regions = scenario.regions.values()
    return len({(region.model, region.provisioned_units) for region in regions}) == 1 and not any(
        region.provisioned_units for region in regions
    )
