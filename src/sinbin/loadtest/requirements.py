"""What a load must reach: judged by the figures of its result, and told to k6 as thresholds."""

import math
import operator
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sinbin.errors import UsageError
from sinbin.simulate.results import Result

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
_LATENCIES = ("median_ms", "p95_ms")
"""Figures that are unknown when nothing was answered."""
_HOLDS = {"<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt}
_DECIMALS = range(2, 17)
_TEXT = re.compile(
    r"\s*(?P<figure>[a-z0-9_]+|share_pct:\S+?)\s*(?P<sign><=|>=|<|>)\s*(?P<number>\d+(?:\.\d+)?)\s*"
)


@dataclass(frozen=True, slots=True)
class Requirement:
    """One line of what must be reached."""

    figure: str
    """As the result names it, or `share_pct:` and a region."""
    sign: str
    wanted: str
    """The number as it was written."""
    metric: str
    """As k6 names it, with its tag."""
    expression: str
    """The threshold of k6."""

    def holds(self, got: float) -> bool:
        """Return whether a figure that is `got` reaches it."""
        return bool(_HOLDS[self.sign](got, float(self.wanted)))


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
    return Requirement(figure, match["sign"], match["number"], metric, f"{of}{match['sign']}{number:.12g}")


def thresholds_of(requirements: Sequence[Requirement], regions: Collection[str]) -> dict[str, list[str]]:
    """Return the thresholds by metric; every region's share has one, for k6 keeps a share only then."""
    thresholds: dict[str, list[str]] = {f"region_share{{region:{region}}}": ["rate>=0"] for region in regions}
    for one in requirements:
        thresholds.setdefault(one.metric, []).append(one.expression)
    return thresholds


def missed(requirements: Sequence[Requirement], result: Result) -> list[str]:
    """Return, in words, the requirements that `result` does not reach or that nothing can be said of."""
    found = []
    for one in requirements:
        got = _figure(one.figure, result)
        if math.isnan(got):
            found.append(f"cannot be judged: {one.figure} {one.sign} {one.wanted}: {_unknown(one.figure, result)}")
        elif not one.holds(got):
            found.append(f"missed: {one.figure} is {_shown(one, got)}, wanted {one.sign} {one.wanted}")
    return found


def _figure(figure: str, result: Result) -> float:
    if not figure.startswith(_SHARE):
        return result.total[figure].mean
    answered = {name: figures["answered"].mean for name, figures in result.by_region.items()}
    total = math.fsum(answered.values())
    return 100 * answered[figure.removeprefix(_SHARE)] / total if total else math.nan


def _unknown(figure: str, result: Result) -> str:
    if figure in _LATENCIES or (figure.startswith(_SHARE) and not result.total["success_pct"].mean):
        return "no request was answered"
    return "the answers do not say which backends were called"


def _shown(one: Requirement, got: float) -> str:
    """Return `got` with as many decimals, two at least, as show that it misses."""
    texts = (f"{got:.{decimals}f}".rstrip("0").rstrip(".") for decimals in _DECIMALS)
    return next((text for text in texts if not one.holds(float(text))), repr(got))
