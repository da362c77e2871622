"""Results as tables for the terminal."""

import math
from collections.abc import Iterable

from rich.console import Console
from rich.table import Table

from sinbin.simulate.results import Figure, Result

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
    console.print(table)
    regions = Table(title="by region", title_justify="left")
    for heading in ("region", "answers/s", "calls", "refused", "median", "p95", "cost"):
        regions.add_column(heading, justify="left" if heading == "region" else "right")
    for name, figures in result.by_region.items():
        regions.add_row(
            name,
            show(figures["goodput_rps"]),
            show(figures["calls"]),
            show(figures["refused_calls"]),
            show(figures["median_ms"], "ms"),
            show(figures["p95_ms"], "ms"),
            show(figures["cost_usd"], "USD"),
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
