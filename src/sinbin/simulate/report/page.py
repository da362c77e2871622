"""The report: results as one HTML page that stands on its own."""

import math
from collections.abc import Callable, Mapping, Sequence
from html import escape

from sinbin.simulate.columns import COMPARED, OF_A_KIND, OF_A_REGION, Column
from sinbin.simulate.cost import Prices
from sinbin.simulate.report.charts import colour_of, pictures
from sinbin.simulate.report.setup import setup_of
from sinbin.simulate.results import Figure, Result
from sinbin.simulate.tables import refusals, show, show_interval

_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;color:#1f2328;background:#f6f8fa;margin:0}
main{max-width:1180px;margin:0 auto;padding:28px 24px 60px}
h1{font-size:26px;margin:0 0 4px}h2{font-size:20px;margin:40px 0 4px}p{margin:4px 0 14px;color:#57606a}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;margin:14px 0}
.tile{background:#fff;border:1px solid #d8dee4;border-radius:10px;padding:12px 14px}
.tile b{display:block;font-size:22px;line-height:1.25}.tile span{color:#57606a;font-size:13px}
.pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(480px,1fr));gap:14px}
figure{margin:0;background:#fff;border:1px solid #d8dee4;border-radius:10px;padding:8px}
figure svg{display:block;width:100%;height:auto}
table{border-collapse:collapse;width:100%;background:#fff;border:1px solid #d8dee4;margin:14px 0}
th,td{padding:7px 12px;border-bottom:1px solid #eaeef2;text-align:right;font-variant-numeric:tabular-nums}
th{background:#f0f3f6;font-size:13px}th:first-child,td:first-child{text-align:left}
.dot{display:inline-block;width:10px;height:10px;border-radius:3px;margin-right:7px}
.best{font-weight:700;color:#0b6e4f}footer{margin-top:40px;color:#57606a;font-size:13px}
@media print{body{background:#fff}.tile,figure,table{break-inside:avoid}}
"""
_TILES = (
    ("success_pct", "success", "%"),
    ("goodput_rps", "answers per second", ""),
    ("p95_ms", "95th percentile", "ms"),
    ("median_ms", "median", "ms"),
    ("calls_per_request", "calls per request", ""),
    ("refused_calls", "refused calls", ""),
    ("failed_calls", "failed calls", ""),
    ("sit_outs", "sit-outs", ""),
    ("cost_usd", "USD, cost of the run", ""),
)
_BEST: Mapping[str, Callable[..., float]] = {
    "success_pct": max,
    "goodput_rps": max,
    "calls_per_request": min,
    "refused_calls": min,
    "failed_calls": min,
    "median_ms": min,
    "p95_ms": min,
    "cost_usd_per_1000_answers": min,
}
"""Which is the best; of the others more may be better, as of a cost that is that of more answers."""


def report(results: Sequence[Result], prices: Prices) -> str:
    """Return the page for `results`: a comparison if there are several, then each with its pictures."""
    names = ", ".join(result.scenario.name for result in results)
    parts = [f"<h1>{escape(names)}</h1>", f"<p>{escape(_subtitle(results[0]))}</p>"]
    if len(results) > 1:
        parts.append(_comparison(results))
    for result in results:
        parts += _section(result, alone=len(results) == 1)
    parts.append(
        "<footer>Simulated by sinbin on a virtual clock. Intervals are 95 % confidence intervals of the mean over "
        f"the replications; {escape('; '.join(_prices(results, prices)))}.</footer>"
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(names)}</title><style>{_STYLE}</style></head><body><main>{''.join(parts)}</main></body></html>\n"
    )


def _prices(results: Sequence[Result], prices: Prices) -> list[str]:
    return prices.sources(region.model for result in results for region in result.scenario.regions.values())


def _subtitle(result: Result) -> str:
    runs = f"{result.runs} replication{'s' if result.runs > 1 else ''} from seed {result.seed}"
    return f"{runs}; pictures over time show the mean of all, the sin bin shows the first"


def _section(result: Result, *, alone: bool) -> list[str]:
    tiles = "".join(
        f'<div class="tile"><b>{escape(show(_point(result.total[key]), unit))}</b><span>{escape(label)}'
        f"{escape(show_interval(result.total[key], unit))}</span></div>"
        for key, label, unit in _TILES
    )
    figures = "".join(f"<figure>{picture}</figure>" for picture in pictures(result).values())
    return [
        "" if alone else f"<h2>{escape(result.scenario.name)}</h2>",
        *(f"<p>{escape(line)}</p>" for line in setup_of(result.scenario)),
        f'<div class="tiles">{tiles}</div><div class="pictures">{figures}</div>',
        _figures(
            "region", result.by_region, OF_A_REGION, {name: colour_of(result, name) for name in result.by_region}
        ),
        _figures("kind of request", result.by_consumer, OF_A_KIND, {}) if len(result.by_consumer) > 1 else "",
        _unanswered(result),
        *(f"<p>Assumed: {escape(sentence)}.</p>" for sentence in result.assumptions),
    ]


def _point(value: Figure) -> Figure:
    return Figure(value.mean, value.mean, value.mean)


def _figures(
    what: str,
    rows: Mapping[str, Mapping[str, Figure]],
    columns: Sequence[Column],
    colours: Mapping[str, str],
) -> str:
    """Return a table with a line per region or kind of request."""
    head = "".join(f"<th>{label}</th>" for label in (what, *(label for _, label, _ in columns)))
    lines = "".join(
        f"<tr><td>{_dot(colours.get(name))}{escape(name)}</td>"
        + "".join(f"<td>{escape(show(figures[key], unit))}</td>" for key, _, unit in columns)
        + "</tr>"
        for name, figures in rows.items()
    )
    return f"<table><tr>{head}</tr>{lines}</table>"


def _dot(colour: str | None) -> str:
    return f'<span class="dot" style="background:{colour}"></span>' if colour else ""


def _unanswered(result: Result) -> str:
    if not result.unanswered:
        return ""
    parts = [
        f"{count:.1f} {'without a call' if status == 0 else f'with {status}'}"
        for status, count in sorted(result.unanswered.items())
    ]
    refused = refusals(result)
    at_gateway = f"<p>Refused at the gateway: {escape('; '.join(refused))}.</p>" if refused else ""
    return f"<p>Requests without an answer, per replication: {escape(', '.join(parts))}.</p>{at_gateway}"


def _comparison(results: Sequence[Result]) -> str:
    head = "<th>scenario</th>" + "".join(f"<th>{label}</th>" for _, label, _ in COMPARED)
    most = max(result.total["success_pct"].mean for result in results)
    # Who answers less also calls, waits and pays less: only among those that answer as much is less of it better.
    equals = [result for result in results if result.total["success_pct"].high >= most]
    best = {
        key: pick((one.total[key].mean for one in equals if not math.isnan(one.total[key].mean)), default=math.nan)
        for key, pick in _BEST.items()
    }
    rows = "".join(
        f"<tr><td>{escape(result.scenario.name)}</td>"
        + "".join(
            _cell(result.total[key], unit, best.get(key, math.nan) if result in equals else math.nan)
            for key, _, unit in COMPARED
        )
        + "</tr>"
        for result in results
    )
    return f"<table><tr>{head}</tr>{rows}</table>"


def _cell(value: Figure, unit: str, best: float) -> str:
    mark = ' class="best"' if value.low <= best <= value.high else ""
    return f"<td{mark}>{escape(show(value, unit))}</td>"
