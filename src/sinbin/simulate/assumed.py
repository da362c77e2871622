"""What a forecast assumes of its regions and prices because nothing measured or published says it."""

from collections.abc import Iterator

from sinbin.simulate.cost import Prices
from sinbin.simulate.latencies import is_measured, measured_latency
from sinbin.simulate.scenario import Scenario


def assumptions(scenario: Scenario, prices: Prices) -> Iterator[str]:
    """Yield what is assumed for `scenario`, one sentence each."""
    guessed = sorted(
        {
            region.location
            for region in scenario.regions.values()
            if region.location is not None
            and not is_measured(region.location)
            and region.latency == measured_latency(region.location)
        }
    )
    if guessed:
        usual = measured_latency(guessed[0])
        yield (
            f"{', '.join(guessed)} answer{'s' if len(guessed) == 1 else ''} in {usual.median_ms:g} ms (95th "
            f"percentile {usual.p95_ms:g} ms), as Sweden Central does from the United Kingdom: not measured"
        )
    provisioned = any(region.provisioned_units is not None for region in scenario.regions.values())
    if provisioned and prices.ptu_source is None:
        yield f"a PTU costs {prices.ptu_hour:g} USD an hour: no price was found, name yours with --prices"
    unpriced = {
        region.model
        for region in scenario.regions.values()
        if region.provisioned_units is None and region.model not in prices.tokens
    }
    if unpriced:
        yield f"no cost of {', '.join(sorted(unpriced))}: the price list has none, name yours with --prices"
