"""What k6 says of every request, counted in the simulator's tally."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sinbin.simulate.run import new_tally
from sinbin.simulate.scenario import Scenario
from sinbin.simulate.tally import LIMITS, POOL_EMPTY, Tally

UNNAMED = "(not said)"
"""Stands for the region of an answer that does not say which one gave it."""
_REFUSALS = ("pool exhausted", "breaker open")
"""Reasons in the 503 of our policies for which no region can be called."""
_TOO_MANY, _FORBIDDEN, _UNAVAILABLE = 429, 403, 503
_OK = range(200, 300)


@dataclass(frozen=True, slots=True)
class Record:
    """One request. Times are those of the clock that gateway and regions live in."""

    kind: str
    at_s: float
    """When it was sent, after the first one."""
    latency_s: float
    status: int
    """0 = no answer came."""
    answered: bool
    calls: tuple[tuple[str, int], ...] | None
    """Backend and status of each call that was made for it, in order; None = the answer does not say."""
    prompt_tokens: int
    completion_tokens: int
    why: str
    """The reason that a refusal gives, of a failed connection what failed."""


def record_of(line: str) -> dict[str, Any] | None:
    """Return what the scripts noted of one request, None for every other line of k6's output."""
    if '"record":' not in line:
        return None
    noted = json.loads(line)["data"].get("metadata", {}).get("record")
    return None if noted is None else dict(json.loads(noted))


def read_record(noted: dict[str, Any], began_ms: float, speed: float) -> Record:
    """Return the record of a request that the scripts `noted`; `began_ms` is when the first was sent."""
    calls = noted["calls"]
    prompt, completion = noted["usage"]
    return Record(
        kind=noted["kind"],
        at_s=(noted["at"] - began_ms) / 1000 * speed,
        latency_s=noted["ms"] / 1000,
        status=noted["status"],
        answered=noted["answered"],
        calls=None if calls is None else tuple((call["backend"], call["status"] or 0) for call in calls),
        prompt_tokens=prompt,
        completion_tokens=completion,
        why=noted["why"],
    )


def with_unnamed(scenario: Scenario) -> Scenario:
    """Return `scenario` with a region `UNNAMED` beside its own, which has the model of the first."""
    first = next(iter(scenario.regions.values())).model_copy(update={"provisioned_units": None})
    return scenario.model_copy(update={"regions": {**scenario.regions, UNNAMED: first}})


def tally_of(scenario: Scenario, records: Iterable[Record]) -> Tally:
    """Return what `records` add up to; `scenario` has a region `UNNAMED` for answers that name none."""
    tally = new_tally(scenario)
    for record in records:
        _count(tally, record)
    tally.elapsed_s = max(tally.unanswered.last_s, *(region.answered.last_s for region in tally.regions.values()))
    return tally


def _count(tally: Tally, record: Record) -> None:
    ended = record.at_s + record.latency_s
    kind = tally.kinds[record.kind]
    kind.requests += 1
    # A backend that the scenario does not know is one of another alias: a stack that was changed meanwhile.
    calls = [(name if name in tally.regions else UNNAMED, status) for name, status in record.calls or ()]
    for name, status in calls:
        region = tally.regions[name]
        region.calls += 1
        if status == _TOO_MANY:
            region.refused_calls += 1
            region.refused.add(ended)
        elif status not in _OK:
            region.failed_calls += 1
    if record.answered:
        name = calls[-1][0] if calls else UNNAMED
        cell = tally.cells[record.kind][name]
        cell.latency.add(record.latency_s)
        cell.prompt_tokens += record.prompt_tokens
        cell.completion_tokens += record.completion_tokens
        tally.regions[name].answered.add(ended)
        return
    kind.unanswered[record.status] = kind.unanswered.get(record.status, 0) + 1
    tally.unanswered.add(ended)
    reason = _refused_because(record)
    if reason:
        tally.refuse(record.kind, reason)


def _refused_because(record: Record) -> str:
    """Return why the gateway itself refused, empty when a region did or nothing says who it was."""
    if record.status == 0 or (record.calls and record.calls[-1][1] == record.status):
        return ""
    if record.why in _REFUSALS or (record.calls is not None and record.status == _UNAVAILABLE):
        return POOL_EMPTY
    if record.calls is None:
        return ""
    return LIMITS if record.status in (_TOO_MANY, _FORBIDDEN) else f"status {record.status}"
