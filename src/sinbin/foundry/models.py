"""Facts about models that decide how a region behaves; the data and its sources are in `models.json`."""

import json
import math
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal

from sinbin.errors import SinbinError

Operation = Literal["chat", "completions", "embeddings", "responses"]
REQUEST_WINDOW_S = 10
"""`rateLimits` counts requests per 10 s.

Source: https://learn.microsoft.com/azure/ai-foundry/openai/how-to/working-with-models (REST samples),
read 2026-11-29.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFacts:
    """What sinbin knows about one model; every count is per minute unless its name says otherwise."""

    name: str
    version: str
    operations: tuple[Operation, ...]
    skus: tuple[str, ...]
    requests_per_unit: int
    """Requests per minute of one unit of pay-as-you-go capacity."""
    tokens_per_unit: int
    """Tokens per minute of one unit of pay-as-you-go capacity."""
    context_tokens: int
    max_output_tokens: int
    minimum_request_count: int = 1
    """The least that `rateLimits` shows per 10 s."""
    reserve_without_max_tokens: int = 0
    """Tokens reserved for a reply whose length the caller does not limit."""
    reasoning: bool = False
    input_tokens_per_ptu: int | None = None
    """Input tokens per minute that one PTU serves; None = not offered provisioned."""
    ptu_minimum: int = 1
    """The least PTU of a Global or Data Zone deployment."""
    ptu_step: int = 1
    """It grows by so many PTU."""
    regional_ptu_minimum: int = 1
    """The least PTU of a Regional deployment."""
    regional_ptu_step: int = 1
    tokens_per_second: float | None = None
    """Output tokens per second that a provisioned deployment aims at; None = none is published."""
    output_token_weight: int = 1
    """Input tokens that one output token is worth on a PTU."""
    provisioned_requests_per_unit: int = 0
    """Requests per 10 s that `rateLimits` shows for each PTU."""
    embedding_dimensions: int = 0
    dimensions_choosable: bool = False

    @property
    def full_name(self) -> str:
        """Name with version, as replies carry it: `gpt-4.1-mini-2025-04-14`."""
        return f"{self.name}-{self.version}" if len(self.version) > 2 else self.name


class UnknownModelError(SinbinError):
    """A model of which sinbin knows no facts."""

    def __init__(self, name: str) -> None:
        super().__init__(f'model "{name}": sinbin knows no facts about it; it knows {", ".join(known_models())}')


def known_models() -> tuple[str, ...]:
    """Return the names of the models with facts, newest families first."""
    return tuple(_data())


def model_facts(name: str) -> ModelFacts:
    """Return the facts about the model `name`.

    Raises:
        UnknownModelError: there are none.
    """
    try:
        return _data()[name]
    except KeyError:
        raise UnknownModelError(name) from None


def requests_per_minute(model: str, sku: str, capacity: int) -> int:
    """Return the requests per minute that `capacity` units buy (for PTU: what `rateLimits` shows x 6)."""
    facts = model_facts(model)
    if is_provisioned(sku):
        return capacity * facts.provisioned_requests_per_unit * 60 // REQUEST_WINDOW_S
    return capacity * facts.requests_per_unit


def tokens_per_minute(model: str, sku: str, capacity: int) -> int | None:
    """Return the tokens per minute that `capacity` units buy; None for a provisioned SKU."""
    return None if is_provisioned(sku) else capacity * model_facts(model).tokens_per_unit


def ptu_to_buy(model: str, units: float, *, regional: bool = False) -> int:
    """Return the fewest PTU that a deployment can have and that are at least `units`.

    Args:
        model: whose minimum and step hold.
        units: what the load needs.
        regional: of a Regional deployment, else of a Global or Data Zone one.
    """
    facts = model_facts(model)
    least, step = (
        (facts.regional_ptu_minimum, facts.regional_ptu_step) if regional else (facts.ptu_minimum, facts.ptu_step)
    )
    return least + max(0, math.ceil((units - least) / step - 1e-9)) * step


def is_provisioned(sku: str) -> bool:
    """Return whether the capacity of `sku` is bought in advance (PTU)."""
    return "Provisioned" in sku


def rate_limits(model: str, sku: str, capacity: int) -> list[dict[str, Any]]:
    """Return the `rateLimits` that ARM shows for a deployment: read-only, in ARM's spelling.

    Requests are counted per 10 s and rounded up, tokens per 60 s; a provisioned deployment lists no tokens.

    Source: https://learn.microsoft.com/azure/ai-foundry/openai/how-to/working-with-models (REST samples),
    read 2026-11-29.

    Raises:
        UnknownModelError: there are no facts about `model`.
    """
    count = math.ceil(requests_per_minute(model, sku, capacity) * REQUEST_WINDOW_S / 60)
    limits = [
        {
            "key": "request",
            "renewalPeriod": REQUEST_WINDOW_S,
            "count": max(count, model_facts(model).minimum_request_count),
        }
    ]
    tokens = tokens_per_minute(model, sku, capacity)
    if tokens is not None:
        limits.append({"key": "token", "renewalPeriod": 60, "count": tokens})
    return limits


@cache
def _data() -> dict[str, ModelFacts]:
    text = resources.files("sinbin.foundry").joinpath("models.json").read_text(encoding="utf-8")
    return {name: _facts(name, raw) for name, raw in json.loads(text)["models"].items()}


def _facts(name: str, raw: dict[str, Any]) -> ModelFacts:
    values: dict[str, Any] = {
        _snake(key): tuple(value) if isinstance(value, list) else value for key, value in raw.items()
    }
    return ModelFacts(name=name, **values)


def _snake(key: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in key)
