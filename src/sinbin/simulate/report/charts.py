"""The pictures of a result: what was answered when and by whom, who sat out, how long answers took."""

import math
from collections.abc import Iterator, Sequence
from itertools import groupby

from sinbin.simulate.report.svg import COLOURS, REFUSED, Plot, Point, ticks
from sinbin.simulate.results import Result
from sinbin.simulate.stack import StackScenario
from sinbin.simulate.tables import show_pct
from sinbin.simulate.tally import Series

_POINTS = 100
"""Points of a line; a slot of time is at least that wide."""


def colour_of(result: Result, region: str) -> str:
    """Return the colour of `region`, the same in every picture."""
    return COLOURS[list(result.scenario.regions).index(region) % len(COLOURS)]


def pictures(result: Result) -> dict[str, str]:
    """Return the pictures of `result` as SVG, by file name without ending."""
    _align(result)
    return {
        "goodput": goodput(result),
        "success": success(result),
        "sit-outs": sit_outs(result),
        "latency": latency(result),
    }


def _align(result: Result) -> None:
    # A series that ran past its end has wider slots than one that did not.
    series = [result.merged.unanswered, *(region.answered for region in result.merged.regions.values())]
    widest = max(one.width_s for one in series)
    for one in series:
        while one.width_s < widest * (1 - 1e-9):
            one.coarsen()


def _rates(series: Series, until_s: float, runs: int) -> list[Point]:
    """Return (middle of the slot, events per second of one replication), slots joined to about `_POINTS`."""
    used = max(1, math.ceil(until_s / series.width_s - 1e-9))
    join = max(1, round(used / _POINTS))
    points: list[Point] = []
    for slot in range(0, used - used % join or used, join):
        width = join * series.width_s
        count = sum(series.counts[slot : slot + join])
        points.append(((slot * series.width_s) + width / 2, count / width / runs))
    return points


def _end(result: Result) -> float:
    return max(result.merged.elapsed_s / result.runs, 0.1) + result.scenario.warm_up_seconds


def _time_axis(plot: Plot, end: float) -> None:
    unit, name = next((unit, name) for unit, name in _UNITS if end > 4 * unit or unit == 1)
    marks = [mark * unit for mark in ticks(0, end / unit, 8)]
    plot.x_axis(marks, lambda value: f"{value / unit:g}", name)


_UNITS = ((3600, "hours"), (60, "minutes"), (1, "seconds"))


def goodput(result: Result) -> str:
    """Return answers per second over time, one region upon the other, and what was refused on top."""
    merged, end, runs = result.merged, _end(result), result.runs
    layers = [(name, _rates(region.answered, end, runs)) for name, region in merged.regions.items()]
    layers = [(name, points) for name, points in layers if any(rate for _, rate in points)]
    refused = _rates(merged.unanswered, end, runs)
    base = [(x, 0.0) for x, _ in refused]
    stacked: list[tuple[str, str, list[Point], list[Point]]] = []
    for name, points in layers:
        top = _upon(base, points)
        stacked.append((name, colour_of(result, name), top, base))
        base = top
    top = _upon(base, refused)
    highest = max((rate for _, rate in top), default=0.0) or 1.0
    plot = Plot("answers per second, by region", (0, end), (0, highest * 1.06))
    plot.y_axis(ticks(0, highest), lambda value: f"{value:g}")
    _time_axis(plot, end)
    for name, colour, upper, lower in stacked:
        plot.area(upper, lower, colour)
        plot.key(colour, name)
    if any(rate for _, rate in refused):
        plot.line(top, REFUSED, dashed=True)
        plot.key(REFUSED, "without an answer")
    return plot.render()


def _upon(base: Sequence[Point], points: Sequence[Point]) -> list[Point]:
    heights = {round(x, 6): rate for x, rate in points}
    return [(x, height + heights.get(round(x, 6), 0.0)) for x, height in base]


def success(result: Result) -> str:
    """Return the share of requests that were answered, over time."""
    merged, end, runs = result.merged, _end(result), result.runs
    failed = _rates(merged.unanswered, end, runs)
    answered = [(x, 0.0) for x, _ in failed]
    for region in merged.regions.values():
        answered = _upon(answered, _rates(region.answered, end, runs))
    shares = [
        (x, 100 * good / (good + bad)) for (x, good), (_, bad) in zip(answered, failed, strict=True) if good + bad
    ]
    plot = Plot("success over time, %", (0, end), (0, 104), height=200)
    plot.y_axis([0, 25, 50, 75, 100], lambda value: f"{value:g}")
    _time_axis(plot, end)
    plot.line(shares, COLOURS[2])
    mean = result.total["success_pct"].mean
    plot.line([(0, mean), (end, mean)], "#8b949e", dashed=True)
    plot.key("#8b949e", f"mean {show_pct(mean)}")
    return plot.render()


def sit_outs(result: Result) -> str:
    """Return who sat out when, in the first replication: bars on a lane per region."""
    end = (result.first.elapsed_s or 0.1) + result.scenario.warm_up_seconds
    regions = list(result.scenario.regions)
    scenario = result.scenario
    units, who = scenario.load.callers, "callers, each for itself"
    if isinstance(scenario, StackScenario):
        units, who = scenario.deployed.instances, "the gateway's breakers"
    elif scenario.gateway is not None:
        units, who = scenario.gateway.instances, "the gateway's breakers"
    plot = Plot("in the sin bin (first run)", (0, end), (0, len(regions)), height=max(200, 74 + 26 * len(regions)))
    _time_axis(plot, end)
    for lane, name in enumerate(reversed(regions)):
        colour = colour_of(result, name)
        for since, until, share in _spans(result.first.regions[name].sat_out, end, units):
            plot.bar((since, until), (lane + 0.2, lane + 0.8), colour, 0.85 * share)
        left, middle = plot.at(0, lane + 0.5)
        plot.text(left + 6, middle + 4, name, halo=True)
    plot.key("#ffffff", f"{result.first.sit_out_count} times, by {who}")
    return plot.render()


def _spans(sat_out: Series, end: float, units: int) -> Iterator[tuple[float, float, float]]:
    """Yield (since, until, share of the units that leave the region alone), equal neighbours as one."""
    width = sat_out.width_s
    shares = [min(1.0, round(seconds / width / units, 2)) for seconds in sat_out.counts]
    for share, slots in groupby(range(len(shares)), key=lambda slot: shares[slot]):
        run = list(slots)
        if share and run[0] * width < end:
            yield run[0] * width, min((run[-1] + 1) * width, end), share


def latency(result: Result) -> str:
    """Return how long answers took: the share of answers by latency, one line per region."""
    whole = result.merged.latency()
    bars = list(whole.bars())
    if not bars:
        return Plot("time to an answer, ms", (1, 10), (0, 1), height=120).render()
    low, high = 1000 * bars[0][0], 1000 * bars[-1][1]
    plot_bars = {
        name: _shares(result.merged.latency(region=name).bars(), len(whole)) for name in result.scenario.regions
    }
    highest = max((share for bars_ in plot_bars.values() for _, share in bars_), default=1.0)
    plot = Plot("time to an answer, ms (logarithmic)", (low, high), (0, highest * 1.1), log_x=True)
    marks = [
        factor * 10.0**power
        for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        for factor in (1, 2, 5)
    ]
    plot.x_axis([mark for mark in marks if low <= mark <= high], lambda value: f"{value:g}", "milliseconds")
    for name, points in plot_bars.items():
        if points:
            colour = colour_of(result, name)
            plot.area(points, [(x, 0.0) for x, _ in points], colour, opacity=0.25)
            plot.line(points, colour)
            plot.key(colour, name)
    for share, label in ((0.5, "median"), (0.95, "p95")):
        value = 1000 * whole.quantile(share)
        plot.mark(value, f"{label} {value:.0f}")
    return plot.render()


_JOIN = 10
"""Buckets of the sketch (1 % wide each) that make one point."""


def _shares(bars: object, total: int) -> list[Point]:
    filled = list(bars)  # type: ignore[call-overload]
    points: list[Point] = []
    for index in range(0, len(filled), _JOIN):
        part = filled[index : index + _JOIN]
        points.append((1000 * math.sqrt(part[0][0] * part[-1][1]), sum(count for _, _, count in part) / total))
    return points
