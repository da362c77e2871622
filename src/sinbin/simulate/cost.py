"""What a run costs: tokens of pay-as-you-go deployments, hours of provisioned ones."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from sinbin.errors import SinbinError
from sinbin.input_files import read_json
from sinbin.simulate.scenario import Scenario
from sinbin.simulate.tally import Tally

_HOUR_S = 3600
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class TokenPrice:
    """US dollars per million tokens."""

    prompt: float
    completion: float
    source: str | None = None
    """Where it was read, None = as the whole list says."""
    retrieved: str | None = None


@dataclass(frozen=True, slots=True)
class Prices:
    """What tokens and PTU cost, in US dollars."""

    tokens: Mapping[str, TokenPrice]
    """By model."""
    ptu_hour: float
    source: str
    retrieved: str
    ptu_source: str | None = None
    """Where the price of a PTU was read; None = assumed."""
    ptu_reserved_month: float | None = None
    """A PTU reserved for one month; None = not in the list."""
    ptu_reserved_year: float | None = None
    """A PTU reserved for one year."""

    def sources(self, models: Iterable[str]) -> list[str]:
        """Return where the prices of `models` come from, for a reader of costs; without those that have none."""
        named: dict[str, list[str]] = {}
        for model in dict.fromkeys(models):
            price = self.tokens.get(model)
            if price is not None:
                place = f"{price.retrieved or self.retrieved}, {price.source or self.source}"
                named.setdefault(place, []).append(model)
        return [f"prices of {', '.join(names)}: {place}" for place, names in named.items()]


def load_prices(path: Path | None = None) -> Prices:
    """Return the prices of the file at `path`, or those that come with sinbin.

    Raises:
        SinbinError: the file cannot be read or is no price list.
    """
    own = resources.files("sinbin.simulate") / "prices.json"
    try:
        raw: dict[str, Any] = read_json(path) if path else json.loads(own.read_text("utf-8"))
        return Prices(
            tokens={
                model: TokenPrice(
                    float(price["promptPerMillion"]),
                    float(price["completionPerMillion"]),
                    price.get("source"),
                    price.get("retrieved"),
                )
                for model, price in raw["models"].items()
            },
            ptu_hour=float(raw["ptuHour"]),
            source=str(raw["source"]),
            retrieved=str(raw["retrieved"]),
            # A list of one's own speaks for its price of a PTU as for all others.
            ptu_source=raw["ptuSource"] if "ptuSource" in raw else str(raw["source"]),
            ptu_reserved_month=_optional(raw, "ptuReservedMonth"),
            ptu_reserved_year=_optional(raw, "ptuReservedYear"),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise SinbinError(
            f"{path}: is no price list ({error}); it needs ptuHour, source, retrieved, and models with "
            "promptPerMillion and completionPerMillion"
        ) from error


def _optional(raw: Mapping[str, Any], key: str) -> float | None:
    return None if raw.get(key) is None else float(raw[key])


def token_cost(prices: Prices, model: str, prompt: float, completion: float) -> float:
    """Return what the tokens cost (USD).

    Raises:
        SinbinError: the price list has no such model.
    """
    price = prices.tokens.get(model)
    if price is None:
        raise SinbinError(
            f'prices: there is none for "{model}" (known: {", ".join(sorted(prices.tokens))}); '
            "add it to a price list and name that with --prices"
        )
    return (prompt * price.prompt + completion * price.completion) / _MILLION


def run_cost(scenario: Scenario, tally: Tally, prices: Prices) -> dict[str, float]:
    """Return what one replication cost in each region (USD); a model without a price costs nan."""
    costs: dict[str, float] = {}
    for name, region in scenario.regions.items():
        if region.provisioned_units is not None:
            costs[name] = region.provisioned_units * prices.ptu_hour * tally.elapsed_s / _HOUR_S
        elif region.model in prices.tokens:
            costs[name] = token_cost(prices, region.model, *tally.tokens(name))
        else:
            costs[name] = float("nan")
    return costs
