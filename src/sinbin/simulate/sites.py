"""The regions of a run: the behaviour of `foundry` with this run's faults."""

import math
from collections.abc import Sequence
from heapq import heappop, heappush
from math import exp

from sinbin.foundry.latency import LogNormal, RegionLatency
from sinbin.foundry.limiters import Limiter, TokenBucket
from sinbin.foundry.models import model_facts
from sinbin.foundry.quota import Demand, PayAsYouGo, Provisioned, Quota, QuotaOptions, Refusal, Reservation
from sinbin.simulate.loads import Traffic
from sinbin.simulate.request_source import Request
from sinbin.simulate.scenario import Latency, Outage, QuotaCut, Region, Scenario, Slowness
from sinbin.simulate.sketch import bucket
from sinbin.simulate.streams import SMALLEST, normal, normal_quantile, stream
from sinbin.simulate.tally import RegionTally

OK = 200
TOO_MANY = 429
_MINUTE_S = 60

Outcome = tuple[int, float, int | None]
"""Status of a call, when its headers arrive (of a reply that is not streamed: when it is complete), and the
Retry-After in whole seconds, None without one."""


class Site:
    """One region while a scenario runs.

    Its quota counts on a clock of its own, `now + phase`: where a region's full minutes lie has nothing to do
    with when a run begins. Replies are settled when their time has come and the quota is asked next: nothing else
    depends on the instant, so it needs no event of its own. Where tokens can never be what refuses, they are not
    counted at all: see `request_limit`.
    """

    def __init__(
        self,
        name: str,
        region: Region,
        latency: Latency,
        phase: float,
        tally: RegionTally,
        *,
        traffic: Sequence[Traffic] = (),
    ) -> None:
        """Open the region; `traffic` is what may come, empty = anything."""
        self.name = name
        self._phase = phase
        self._quota = _quota(region)
        self._requests = request_limit(self._quota, traffic)
        self._latency = RegionLatency(
            reply=LogNormal(latency.median_ms / 1000, latency.p95_ms / 1000),
            refusal=LogNormal(latency.refusal_median_ms / 1000, latency.refusal_p95_ms / 1000),
        )
        self._median_s, self._sigma = self._latency.reply.median_s, self._latency.reply.sigma
        self._per_token_s = latency.per_token_ms / 1000
        self._due: list[tuple[float, int, Reservation, Request]] = []
        self._order = 0
        self.slowdown = 1.0
        self.status = 0
        """Status that a fault answers with; 0 = no fault."""
        self.tally = tally

    def call(self, request: Request, now: float, score: float) -> Outcome:
        """Call the region for `request` at `now` (s), with the chance `score` (0 to 1)."""
        tally, quota, phase = self.tally, self._quota, self._phase
        tally.calls += 1
        due = self._due
        while due and due[0][0] <= now:
            end, _, reservation, finished = heappop(due)
            quota.settle(end + phase, reservation, finished.demand.prompt_tokens, finished.completion)
        if self.status:
            tally.failed_calls += 1
            return self.status, now + self._refusal(score), None
        requests = self._requests
        held: Reservation | None = None
        if requests is not None and requests.fits(now + phase, 1):
            requests.charge(now + phase, 1)
        else:
            outcome = quota.reserve(now + phase, request.demand)
            if isinstance(outcome, Refusal):
                tally.refused_calls += 1
                tally.refused.add(now)
                return TOO_MANY, now + self._refusal(score), math.ceil(outcome.retry_after_s)
            held = outcome
        first = now + self._median_s * exp(self._sigma * normal_quantile(score or SMALLEST)) * self.slowdown
        end = first
        if self._per_token_s:
            end += self._per_token_s * self.slowdown * max(0, request.completion - 1)
        if held is not None:
            self._order = order = self._order + 1
            heappush(due, (end, order, held, request))
        return OK, first if request.kind.stream else end, None

    def answer(self, request: Request, now: float) -> None:
        """Count that the caller of `request` has this region's answer at `now` (s)."""
        cell = request.kind.cells[self.name]
        cell.counts[bucket(now - request.arrived)] += 1
        if request.kind.demand is None:
            cell.prompt_tokens += request.demand.prompt_tokens
            cell.completion_tokens += request.completion
        self.tally.answered.add(now)

    def scale(self, now: float, share: float) -> None:
        """Make `share` of the quota available from `now` (s) on."""
        self._quota.scale(now + self._phase, share)

    def _refusal(self, score: float) -> float:
        refusal = self._latency.refusal
        return refusal.median_s * exp(refusal.sigma * normal(score)) * self.slowdown


def _quota(region: Region) -> Quota:
    options = QuotaOptions(requests_limiter=region.limiter, tokens_limiter=region.limiter)
    facts = model_facts(region.model)
    if region.provisioned_units is not None:
        return Provisioned(facts, region.provisioned_units, options)
    return PayAsYouGo(facts, region.requests_per_minute, region.tokens_per_minute, options)


def request_limit(quota: Quota, traffic: Sequence[Traffic]) -> Limiter | None:
    """Return the limiter of requests where it always refuses before that of tokens; None where tokens may refuse.

    It does when every request demands a known number of tokens that is never exceeded by what it uses, and the
    limit of tokens is at least that many times the limit of requests: what counts as used tokens is then, at every
    instant, at most that many times what counts as used requests. So the tokens need not be counted.
    """
    if not isinstance(quota, PayAsYouGo) or not isinstance(quota.requests, TokenBucket) or not traffic:
        # Short windows round their limits up, so a fault that cuts quota changes their ratio.
        return None
    most = 0.0
    for kind in traffic:
        if not isinstance(kind.prompt_tokens, int) or not isinstance(kind.completion_tokens, int):
            return None
        demanded = quota.estimate(Demand(kind.prompt_tokens, kind.max_tokens))
        completion = min(kind.completion_tokens, kind.max_tokens or kind.completion_tokens)
        if kind.prompt_tokens + completion > demanded:
            return None
        most = max(most, demanded)
    requests, tokens = quota.requests, quota.tokens
    enough = most * requests.limit <= tokens.limit and most * requests.per_minute <= tokens.per_minute
    return requests if enough else None


def make_sites(scenario: Scenario, seed: int, tallies: dict[str, RegionTally]) -> dict[str, Site]:
    """Return the regions of `scenario`, fresh; each one's minute begins at a random instant (stream `phase`)."""
    phases = stream(seed, "phase")
    return {
        name: Site(
            name,
            region,
            (region.gateway_latency or region.latency) if scenario.gateway is not None else region.latency,
            phases.random() * _MINUTE_S,
            tallies[name],
            traffic=scenario.load.traffic(),
        )
        for name, region in scenario.regions.items()
    }


def fault_changes(scenario: Scenario) -> list[float]:
    """Return the instants (s) at which a fault begins or ends, in order."""
    return sorted({at for fault in scenario.faults for at in (fault.from_seconds, fault.to_seconds)})


def apply_faults(scenario: Scenario, sites: dict[str, Site], now: float) -> None:
    """Bring every site into the state that the faults of `scenario` want at `now`."""
    for name, site in sites.items():
        under_way = [
            fault
            for fault in scenario.faults
            if fault.region == name and fault.from_seconds <= now < fault.to_seconds
        ]
        outages = [fault.status for fault in under_way if isinstance(fault, Outage)]
        site.status = outages[0] if outages else 0
        site.slowdown = math.prod(fault.factor for fault in under_way if isinstance(fault, Slowness))
        share = math.prod(fault.share for fault in under_way if isinstance(fault, QuotaCut))
        site.scale(now, share)
