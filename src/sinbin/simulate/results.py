"""The figures of a scenario over its replications, each with a confidence interval."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sinbin.simulate.assumed import assumptions
from sinbin.simulate.cost import Prices, run_cost
from sinbin.simulate.run import new_tally
from sinbin.simulate.scenario import Scenario
from sinbin.simulate.sketch import Sketch
from sinbin.simulate.tally import Key, Tally

_T95 = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
"""Student's t, two-sided 95 %, for 1 to 30 degrees of freedom."""
_NORMAL95 = 1.96
_MOST_PCT = 100.0


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean over replications and its 95 % confidence interval; one replication has no width."""

    mean: float
    low: float
    high: float

    def as_json(self) -> dict[str, float | None]:
        """Return the figure for a JSON document; what is not a number becomes null."""
        return {
            key: None if math.isnan(value) else round(value, 4)
            for key, value in (("mean", self.mean), ("low", self.low), ("high", self.high))
        }


def figure(values: Sequence[float], lowest: float = -math.inf, highest: float = math.inf) -> Figure:
    """Return the mean of `values` (one per replication) with its interval; values that are nan are left out.

    The interval ends where the values do: at `lowest` and `highest`.
    """
    known = [value for value in values if not math.isnan(value)]
    if not known:
        return Figure(math.nan, math.nan, math.nan)
    mean = math.fsum(known) / len(known)
    if len(known) == 1:
        return Figure(mean, mean, mean)
    variance = math.fsum((value - mean) ** 2 for value in known) / (len(known) - 1)
    degrees = len(known) - 1
    half = (_T95[degrees - 1] if degrees <= len(_T95) else _NORMAL95) * math.sqrt(variance / len(known))
    return Figure(mean, max(mean - half, lowest), min(mean + half, highest))


Values = dict[str, float]


@dataclass(frozen=True, slots=True)
class Measured:
    """The figures of one replication, flat, and by region and consumer."""

    total: Values
    by_region: dict[str, Values]
    by_consumer: dict[str, Values]
    unanswered: dict[int, int]
    refused_at_gateway: dict[str, int]
    refused_by_consumer: dict[str, dict[str, int]]


def measure(scenario: Scenario, tally: Tally, prices: Prices) -> Measured:
    """Return the figures of one replication."""
    elapsed = tally.elapsed_s or math.nan
    requests = tally.requests or math.nan
    latency = tally.latency()
    cost = run_cost(scenario, tally, prices)
    answered = len(latency)
    total = {
        "success_pct": 100 * answered / requests,
        "throughput_rps": tally.requests / elapsed,
        "goodput_rps": answered / elapsed,
        "requests": float(tally.requests),
        "calls_per_request": tally.calls / requests,
        "refused_calls": float(tally.refused_calls),
        "failed_calls": float(tally.failed_calls),
        **_latencies(latency),
        "elapsed_s": tally.elapsed_s,
        "sit_outs": float(tally.sit_out_count),
        "cost_usd": math.fsum(cost.values()),
        "cost_usd_per_1000_answers": 1000 * math.fsum(cost.values()) / answered if answered else math.nan,
    }
    regions: dict[str, Values] = {}
    for name, region in tally.regions.items():
        answers = tally.latency(region=name)
        regions[name] = {
            "answered": float(len(answers)),
            "goodput_rps": len(answers) / elapsed,
            "calls": float(region.calls),
            "refused_calls": float(region.refused_calls),
            "failed_calls": float(region.failed_calls),
            "sit_outs": float(region.sit_outs),
            **_latencies(answers),
            "cost_usd": cost[name],
        }
    consumers: dict[str, Values] = {}
    for name, kind in tally.kinds.items():
        answers = tally.latency(kind=name)
        consumers[name] = {
            "requests": float(kind.requests),
            "success_pct": 100 * len(answers) / kind.requests if kind.requests else math.nan,
            "goodput_rps": len(answers) / elapsed,
            **_latencies(answers),
        }
    refused = {
        name: dict(kind.refused_at_gateway) for name, kind in tally.kinds.items() if kind.refused_at_gateway
    }
    return Measured(total, regions, consumers, tally.unanswered_by_status(), tally.refused_at_gateway, refused)


def _latencies(latency: Sketch) -> Values:
    return {"median_ms": 1000 * latency.quantile(0.5), "p95_ms": 1000 * latency.quantile(0.95)}


@dataclass(frozen=True, slots=True)
class Result:
    """A scenario's figures, and the tallies that pictures are drawn from."""

    scenario: Scenario
    seed: int
    runs: int
    total: dict[str, Figure]
    by_region: dict[str, dict[str, Figure]]
    by_consumer: dict[str, dict[str, Figure]]
    unanswered: dict[int, float]
    """Requests without an answer per replication, by their last status; 0 = no call was made."""
    refused_at_gateway: dict[str, float]
    """Requests per replication that the gateway itself ended, not a region, by the reason."""
    refused_by_consumer: dict[str, dict[str, float]]
    """The same by kind of request; kinds of which none was refused are left out."""
    replications: tuple[Values, ...]
    """The total figures of each replication, in the order of their seeds."""
    first: Tally
    """The first replication, for pictures of a single run."""
    merged: Tally
    """All replications."""
    assumptions: tuple[str, ...] = ()
    """What nothing measured or published says, one sentence each."""

    def as_json(self) -> dict[str, Any]:
        """Return the figures as design section 7 names them."""
        return {
            "scenario": self.scenario.name,
            "runs": self.runs,
            "seed": self.seed,
            **_json(self.total),
            "unanswered": {str(status): round(count, 4) for status, count in sorted(self.unanswered.items())},
            "refused_at_gateway": {
                reason: round(count, 4) for reason, count in sorted(self.refused_at_gateway.items())
            },
            "refused_by_consumer": {
                name: {reason: round(count, 4) for reason, count in sorted(reasons.items())}
                for name, reasons in self.refused_by_consumer.items()
            },
            "by_region": {name: _json(figures) for name, figures in self.by_region.items()},
            "by_consumer": {name: _json(figures) for name, figures in self.by_consumer.items()},
            "assumptions": list(self.assumptions),
        }


def _json(figures: dict[str, Figure]) -> dict[str, Any]:
    return {name: value.as_json() for name, value in figures.items()}


def summarise(
    scenario: Scenario,
    seed: int,
    tallies: Iterable[Tally],
    prices: Prices,
    done: Callable[[], None] = lambda: None,
) -> Result:
    """Return the result of replications that come in the order of their seeds.

    Args:
        scenario: what was simulated.
        seed: the first replication's.
        tallies: one per replication, at least one; each is dropped when it has been added up.
        prices: for the cost.
        done: called after every replication.
    """
    measured: list[Measured] = []
    first: Tally | None = None
    merged = new_tally(scenario)
    merged.runs = 0
    for tally in tallies:
        measured.append(measure(scenario, tally, prices))
        first = first or tally
        merged.merge(tally)
        done()
    if first is None:
        raise ValueError("a result needs at least one replication")
    made = collect(scenario, seed, measured, first, merged)
    return replace(made, assumptions=tuple(assumptions(scenario, prices)))


def collect(scenario: Scenario, seed: int, measured: Sequence[Measured], first: Tally, merged: Tally) -> Result:
    """Return the result of the figures of one or more replications, in the order of their seeds.

    Args:
        scenario: what was run.
        seed: the first replication's.
        measured: at least one.
        first: the tally of the first replication.
        merged: the tally of all of them.
    """
    return Result(
        scenario=scenario,
        seed=seed,
        runs=len(measured),
        total=_figures([one.total for one in measured]),
        by_region={name: _figures([one.by_region[name] for one in measured]) for name in measured[0].by_region},
        by_consumer={
            name: _figures([one.by_consumer[name] for one in measured]) for name in measured[0].by_consumer
        },
        unanswered=_means([one.unanswered for one in measured]),
        refused_at_gateway=_means([one.refused_at_gateway for one in measured]),
        refused_by_consumer={
            name: _means([one.refused_by_consumer.get(name, {}) for one in measured])
            for name in measured[0].by_consumer
            if any(name in one.refused_by_consumer for one in measured)
        },
        replications=tuple(one.total for one in measured),
        first=first,
        merged=merged,
    )


def _means(counts: list[dict[Key, int]]) -> dict[Key, float]:
    keys = {key for one in counts for key in one}
    return {key: sum(one.get(key, 0) for one in counts) / len(counts) for key in keys}


def _figures(values: list[Values]) -> dict[str, Figure]:
    return {
        name: figure([one[name] for one in values], 0, _MOST_PCT if name.endswith("_pct") else math.inf)
        for name in values[0]
    }
