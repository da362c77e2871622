"""What a forecast assumes because nothing that it was given, measured or published says it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sinbin.foundry.models import model_facts
from sinbin.simulate.cost import Prices
from sinbin.simulate.latencies import MEASURED, is_measured, known_latency, seconds_per_token
from sinbin.simulate.scenario import Region, Scenario


class StackBased(Scenario):
    """A scenario that was made of a stack and a few figures, not written down whole."""

    assumed: tuple[str, ...] = ()
    """What was taken for granted to make it, one sentence each."""


def assumptions(scenario: Scenario, prices: Prices) -> Iterator[str]:
    """Yield what is assumed for `scenario`, one sentence each."""
    if isinstance(scenario, StackBased):
        yield from scenario.assumed
    yield from _latencies(
        [
            region
            for region in scenario.regions.values()
            if region.location is not None and region.latency == known_latency(region.location, region.model)
        ]
    )
    if any(region.provisioned_units is not None for region in scenario.regions.values()):
        yield from price_of_units(prices)
    unpriced = {
        region.model
        for region in scenario.regions.values()
        if region.provisioned_units is None and region.model not in prices.tokens
    }
    if unpriced:
        yield f"no cost of {', '.join(sorted(unpriced))}: the price list has none, name yours with --prices"


def price_of_units(prices: Prices) -> Iterator[str]:
    """Yield what the price of a PTU is where nobody gave it."""
    if prices.ptu_source is not None:
        return
    reserved = [
        f"{price:g} USD reserved for a {term}"
        for term, price in (("month", prices.ptu_reserved_month), ("year", prices.ptu_reserved_year))
        if price is not None
    ]
    costs = ", ".join([f"{prices.ptu_hour:g} USD an hour", *reserved])
    yield f"a PTU costs {costs}: no price was found, name yours with --prices"


def of_a_load(load: Mapping[str, Any], consumers: Sequence[str]) -> tuple[str, ...]:
    """Return what a load on a stack leaves open.

    Args:
        load: as in a scenario file.
        consumers: who sends it; empty = their limits are left out.
    """
    return tuple(_load(load, consumers))


def _load(load: Mapping[str, Any], consumers: Sequence[str]) -> Iterator[str]:
    if not consumers:
        yield "no consumer has a limit of its own"
    elif "mix" in load:
        return
    elif len(consumers) == 1:
        yield f"all of the load comes from {consumers[0]}"
    else:
        yield f"the load comes in equal parts from {', '.join(consumers)}"
    prompt, completion = load.get("promptTokens"), load.get("completionTokens")
    if isinstance(prompt, int) and isinstance(completion, int):
        yield f"every request has {prompt} prompt and {completion} completion tokens"
    most = load.get("maxTokens")
    yield f"callers name {most} as max_tokens" if most is not None else "callers name no max_tokens"


def _latencies(regions: Sequence[Region]) -> Iterator[str]:
    places = dict.fromkeys(region.location or "" for region in regions)
    known = [place for place in places if is_measured(place)]
    others = [place for place in places if not is_measured(place)]
    if known:
        yield f"{', '.join(known)}: latency of the load tests of {MEASURED.when} ({MEASURED.how})"
    if others:
        yield f"{', '.join(others)}: not measured, latency of Sweden Central ({MEASURED.when}, {MEASURED.how})"
    for model in dict.fromkeys(region.model for region in regions if seconds_per_token(region.model)):
        pace = f"each token of {model} after the first takes {1000 * seconds_per_token(model):.0f} ms"
        aim = model_facts(model).tokens_per_second
        if aim is None:
            yield f"{pace}, as of {MEASURED.model}: nothing is published for {model}"
        else:
            aims = f"{aim:g} a second, the published aim of provisioned deployments"
            yield f"{pace} ({aims}; pay-as-you-go may be slower)"
