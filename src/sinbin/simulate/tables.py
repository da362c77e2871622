"""Results as tables for the terminal."""

import math
import os
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import takewhile

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from sinbin.simulate.results import Figure, Result
from sinbin.simulate.scenario import Region

_WIDTH = 110
_MOST_OF_A_NAME = 30
"""Characters of a region that are never given up for figures."""

_ROWS = (
    ("success_pct", "success", "%"),
    ("goodput_rps", "goodput", "req/s"),
    ("throughput_rps", "throughput", "req/s"),
    ("calls_per_request", "calls per request", ""),
    ("refused_calls", "refused calls", ""),
    ("median_ms", "median", "ms"),
    ("p95_ms", "95th percentile", "ms"),
    ("elapsed_s", "elapsed", "s"),
    ("cost_usd", "cost", "USD"),
)


def show(value: Figure, unit: str = "") -> str:
    """Return `value` as text: its mean, and half the width of its interval where there is one."""
    if math.isnan(value.mean):
        return "-"
    digits = 1 if unit in ("%", "s") else 0 if unit == "ms" or value.mean >= 100 else 4 if unit == "USD" else 2
    half = (value.high - value.low) / 2
    spread = f" ± {half:.{digits}f}" if half >= 0.5 * 10**-digits else ""
    return f"{value.mean:.{digits}f}{spread}{f' {unit}' if unit else ''}"


def stdout_console() -> Console:
    """Return a console as wide as the terminal or COLUMNS say; 110 where neither does."""
    known = sys.stdout.isatty() or "COLUMNS" in os.environ
    return Console(width=None if known else _WIDTH)


def region_labels(regions: Mapping[str, Region]) -> dict[str, str]:
    """Return what to call each region in a narrow table: its location, and its deployment if that has several.

    A deployment stands on a line of its own, without the words that all of them begin with.
    """
    places = {name: region.location for name, region in regions.items()}
    several = {place for place, count in Counter(places.values()).items() if count > 1}
    deployments = {name: name.removesuffix(f"-{place}") for name, place in places.items()}
    words = zip(*(name.split("-") for name in deployments.values()), strict=False)
    common = sum(1 for _ in takewhile(lambda same: len(set(same)) == 1, words))
    labels: dict[str, str] = {}
    for name, place in places.items():
        short = "-".join(deployments[name].split("-")[common:])
        labels[name] = name if place is None else f"{place}\n{short}" if place in several else place
    return labels if len(set(labels.values())) == len(labels) else {name: name for name in regions}


def print_result(result: Result, console: Console) -> None:
    """Print the figures of one scenario."""
    title = f"{result.scenario.name}: {result.runs} run{'s' if result.runs > 1 else ''}, 95 % intervals"
    table = Table(title=title, title_justify="left")
    table.add_column("figure")
    table.add_column("value", justify="right")
    for key, label, unit in _ROWS:
        table.add_row(label, show(result.total[key], unit))
    for status, count in sorted(result.unanswered.items()):
        label = "without a call" if status == 0 else f"ended with {status}"
        table.add_row(f"requests {label}", f"{count:.1f}")
    if result.refused_at_gateway:
        reasons = ", ".join(f"{reason} {count:.1f}" for reason, count in sorted(result.refused_at_gateway.items()))
        table.add_row("refused at the gateway", reasons)
    console.print(table)
    labels = region_labels(result.scenario.regions)
    regions = Table(title="by region", title_justify="left")
    longest = max(cell_len(line) for label in labels.values() for line in label.split("\n"))
    regions.add_column("region", overflow="fold", min_width=min(longest, _MOST_OF_A_NAME))
    for heading in ("req/s", "calls", "refused", "median ms", "p95 ms", "cost USD"):
        regions.add_column(heading, justify="right")
    for name, figures in result.by_region.items():
        regions.add_row(
            labels[name],
            show(figures["goodput_rps"]),
            show(figures["calls"]),
            show(figures["refused_calls"]),
            show(figures["median_ms"], "ms").removesuffix(" ms"),
            show(figures["p95_ms"], "ms").removesuffix(" ms"),
            show(figures["cost_usd"], "USD").removesuffix(" USD"),
        )
    console.print(regions)
    if len(result.by_consumer) > 1:
        kinds = Table(title="by kind of request", title_justify="left")
        for heading in ("kind", "requests", "success", "median", "p95"):
            kinds.add_column(heading, justify="left" if heading == "kind" else "right")
        for name, figures in result.by_consumer.items():
            kinds.add_row(
                name,
                show(figures["requests"]),
                show(figures["success_pct"], "%"),
                show(figures["median_ms"], "ms"),
                show(figures["p95_ms"], "ms"),
            )
        console.print(kinds)


def print_comparison(results: Iterable[Result], console: Console) -> None:
    """Print scenarios side by side, one line each."""
    table = Table(title="side by side", title_justify="left")
    for heading in ("scenario", "success", "goodput", "calls/request", "refused", "median", "p95", "cost"):
        table.add_column(heading, justify="left" if heading == "scenario" else "right")
    for result in results:
        total = result.total
        table.add_row(
            result.scenario.name,
            show(total["success_pct"], "%"),
            show(total["goodput_rps"]),
            show(total["calls_per_request"]),
            show(total["refused_calls"]),
            show(total["median_ms"], "ms"),
            show(total["p95_ms"], "ms"),
            show(total["cost_usd"], "USD"),
        )
    console.print(table)
