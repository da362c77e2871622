"""A scenario as it is after hours, not as it begins: what was saved up before the start decides nothing."""

from sinbin.simulate.scenario import Scenario

WARM_UP_S = 180
"""A minute in which every bucket fills, a minute of the sin bin, and one more."""


def steady(scenario: Scenario) -> Scenario:
    """Return `scenario` begun with regions that have nothing left, its first `WARM_UP_S` not counted.

    A region that has more quota than is asked of it is full by then, one that has less stays empty, as in the long
    run. What is counted lasts as long as before; faults come that much later.
    """
    load = scenario.load
    lasts = getattr(load, "duration_seconds", None)
    if lasts is None:
        raise ValueError(f"a {load.kind} load has no long run")
    regions = {
        name: region.model_copy(update={"quota_at_start": 0.0}) for name, region in scenario.regions.items()
    }
    faults = tuple(
        fault.model_copy(
            update={"from_seconds": fault.from_seconds + WARM_UP_S, "to_seconds": fault.to_seconds + WARM_UP_S}
        )
        for fault in scenario.faults
    )
    return scenario.model_copy(
        update={
            "regions": regions,
            "faults": faults,
            "load": load.model_copy(update={"duration_seconds": lasts + WARM_UP_S}),
            "warm_up_seconds": scenario.warm_up_seconds + WARM_UP_S,
        }
    )
