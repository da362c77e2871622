"""A trace of single requests, for those who want to see one with their own eyes."""

import csv
from typing import TextIO

from sinbin.simulate.request_source import Request
from sinbin.simulate.sites import OK, Outcome, Site
from sinbin.simulate.tally import Tally

COLUMNS = ("at_s", "request", "kind", "event", "region", "status", "until_s", "latency_ms")


class TraceWriter:
    """Writes one CSV line per event: call, answer, unanswered, sits-out; in the order of decision.

    A call's line says what its answer will be and until when it takes; a sit-out's, until when it lasts.
    """

    def __init__(self, file: TextIO) -> None:
        self._write = csv.writer(file, lineterminator="\n").writerow
        self._write(COLUMNS)

    def watch(self, tally: Tally, sites: dict[str, Site]) -> None:
        """Write what `tally` and `sites` are told from now on."""
        for site in sites.values():
            self._watch_site(site)
        fail, sits_out = tally.fail, tally.sits_out

        def traced_fail(request: Request, now: float, status: int) -> None:
            self._write((f"{now:.6f}", request.number, request.kind.name, "unanswered", "", status, "", ""))
            fail(request, now, status)

        def traced_sits_out(region: str, since_s: float, until_s: float) -> None:
            self._write((f"{since_s:.6f}", "", "", "sits-out", region, "", f"{until_s:.6f}", ""))
            sits_out(region, since_s, until_s)

        tally.fail = traced_fail  # type: ignore[method-assign]
        tally.sits_out = traced_sits_out  # type: ignore[method-assign]

    def _watch_site(self, site: Site) -> None:
        call, answer = site.call, site.answer

        def traced_call(request: Request, now: float, score: float) -> Outcome:
            outcome = call(request, now, score)
            kind = request.kind.name
            self._write(
                (f"{now:.6f}", request.number, kind, "call", site.name, outcome[0], f"{outcome[1]:.6f}", "")
            )
            return outcome

        def traced_answer(request: Request, now: float) -> None:
            latency = f"{1000 * (now - request.arrived):.3f}"
            self._write((f"{now:.6f}", request.number, request.kind.name, "answer", site.name, OK, "", latency))
            answer(request, now)

        site.call = traced_call  # type: ignore[method-assign]
        site.answer = traced_answer  # type: ignore[method-assign]
