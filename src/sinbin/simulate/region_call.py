"""One call of a region: what it answers and when, with the bookkeeping of the run."""

import math

from sinbin.foundry.quota import Refusal, Reservation
from sinbin.simulate.request_source import Request
from sinbin.simulate.sites import Site
from sinbin.simulate.sketch import bucket
from sinbin.simulate.streams import normal

TOO_MANY = 429
OK = 200


class RegionCall:
    """A call that `request` makes of `site` at `now` (s), with the chance `score` (0 to 1).

    `status` is known at once, the caller sees it at `headers_at`; a reply is complete at `end`.
    """

    __slots__ = ("_reservation", "end", "headers_at", "request", "retry_after_s", "site", "status")

    def __init__(self, request: Request, site: Site, now: float, score: float) -> None:
        self.request = request
        self.site = site
        self.retry_after_s: int | None = None
        """Whole seconds, as the header says it; None without one."""
        self._reservation: Reservation | None = None
        site.tally.calls += 1
        latency = site.latency
        if site.status:
            self.status = site.status
            site.tally.failed_calls += 1
        else:
            outcome = site.quota.reserve(now + site.phase, request.demand)
            if isinstance(outcome, Refusal):
                self.status = TOO_MANY
                self.retry_after_s = math.ceil(outcome.retry_after_s)
                site.tally.refused_calls += 1
                site.tally.refused.add(now)
            else:
                self._reservation = outcome
                self.status = OK
                reply = latency.reply
                first = now + reply.median_s * math.exp(reply.sigma * normal(score)) * site.slowdown
                self.end = first + site.per_token_s * site.slowdown * max(0, request.completion - 1)
                self.headers_at = first if request.kind.stream else self.end
                return
        refusal = latency.refusal
        self.headers_at = self.end = (
            now + refusal.median_s * math.exp(refusal.sigma * normal(score)) * site.slowdown
        )

    def answer(self, now: float) -> None:
        """Note that the caller has its answer at `now`."""
        request, site = self.request, self.site
        cell = request.kind.cells[site.name]
        cell.latency.counts[bucket(now - request.arrived)] += 1
        cell.prompt_tokens += request.demand.prompt_tokens
        cell.completion_tokens += request.completion
        site.tally.answered.add(now)

    def complete(self) -> None:
        """Let the region settle the quota, at `end`."""
        if self._reservation is not None:
            site = self.site
            site.quota.settle(
                self.end + site.phase,
                self._reservation,
                self.request.demand.prompt_tokens,
                self.request.completion,
            )
