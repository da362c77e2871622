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

from sinbin.simulate.columns import COMPARED, OF_A_KIND, OF_A_REGION
from sinbin.simulate.cost import Prices
from sinbin.simulate.results import Figure, Result
from sinbin.simulate.scenario import Region

_WIDTH = 1000
"""Wide enough for every name in full: where nobody looks at a terminal, lines need not fit one."""
_MOST_OF_A_NAME = 30
"""Characters of a region that are never given up for figures."""

_ROWS = (
    ("success_pct", "success", "%"),
    ("goodput_rps", "goodput", "req/s"),
    ("throughput_rps", "throughput", "req/s"),
    ("calls_per_request", "calls per request", ""),
    ("refused_calls", "refused calls", ""),
    ("failed_calls", "failed calls", ""),
    ("sit_outs", "sit-outs", ""),
    ("median_ms", "median", "ms"),
    ("p95_ms", "95th percentile", "ms"),
    ("elapsed_s", "elapsed", "s"),
    ("cost_usd", "cost", "USD"),
    ("cost_usd_per_1000_answers", "cost of 1,000 answers", "USD"),
)
_NEARLY_ALL_PCT = 99
"""From here on what is lost is what decides: two decimals."""
_ALL_PCT = 100


def show(value: Figure, unit: str = "") -> str:
    """Return `value` as text: its mean, and its interval where there is one."""
    if math.isnan(value.mean):
        return show_mean(value, unit)
    return f"{show_mean(value, unit)}{show_interval(value, unit)}{f' {unit}' if unit else ''}"


def show_mean(value: Figure, unit: str = "") -> str:
    """Return the mean of `value` as text; a share below 100 % is never rounded up to it."""
    if math.isnan(value.mean):
        return "-"
    digits = _digits(value.mean, unit)
    text = f"{value.mean:.{digits}f}"
    if unit == "%" and value.mean < _ALL_PCT and float(text) >= _ALL_PCT:
        return f"{_ALL_PCT - 10**-digits:.{digits}f}"
    return text


def show_interval(value: Figure, unit: str = "") -> str:
    """Return the interval of `value` as text that follows its mean, empty where it is too narrow to be seen.

    It is half the width (± 1.2), or the one end of an interval whose other end lies where the values end.
    """
    digits = _digits(value.mean, unit)
    below, above = value.mean - value.low, value.high - value.mean
    if math.isnan(value.mean) or max(below, above) < 0.5 * 10**-digits:
        return ""
    if math.isclose(below, above, rel_tol=1e-6):
        return f" ± {below:.{digits}f}"
    return f" (≤ {value.high:.{digits}f})" if below < above else f" (≥ {value.low:.{digits}f})"


def _digits(mean: float, unit: str) -> int:
    if unit == "%":
        return 2 if _NEARLY_ALL_PCT <= mean < _ALL_PCT else 1
    return 1 if unit == "s" else 0 if unit == "ms" or mean >= 100 else 4 if unit == "USD" else 2


def show_pct(value: float) -> str:
    """Return a share (%) that has no interval as text."""
    return show(Figure(value, value, value), "%")


class _Console(Console):
    def on_broken_pipe(self) -> None:
        # Not rich's exit code 1, which would be that of findings: `sinbin.cli` ends quietly.
        raise BrokenPipeError


def stdout_console() -> Console:
    """Return a console as wide as the terminal or COLUMNS say; where neither does, as wide as what it prints."""
    known = sys.stdout.isatty() or "COLUMNS" in os.environ
    return _Console(width=None if known else _WIDTH)


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


def refusals(result: Result) -> list[str]:
    """Return why the gateway itself refused, and how many requests a run: a line for each of several consumers."""
    reasons = result.refused_by_consumer if len(result.by_consumer) > 1 else {"": result.refused_at_gateway}
    return [
        f"{f'{name}: ' if name else ''}{', '.join(f'{why} {count:.1f}' for why, count in sorted(whys.items()))}"
        for name, whys in reasons.items()
        if whys
    ]


def print_result(result: Result, console: Console) -> None:
    """Print the figures of one scenario."""
    runs = f"{result.runs} runs, 95 % intervals" if result.runs > 1 else "1 run"
    title = f"{result.scenario.name}: {runs}"
    table = Table(title=title, title_justify="left")
    table.add_column("figure")
    table.add_column("value", justify="right")
    for key, label, unit in _ROWS:
        table.add_row(label, show(result.total[key], unit))
    for status, count in sorted(result.unanswered.items()):
        label = "without a call" if status == 0 else f"ended with {status}"
        table.add_row(f"requests {label}", f"{count:.1f}")
    for number, who in enumerate(refusals(result)):
        table.add_row("" if number else "refused at the gateway", who)
    console.print(table)
    labels = region_labels(result.scenario.regions)
    regions = Table(title="by region", title_justify="left")
    longest = max(cell_len(line) for label in labels.values() for line in label.split("\n"))
    regions.add_column("region", overflow="fold", min_width=min(longest, _MOST_OF_A_NAME))
    for _, heading, unit in OF_A_REGION:
        regions.add_column(f"{heading} {unit}".rstrip(), justify="right")
    for name, figures in result.by_region.items():
        cells = (show_mean(figures[key], unit) + show_interval(figures[key], unit) for key, _, unit in OF_A_REGION)
        regions.add_row(labels[name], *cells)
    console.print(regions)
    if len(result.by_consumer) > 1:
        kinds = Table(title="by kind of request", title_justify="left")
        kinds.add_column("kind", overflow="fold")
        for _, heading, _ in OF_A_KIND:
            kinds.add_column(heading, justify="right")
        for name, figures in result.by_consumer.items():
            kinds.add_row(name, *(show(figures[key], unit) for key, _, unit in OF_A_KIND))
        console.print(kinds)
    print_assumptions(result, console)


def print_assumptions(result: Result, console: Console) -> None:
    """Print what was assumed for a result."""
    for assumption in result.assumptions:
        console.print(f"assumed: {assumption}", markup=False, highlight=False, soft_wrap=True)


def print_comparison(results: Iterable[Result], console: Console) -> None:
    """Print scenarios side by side, one line each."""
    table = Table(title="side by side", title_justify="left")
    table.add_column("scenario", overflow="fold")
    for _, heading, _ in COMPARED:
        table.add_column(heading, justify="right")
    for result in results:
        table.add_row(result.scenario.name, *(show(result.total[key], unit) for key, _, unit in COMPARED))
    console.print(table)


def print_prices(results: Iterable[Result], prices: Prices, console: Console) -> None:
    """Print where the prices behind the costs of `results` come from."""
    for line in prices.sources(region.model for result in results for region in result.scenario.regions.values()):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
