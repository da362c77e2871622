"""One load test: a scenario sent to a target by k6, measured."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sinbin.errors import SinbinError
from sinbin.loadtest.k6 import run_k6
from sinbin.loadtest.records import Record, read_record
from sinbin.loadtest.requirements import Requirement, missed, thresholds_of
from sinbin.loadtest.result import measured_result
from sinbin.loadtest.script import config_of, script_of
from sinbin.loadtest.target import Target
from sinbin.simulate.cost import Prices
from sinbin.simulate.results import Result
from sinbin.simulate.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Measurement:
    """What a load test found."""

    result: Result
    missed: list[str]
    """Requirements that were not reached, in words."""
    remarks: list[str]
    """What a reader of the figures must know of the run."""


def run_load(
    scenario: Scenario,
    target: Target,
    k6: Path,
    prices: Prices,
    *,
    requirements: Sequence[Requirement] = (),
    done: Callable[[], None] = lambda: None,
) -> Measurement:
    """Send the load of `scenario` to `target` once.

    Args:
        scenario: its load is sent; its regions are those that may answer.
        target: where to.
        k6: the command.
        prices: for the cost.
        requirements: what must be reached.
        done: called after every request.

    Raises:
        SinbinError: k6 cannot send such a load, did not run to its end, or nothing answered.
    """
    thresholds = thresholds_of(requirements, scenario.regions)
    outcome = run_k6(k6, script_of(scenario.load), config_of(scenario, target, thresholds), target, done)
    if not outcome.noted:
        raise SinbinError("k6 sent no request; choose a longer --duration or a higher --rate")
    began = min(noted["at"] for noted in outcome.noted)
    records = [read_record(noted, began, target.speed) for noted in outcome.noted]
    if all(record.status == 0 and record.why for record in records):
        raise SinbinError(f"{target.url}: no request was answered: {records[0].why}")
    calls_known = all(record.calls is not None for record in records)
    result = measured_result(scenario, records, prices)
    return Measurement(
        result,
        missed(requirements, result),
        [*_remarks(records, calls_known), *_not_sent(outcome.not_sent())],
    )


def _remarks(records: Sequence[Record], calls_known: bool) -> list[str]:
    remarks = []
    failed = Counter(record.why for record in records if record.status == 0 and record.why)
    for why, count in failed.most_common(3):
        remarks.append(f"{count} requests got no answer (status 0): {why}")
    wrong = Counter(record.status for record in records if record.status in (401, 403, 404))
    remarks += [
        f"{count} requests were answered {status}: look at key, alias and limits"
        for status, count in wrong.items()
    ]
    if not calls_known:
        remarks.append(
            "the answers do not say which backends were called, so calls and regions are unknown: give the "
            "consumer `routingHeaders: true`"
        )
    return remarks


def _not_sent(count: int) -> list[str]:
    return [f"{count} requests were not sent: every caller was waiting; raise --callers"] if count else []
