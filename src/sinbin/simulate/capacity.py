"""What a set of regions can serve, which limit binds where, and when bought capacity pays."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sinbin.errors import SinbinError
from sinbin.foundry.models import model_facts, ptu_to_buy
from sinbin.simulate.cost import Prices, token_cost
from sinbin.simulate.scenario import Region, Scenario
from sinbin.simulate.token_counts import mean_tokens

Binding = Literal["requests", "tokens", "utilization"]
_HOUR_S = 3600
_YEAR_H = 8760


@dataclass(frozen=True, slots=True)
class Demand:
    """A load as capacity sees it: the peak rate and the mean size of a request."""

    rps: float
    prompt_tokens: float
    completion_tokens: float


@dataclass(frozen=True, slots=True)
class Supply:
    """What one region serves of requests of a certain size."""

    region: str
    by_requests_rpm: float
    """Requests per minute that the request limit allows; infinity for PTU, which has none."""
    by_tokens_rpm: float
    """Requests per minute that the token limit, or the units, allow."""
    binds: Binding

    @property
    def serves_rpm(self) -> float:
        """Requests per minute that it serves for ever."""
        return min(self.by_requests_rpm, self.by_tokens_rpm)

    def as_json(self) -> dict[str, Any]:
        """Return the supply for a JSON document."""
        return {
            "region": self.region,
            "by_requests_rpm": None if math.isinf(self.by_requests_rpm) else round(self.by_requests_rpm, 2),
            "by_tokens_rpm": round(self.by_tokens_rpm, 2),
            "binds": self.binds,
            "serves_rpm": round(self.serves_rpm, 2),
        }


@dataclass(frozen=True, slots=True)
class Offer:
    """What units cost when they are bought for some term."""

    term: str
    ptu_usd_hour: float

    def load_share(self, tokens_usd_hour: float) -> float:
        """Return the mean load, as a share of the peak, from which on it is cheaper; above 1 it never is."""
        return self.ptu_usd_hour / tokens_usd_hour if tokens_usd_hour else math.inf


@dataclass(frozen=True, slots=True)
class BreakEven:
    """Pay-as-you-go against provisioned units (PTU) that carry the peak."""

    model: str
    needed: float
    """PTU that the peak uses up."""
    units: int
    """PTU of a Global or Data Zone deployment that has them: at least the minimum, in whole steps."""
    regional_units: int | None
    """The same of a Regional deployment; None = there are none for the model."""
    offers: tuple[Offer, ...]
    tokens_usd_hour: float
    """Tokens of an hour at the peak."""

    @property
    def sentences(self) -> list[str]:
        """The break-even in words."""
        facts = model_facts(self.model)
        regional = (
            ""
            if self.regional_units is None
            else f"; Regional: {self.regional_units}, in steps of {facts.regional_ptu_step} from "
            f"{facts.regional_ptu_minimum} on, at a price of its own"
        )
        steps = f"in steps of {facts.ptu_step} from {facts.ptu_minimum} on"
        first = (
            f"{self.units} PTU carry the peak, which uses {self.needed:.1f} (Global, Data Zone: {steps}{regional}"
            f"); its tokens cost {self.tokens_usd_hour:.2f} USD an hour"
        )
        lines = [first]
        for offer in self.offers:
            share = offer.load_share(self.tokens_usd_hour)
            verdict = (
                "pay-as-you-go is cheaper at any load"
                if share > 1
                else f"PTU are cheaper when the mean load is above {share:.0%} of the peak"
            )
            lines.append(f"{offer.term}: {offer.ptu_usd_hour:.2f} USD an hour: {verdict}")
        return lines

    def as_json(self) -> dict[str, Any]:
        """Return the break-even for a JSON document."""
        return {
            "model": self.model,
            "needed": round(self.needed, 2),
            "units": self.units,
            "regional_units": self.regional_units,
            "tokens_usd_hour": round(self.tokens_usd_hour, 4),
            "offers": [
                {
                    "term": offer.term,
                    "ptu_usd_hour": round(offer.ptu_usd_hour, 4),
                    "load_share": round(offer.load_share(self.tokens_usd_hour), 4)
                    if self.tokens_usd_hour
                    else None,
                }
                for offer in self.offers
            ],
            "sentences": self.sentences,
        }


def demand_of(scenario: Scenario) -> Demand:
    """Return the peak rate and the mean size of the requests of `scenario`.

    Raises:
        SinbinError: the load has no rate of its own (its callers send when they are free).
    """
    load = scenario.load
    rates = [
        getattr(load, name)
        for name in ("requests_per_second", "peak_requests_per_second", "burst_requests_per_second")
        if hasattr(load, name)
    ]
    if not rates:
        raise SinbinError(
            f'{scenario.name}: a load of kind "{load.kind}" has no rate to plan for; name one with --rps'
        )
    kinds = load.traffic()
    total = sum(kind.share for kind in kinds)
    return Demand(
        rps=rates[0],
        prompt_tokens=sum(mean_tokens(kind.prompt_tokens) * kind.share for kind in kinds) / total,
        completion_tokens=sum(mean_tokens(kind.completion_tokens) * kind.share for kind in kinds) / total,
    )


def supply_of(name: str, region: Region, demand: Demand) -> Supply:
    """Return what `region` serves of the requests of `demand`."""
    if region.provisioned_units is not None:
        per_minute = region.provisioned_units * ptu_requests_per_minute(region.model, demand)
        return Supply(name, math.inf, per_minute, "utilization")
    tokens = demand.prompt_tokens + demand.completion_tokens
    by_tokens = region.tokens_per_minute / tokens if tokens else math.inf
    binds: Binding = "tokens" if by_tokens < region.requests_per_minute else "requests"
    return Supply(name, region.requests_per_minute, by_tokens, binds)


def ptu_requests_per_minute(model: str, demand: Demand) -> float:
    """Return how many of the requests of `demand` one PTU of `model` serves a minute.

    Raises:
        SinbinError: the model is not offered provisioned.
    """
    facts = model_facts(model)
    if facts.input_tokens_per_ptu is None:
        raise SinbinError(f'model "{model}" is not offered provisioned')
    return facts.input_tokens_per_ptu / (
        demand.prompt_tokens + demand.completion_tokens * facts.output_token_weight
    )


def supplies(regions: Mapping[str, Region], demand: Demand) -> list[Supply]:
    """Return what every region serves of the requests of `demand`."""
    return [supply_of(name, region, demand) for name, region in regions.items()]


def break_even(model: str, demand: Demand, prices: Prices) -> BreakEven:
    """Return when PTU that carry the peak of `demand` pay.

    Raises:
        SinbinError: the model is not offered provisioned, or has no price.
    """
    needed = 60 * demand.rps / ptu_requests_per_minute(model, demand)
    units = ptu_to_buy(model, needed)
    requests = demand.rps * _HOUR_S
    terms = (
        ("by the hour", prices.ptu_hour),
        ("reserved for a month", _hourly(prices.ptu_reserved_month, _YEAR_H / 12)),
        ("reserved for a year", _hourly(prices.ptu_reserved_year, _YEAR_H)),
    )
    return BreakEven(
        model=model,
        needed=needed,
        units=units,
        regional_units=ptu_to_buy(model, needed, regional=True)
        if "ProvisionedManaged" in model_facts(model).skus
        else None,
        offers=tuple(Offer(term, units * price) for term, price in terms if price is not None),
        tokens_usd_hour=token_cost(
            prices, model, requests * demand.prompt_tokens, requests * demand.completion_tokens
        ),
    )


def _hourly(price: float | None, hours: float) -> float | None:
    return None if price is None else price / hours
