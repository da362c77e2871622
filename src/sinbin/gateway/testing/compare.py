"""What came of a step, compared with what it expects; only what is named is compared."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sinbin.gateway.answer import Metric
from sinbin.gateway.expressions import to_json
from sinbin.gateway.failures import PolicyLoadError
from sinbin.gateway.messages import Headers, HttpRequest
from sinbin.gateway.testing.cases import ExpectModel, ReceivedModel, RefusedModel
from sinbin.gateway.testing.driver import Ran

_TOLERANCE_S = 1e-6


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One thing that is not as expected."""

    what: str
    expected: Any
    came: Any

    def __str__(self) -> str:
        return f"{self.what}: expected {_shown(self.expected)}, got {_shown(self.came)}"


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def compare(expected: ExpectModel, ran: Ran) -> Iterator[Mismatch]:
    """Yield what of `expected` did not come true in `ran`."""
    named = expected.model_fields_set
    response = ran.response
    yield from _differs("status", expected.status, response.status, named)
    yield from _differs("reason", expected.reason, response.reason, named)
    yield from _headers("headers", expected.headers, response.headers)
    if "body" in named:
        yield from _body("body", expected.body, ran.body)
    if expected.calls is not None and list(expected.calls) != ran.backends:
        yield Mismatch("calls", list(expected.calls), ran.backends)
    for name, wanted, came in (
        ("received", expected.received, [(call.backend, call.request) for call in ran.calls]),
        ("sent", expected.sent, [(sent.backend, sent.request) for sent in ran.sent]),
    ):
        if wanted is not None:
            yield from _requests(name, wanted, came)
    for name, seconds, spent in (
        ("waited", expected.waited, ran.waited_s),
        ("elapsed", expected.elapsed, ran.ended_at - ran.started_at),
    ):
        if seconds is not None and abs(seconds - spent) > _TOLERANCE_S:
            yield Mismatch(name, seconds, round(spent, 6))
    yield from _variables(expected.variables, ran.answer.variables)
    if "last_error" in named:
        yield from _last_error(expected, ran)
    if expected.metrics is not None:
        came_metrics = [_metric(one) for one in ran.answer.recorded if isinstance(one, Metric)]
        if list(expected.metrics) != came_metrics:
            yield Mismatch("metrics", list(expected.metrics), came_metrics)


def compare_refusal(expected: RefusedModel, error: PolicyLoadError | None) -> Iterator[Mismatch]:
    """Yield what of `expected` is not true of the refusal `error`; None = nothing was refused."""
    wanted = expected.model_dump(exclude_none=True)
    if error is None:
        yield Mismatch("refused", wanted or True, None)
        return
    for problem in error.problems:
        if (
            (expected.message is None or expected.message in problem.message)
            and expected.line in {None, problem.line}
            and expected.file in {None, problem.file}
        ):
            return
    came = [{"file": one.file, "line": one.line, "message": one.message} for one in error.problems]
    yield Mismatch("refused", wanted, came)


def _differs(what: str, expected: Any, came: Any, named: set[str]) -> Iterator[Mismatch]:
    if what in named and expected != came:
        yield Mismatch(what, expected, came)


def _headers(what: str, expected: Mapping[str, str | None], came: Headers) -> Iterator[Mismatch]:
    for name, value in expected.items():
        if came.get(name) != value:
            yield Mismatch(f"{what}.{name}", value, came.get(name))


def _body(what: str, expected: Any, came: bytes | None) -> Iterator[Mismatch]:
    text = (came or b"").decode(errors="replace")
    if isinstance(expected, str):
        if text != expected:
            yield Mismatch(what, expected, text)
        return
    if expected is None:
        if text:
            yield Mismatch(what, None, text)
        return
    try:
        value = json.loads(text)
    except ValueError:
        value = text
    if value != expected:
        yield Mismatch(what, expected, value)


def _requests(
    what: str, expected: Sequence[ReceivedModel], came: Sequence[tuple[str | None, HttpRequest]]
) -> Iterator[Mismatch]:
    if len(expected) != len(came):
        yield Mismatch(
            f"{what} (how many)", len(expected), [f"{request.method} {request.url}" for _, request in came]
        )
    for number, (wanted, (backend, request)) in enumerate(zip(expected, came, strict=False)):
        where, named = f"{what}[{number}]", wanted.model_fields_set
        for name, value, own in (
            ("backend", wanted.backend, backend),
            ("url", wanted.url, request.url),
            ("method", wanted.method, request.method),
        ):
            if name in named and value != own:
                yield Mismatch(f"{where}.{name}", value, own)
        yield from _headers(f"{where}.headers", wanted.headers, request.headers)
        if "body" in named:
            yield from _body(f"{where}.body", wanted.body, request.body)


def _variables(expected: Mapping[str, Any], came: Mapping[str, Any]) -> Iterator[Mismatch]:
    for name, value in expected.items():
        own = to_json(came[name]) if name in came else None
        if own != value or isinstance(own, bool) != isinstance(value, bool):
            yield Mismatch(f"variables.{name}", value, own)


def _last_error(expected: ExpectModel, ran: Ran) -> Iterator[Mismatch]:
    wanted, error = expected.last_error, ran.answer.last_error
    if wanted is None or error is None:
        if (wanted is None) != (error is None):
            yield Mismatch("lastError", wanted.model_dump(exclude_none=True) if wanted else None, error)
        return
    for name in sorted(wanted.model_fields_set):
        if getattr(wanted, name) != getattr(error, name):
            yield Mismatch(f"lastError.{name}", getattr(wanted, name), getattr(error, name))


def _metric(metric: Metric) -> dict[str, Any]:
    return {
        "namespace": metric.namespace,
        "name": metric.name,
        "value": metric.value,
        "dimensions": dict(metric.dimensions),
    }
