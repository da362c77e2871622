"""The regions of a run: the behaviour of `foundry` with this run's faults."""

import math

from sinbin.foundry.latency import LogNormal, RegionLatency
from sinbin.foundry.models import model_facts
from sinbin.foundry.quota import PayAsYouGo, Provisioned, Quota, QuotaOptions
from sinbin.simulate.scenario import Latency, Outage, QuotaCut, Region, Scenario, Slowness
from sinbin.simulate.streams import stream
from sinbin.simulate.tally import RegionTally

_MINUTE_S = 60


class Site:
    """One region while a scenario runs.

    Its quota counts on a clock of its own, `now + phase`: where a region's full minutes lie has nothing to do
    with when a run begins.
    """

    __slots__ = ("latency", "name", "per_token_s", "phase", "quota", "slowdown", "status", "tally")

    def __init__(self, name: str, region: Region, latency: Latency, phase: float, tally: RegionTally) -> None:
        self.name = name
        self.phase = phase
        self.quota = _quota(region)
        self.latency = RegionLatency(
            reply=LogNormal(latency.median_ms / 1000, latency.p95_ms / 1000),
            refusal=LogNormal(latency.refusal_median_ms / 1000, latency.refusal_p95_ms / 1000),
        )
        self.per_token_s = latency.per_token_ms / 1000
        self.slowdown = 1.0
        self.status = 0
        """Status that a fault answers with; 0 = no fault."""
        self.tally = tally


def _quota(region: Region) -> Quota:
    options = QuotaOptions(requests_limiter=region.limiter, tokens_limiter=region.limiter)
    facts = model_facts(region.model)
    if region.provisioned_units is not None:
        return Provisioned(facts, region.provisioned_units, options)
    return PayAsYouGo(facts, region.requests_per_minute, region.tokens_per_minute, options)


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
        site.quota.scale(now + site.phase, share)
