"""What happened to the requests that asked for it: kept in memory, the last ones only."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from sinbin.gateway.answer import Answer
from sinbin.gateway.effects import Effect, Forward, Outcome, Parallel, SendRequest, TransportError, Wait
from sinbin.gateway.gateway import Gateway
from sinbin.gateway.messages import HttpRequest, HttpResponse
from sinbin.gateway.trace import Trace

HEADER = "x-sinbin-trace"
"""A caller that sends it with any value but `0` gets the number of its trace in a header of the same name."""
TRIED = "x-sinbin-tried"
"""In the same answer: every forward of the request in order, `backend=status`, a failed connection as its kind."""
_KEPT = 500
_WATCHED_S = 5.0
"""How long after the last look somebody is taken to watch, seconds on the wall."""


@dataclass(slots=True)
class RequestTrace:
    """One request: what the gateway noted, the calls that left it, its breakers before and after."""

    number: int
    service: str
    instance: int
    unix_time: float
    began: float
    method: str
    path: str
    breakers_before: Mapping[str, Any]
    notes: Trace = field(default_factory=Trace)
    calls: list[dict[str, Any]] = field(default_factory=list)
    waited_s: float = 0.0
    ended: dict[str, Any] | None = None
    """What the caller got; None while the request runs, or when the caller went away."""
    breakers_after: Mapping[str, Any] = field(default_factory=dict)

    def effect(self, effect: Effect, outcome: Outcome, began: float, now: float) -> None:
        """Note an effect that was carried out from `began` to `now`."""
        if isinstance(effect, Parallel):
            outcomes = outcome if isinstance(outcome, list) else []
            for one, its in zip(effect.effects, outcomes, strict=True):
                self.effect(one, its, began, now)
        elif isinstance(effect, Wait):
            self.waited_s += effect.seconds
        elif isinstance(effect, Forward | SendRequest):
            call: dict[str, Any] = {
                "kind": "forward" if isinstance(effect, Forward) else "send-request",
                "backend": effect.backend,
                "method": effect.request.method,
                "url": _without_query(effect.request.url),
                "beganS": round(began - self.began, 6),
                "endedS": round(now - self.began, 6),
            }
            if isinstance(outcome, TransportError):
                call["error"] = outcome.kind
            elif isinstance(outcome, HttpResponse):
                call["status"] = outcome.status
                if (retry_after := outcome.headers.get("Retry-After")) is not None:
                    call["retryAfter"] = retry_after
            self.calls.append(call)

    def end(self, now: float, answer: Answer, breakers: Mapping[str, Any]) -> None:
        """Note what the caller gets."""
        error = answer.last_error
        self.breakers_after = breakers
        self.ended = {
            "status": answer.response.status,
            "afterS": round(now - self.began, 6),
            "streamed": answer.response.body is not None and not isinstance(answer.response.body, bytes),
            "lastError": None
            if error is None
            else {
                name: getattr(error, name) for name in ("source", "reason", "message", "scope", "section", "path")
            },
        }

    def tried(self) -> str:
        """Return the forwards of the request in order, as the header tells them."""
        forwards = [call for call in self.calls if call["kind"] == "forward"]
        return " ".join(
            f"{call['backend'] or '-'}={call.get('status') or call.get('error', '')}" for call in forwards
        )

    def summary(self) -> dict[str, Any]:
        """Return what a list shows of it."""
        return {
            "id": self.number,
            "service": self.service,
            "instance": self.instance,
            "unixTime": self.unix_time,
            "method": self.method,
            "path": self.path,
            "status": None if self.ended is None else self.ended["status"],
            "afterS": None if self.ended is None else self.ended["afterS"],
            "waitedS": self.waited_s,
            "tried": [call["backend"] or call["url"] for call in self.calls if call["kind"] == "forward"],
            "got": [call.get("status") or call.get("error") for call in self.calls if call["kind"] == "forward"],
        }

    def details(self) -> dict[str, Any]:
        """Return all of it."""
        return self.summary() | {
            "answer": self.ended,
            "calls": self.calls,
            "breakers": {"before": self.breakers_before, "after": self.breakers_after},
            "entries": [
                {
                    "atS": round(entry.at - self.began, 6),
                    "scope": entry.place.scope if entry.place else None,
                    "section": entry.place.section if entry.place else None,
                    "policy": entry.place.name if entry.place else None,
                    "path": entry.place.path if entry.place else None,
                    "file": entry.place.file if entry.place else None,
                    "line": entry.place.line if entry.place else None,
                    "text": entry.text,
                    "starts": entry.starts,
                }
                for entry in self.notes.entries
            ],
        }


class Traces:
    """The last traced requests of all gateways, by number."""

    def __init__(self, kept: int = _KEPT) -> None:
        """Keep the last `kept`."""
        self._kept = kept
        self.watched = False
        """Somebody looks at the last requests: every one is traced, also those that do not ask for it."""
        self._last = 0
        self._by_number: OrderedDict[int, RequestTrace] = OrderedDict()
        self._end_of_watch: asyncio.TimerHandle | None = None

    def watch(self) -> None:
        """Trace every request for the next seconds; called in the loop of the gateways, again and again."""
        if self._end_of_watch is not None:
            self._end_of_watch.cancel()
        self.watched = True
        self._end_of_watch = asyncio.get_running_loop().call_later(_WATCHED_S, self._unwatch)

    def _unwatch(self) -> None:
        self.watched = False

    def begin(self, gateway: Gateway, instance: int, request: HttpRequest, path: str, now: float) -> RequestTrace:
        """Return the trace of a request that arrives at `now`."""
        self._last += 1
        configuration = gateway.configuration
        trace = RequestTrace(
            number=self._last,
            service=configuration.service_name,
            instance=instance,
            unix_time=configuration.epoch_s + now,
            began=now,
            method=request.method,
            path=_without_query(path),
            breakers_before=breakers(gateway, instance, now),
        )
        self._by_number[trace.number] = trace
        if len(self._by_number) > self._kept:
            self._by_number.popitem(last=False)
        return trace

    def report(self, most: int | None = None) -> dict[str, Any]:
        """Return all of them, or the last `most`, in short, the last one first."""
        last = islice(reversed(self._by_number.values()), most)
        return {"traces": [trace.summary() for trace in last]}

    def find(self, number: int) -> dict[str, Any] | None:
        """Return one in full, None when it is not there (any more)."""
        trace = self._by_number.get(number)
        return None if trace is None else trace.details()


def breakers(gateway: Gateway, instance: int, now: float) -> dict[str, Any]:
    """Return the breaker of every backend that has one, as one instance sees it at `now`."""
    table = gateway.instances[instance].backends
    found = {}
    for backend in table:
        state = table.breaker(backend.name)
        if state is not None:
            found[backend.name] = {
                "open": state.is_open(now),
                "secondsLeft": round(max(0.0, state.open_until - now), 3),
                "failures": state.failures(now),
                "trips": state.trips,
            }
    return found


def _without_query(url: str) -> str:
    """Return `url` without its query, which may hold a key."""
    return url.partition("?")[0]
