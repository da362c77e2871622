"""What a load must reach, as thresholds of k6."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sinbin.errors import UsageError

_METRICS = {
    "success_pct": ("success", "rate", 0.01),
    "goodput_rps": ("goodput", "rate", None),
    "calls_per_request": ("calls_per_request", "avg", 1.0),
    "refused_calls": ("refused_calls", "count", 1.0),
    "median_ms": ("answer_ms", "med", 1.0),
    "p95_ms": ("answer_ms", "p(95)", 1.0),
}
"""Figure of a result → metric of the scripts, what is taken of it, and the factor between their units (None: that
metric counts on the wall, so the speed of the clock is the factor)."""
_SHARE = "share_pct:"
_OF_CALLS = ("calls_per_request", "refused_calls", "region_share")
"""Metrics that only answers which name their calls feed."""
_TEXT = re.compile(
    r"\s*(?P<figure>[a-z0-9_]+|share_pct:\S+?)\s*(?P<sign><=|>=|<|>)\s*(?P<number>\d+(?:\.\d+)?)\s*"
)


@dataclass(frozen=True, slots=True)
class Requirement:
    """One line of what must be reached."""

    text: str
    metric: str
    """As k6 names it, with its tag."""
    expression: str


def read_requirement(text: str, regions: Collection[str], speed: float) -> Requirement:
    """Return the requirement that `text` says, like `success_pct>=99` or `share_pct:NAME<=90`.

    Args:
        text: figure, sign and number.
        regions: names that a share may be of.
        speed: how many times faster than the wall's the clock of the gateway runs.

    Raises:
        UsageError: it says none.
    """
    match = _TEXT.fullmatch(text)
    figure = match["figure"] if match else ""
    region = figure.removeprefix(_SHARE) if figure.startswith(_SHARE) else None
    if match is None or (figure not in _METRICS and region is None):
        raise UsageError(
            f'--require "{text}": write a figure, a sign and a number, and quote it, for the shell takes < and > '
            f"for itself: '--require=success_pct>=99'; figures are "
            f"{', '.join(_METRICS)}, and {_SHARE}NAME of a backend"
        )
    if region is not None and region not in regions:
        raise UsageError(f'--require "{text}": there is no backend "{region}" (there is: {", ".join(regions)})')
    name, of, factor = _METRICS.get(figure, ("region_share", "rate", 0.01))
    metric = name if region is None else f"{name}{{region:{region}}}"
    number = float(match["number"]) * (speed if factor is None else factor)
    return Requirement(text.strip(), metric, f"{of}{match['sign']}{number:.12g}")


def thresholds_of(requirements: Sequence[Requirement], regions: Collection[str]) -> dict[str, list[str]]:
    """Return the thresholds by metric; every region's share has one, for k6 keeps a share only then."""
    thresholds: dict[str, list[str]] = {f"region_share{{region:{region}}}": ["rate>=0"] for region in regions}
    for one in requirements:
        thresholds.setdefault(one.metric, []).append(one.expression)
    return thresholds


def missed(requirements: Sequence[Requirement], summary: Mapping[str, Any], *, calls_known: bool) -> list[str]:
    """Return, in words, the requirements that were not reached or that nothing can be said of.

    Args:
        requirements: what was asked for.
        summary: what k6 says at the end of a run.
        calls_known: whether the answers named the calls that were made for them.
    """
    found = []
    for one in requirements:
        if not calls_known and one.metric.startswith(_OF_CALLS):
            found.append(f"{one.text}: cannot be judged, the answers do not say which backends were called")
            continue
        metric = summary["metrics"].get(one.metric, {"values": {}, "thresholds": {}})
        if not metric["thresholds"].get(one.expression, {"ok": False})["ok"]:
            of = re.split("[<>]", one.expression)[0]
            got = metric["values"].get(of)
            found.append(f"{one.text}: missed" + ("" if got is None else f" ({_said(one, got)})"))
    return found


def _said(one: Requirement, got: float) -> str:
    return f"k6 says {one.metric} {got:.4g}, wanted was {one.expression}"
