"""What the consumers of a stack may use, against their shares of a load: the limits of the gateway itself."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sinbin.simulate.capacity import Demand, demand_of
from sinbin.simulate.scenario import Scenario
from sinbin.topology import Consumer

_STEP_TOKENS = 1_000
_SPREADS = 3
"""Standard deviations of room above the mean load: a minute of random arrivals is above that once in 700."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """What one consumer sends, and what its own limits let through, in requests per minute."""

    consumer: str
    units: int
    """Units of the gateway; each counts for itself, so a limit lets through as many times what it says."""
    wanted_rpm: float
    by_requests_rpm: float
    """Infinity = no limit of requests."""
    by_tokens_rpm: float
    """Infinity = no limit of tokens."""
    needs: dict[str, int]
    """Limits, by their keys in the stack file, that would let the consumer's share pass; without those that do."""
    quota_lasts_s: float
    """How long a token quota lasts at this load; infinity = there is none."""

    @property
    def binds(self) -> Literal["requests", "tokens", "nothing"]:
        """The limit that refuses first."""
        if self.wanted_rpm <= min(self.by_requests_rpm, self.by_tokens_rpm):
            return "nothing"
        return "tokens" if self.by_tokens_rpm < self.by_requests_rpm else "requests"

    @property
    def passes_rpm(self) -> float:
        """Requests per minute that get through in the long run."""
        return min(self.wanted_rpm, self.by_requests_rpm, self.by_tokens_rpm)

    def as_json(self) -> dict[str, Any]:
        """Return the allowance for a JSON document."""
        return {
            "consumer": self.consumer,
            "units": self.units,
            "wanted_rpm": round(self.wanted_rpm, 2),
            "by_requests_rpm": _finite(self.by_requests_rpm),
            "by_tokens_rpm": _finite(self.by_tokens_rpm),
            "binds": self.binds,
            "passes_rpm": round(self.passes_rpm, 2),
            "needs": self.needs,
            "quota_lasts_s": _finite(self.quota_lasts_s),
        }


def allowances(consumers: Sequence[Consumer], demand: Demand, units: int) -> list[Allowance]:
    """Return what `consumers`, each with an equal share of `demand`, may use of a gateway of `units`."""
    return [_allowance(one, 60 * demand.rps / len(consumers), demand, units) for one in consumers]


def cap(scenario: Scenario) -> list[Allowance]:
    """Return what the cap of the gateway of `scenario` lets through of all its callers; empty without one."""
    setup = scenario.gateway
    if setup is None or setup.requests_per_minute is None:
        return []
    wanted = 60 * demand_of(scenario).rps
    needed = math.ceil(_roomy(wanted / setup.instances))
    return [
        Allowance(
            consumer="all callers",
            units=setup.instances,
            wanted_rpm=wanted,
            by_requests_rpm=setup.requests_per_minute * setup.instances,
            by_tokens_rpm=math.inf,
            needs={"gateway.requestsPerMinute": needed} if setup.requests_per_minute < needed else {},
            quota_lasts_s=math.inf,
        )
    ]


def without_cap(scenario: Scenario) -> Scenario:
    """Return `scenario` with a gateway that lets everything through."""
    if scenario.gateway is None:
        return scenario
    return scenario.model_copy(
        update={"gateway": scenario.gateway.model_copy(update={"requests_per_minute": None})}
    )


def _roomy(per_minute: float) -> float:
    return per_minute + _SPREADS * math.sqrt(per_minute)


def _allowance(consumer: Consumer, wanted: float, demand: Demand, units: int) -> Allowance:
    tokens = demand.prompt_tokens + demand.completion_tokens
    per_unit = wanted / units
    roomy = _roomy(per_unit)
    needs: dict[str, int] = {}
    if consumer.requests_per_minute is not None and consumer.requests_per_minute < roomy:
        needs["requestsPerMinute"] = math.ceil(roomy)
    if consumer.tokens_per_minute is not None and consumer.tokens_per_minute < roomy * tokens:
        needs["tokensPerMinute"] = math.ceil(roomy * tokens / _STEP_TOKENS) * _STEP_TOKENS
    quota = consumer.token_quota
    return Allowance(
        consumer=consumer.name,
        units=units,
        wanted_rpm=wanted,
        by_requests_rpm=_times(consumer.requests_per_minute, units),
        by_tokens_rpm=_times(consumer.tokens_per_minute, units) / tokens,
        needs=needs,
        quota_lasts_s=math.inf if quota is None else 60 * quota.tokens / (per_unit * tokens),
    )


def _times(limit: int | None, units: int) -> float:
    return math.inf if limit is None else limit * units


def _finite(value: float) -> float | None:
    return None if math.isinf(value) else round(value, 2)
