"""The regions of a run: the behaviour of `foundry` with this run's faults."""

import math
from collections.abc import Sequence
from heapq import heappop, heappush
from math import exp

from sinbin.foundry.latency import LogNormal, RegionLatency
from sinbin.foundry.limiters import Hold, Limiter, TokenBucket
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
    counted at all: see `requests_run_out_first`.
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
        if region.quota_at_start < 1:
            self._quota.spend(phase, 1 - region.quota_at_start)
        # What the quota does on every call is done here with its limiters: it takes fewer objects.
        self._requests: Limiter | None = None
        self._tokens: Limiter | None = None
        if isinstance(self._quota, PayAsYouGo):
            self._requests = self._quota.requests
            self._tokens = None if requests_run_out_first(self._quota, traffic) else self._quota.tokens
        self._demand: Demand | None = None
        self._reserve = 0.0
        self._latency = RegionLatency(
            reply=LogNormal(latency.median_ms / 1000, latency.p95_ms / 1000),
            refusal=LogNormal(latency.refusal_median_ms / 1000, latency.refusal_p95_ms / 1000),
        )
        self._median_s, self._sigma = self._latency.reply.median_s, self._latency.reply.sigma
        self._per_token_s = latency.per_token_ms / 1000
        self._due: list[tuple[float, int, Hold | Reservation, Request]] = []
        self._order = 0
        self.slowdown = 1.0
        self.status = 0
        """Status that a fault answers with; 0 = no fault."""
        self.tally = tally

    def call(self, request: Request, now: float, score: float) -> Outcome:
        """Call the region for `request` at `now` (s), with the chance `score` (0 to 1)."""
        tally, at = self.tally, now + self._phase
        tally.calls += 1
        if self._due and self._due[0][0] <= now:
            self._settle(now)
        if self.status:
            tally.failed_calls += 1
            return self.status, now + self._refusal(score), None
        requests, tokens = self._requests, self._tokens
        held: Hold | Reservation | Refusal | None = None
        if requests is None or not requests.fits(at, 1):
            held = self._quota.reserve(at, request.demand)
        elif tokens is None:
            requests.charge(at, 1)
        else:
            if request.demand is not self._demand:
                self._note_demand(request.demand)
            if tokens.fits(at, self._reserve):
                requests.charge(at, 1)
                held = tokens.take(at, self._reserve)
            else:
                held = self._quota.reserve(at, request.demand)
        if isinstance(held, Refusal):
            tally.refused_calls += 1
            tally.refused.add(now)
            return TOO_MANY, now + self._refusal(score), math.ceil(held.retry_after_s)
        first = now + self._median_s * exp(self._sigma * normal_quantile(score or SMALLEST)) * self.slowdown
        end = first
        if self._per_token_s:
            end += self._per_token_s * self.slowdown * max(0, request.completion - 1)
        if held is not None:
            self._order = order = self._order + 1
            heappush(self._due, (end, order, held, request))
        return OK, first if request.kind.stream else end, None

    def _settle(self, now: float) -> None:
        due, phase, tokens = self._due, self._phase, self._tokens
        while due and due[0][0] <= now:
            end, _, held, request = heappop(due)
            if isinstance(held, Hold):
                assert tokens is not None
                tokens.settle(end + phase, held, request.demand.prompt_tokens + request.completion)
            else:
                self._quota.settle(end + phase, held, request.demand.prompt_tokens, request.completion)

    def _note_demand(self, demand: Demand) -> None:
        assert isinstance(self._quota, PayAsYouGo)
        self._demand, self._reserve = demand, self._quota.estimate(demand)

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
        self._demand = None
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


def requests_run_out_first(quota: PayAsYouGo, traffic: Sequence[Traffic]) -> bool:
    """Return whether tokens can never be what refuses, so that they need not be counted.

    That is so when every request demands a known number of tokens that is never exceeded by what it uses, and the
    limit of tokens is at least that many times the limit of requests: what counts as used tokens is then, at every
    instant, at most that many times what counts as used requests.
    """
    if not isinstance(quota.requests, TokenBucket) or not traffic:
        # Short windows round their limits up, so a fault that cuts quota changes their ratio.
        return False
    most = 0.0
    for kind in traffic:
        if not isinstance(kind.prompt_tokens, int) or not isinstance(kind.completion_tokens, int):
            return False
        demanded = quota.estimate(Demand(kind.prompt_tokens, kind.max_tokens))
        completion = min(kind.completion_tokens, kind.max_tokens or kind.completion_tokens)
        if kind.prompt_tokens + completion > demanded:
            return False
        most = max(most, demanded)
    requests, tokens = quota.requests, quota.tokens
    return most * requests.limit <= tokens.limit and most * requests.per_minute <= tokens.per_minute


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
