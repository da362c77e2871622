"""What a Foundry account is configured to be: keys, deployments, speed."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sinbin.foundry.latency import RegionLatency
from sinbin.foundry.quota import QuotaOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class DeploymentConfig:
    """A model deployment. Limits that are None follow from model, SKU and capacity."""

    name: str
    model: str
    version: str
    sku: str
    capacity: int
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    spillover: str | None = None
    """Deployment of the same account that takes what a provisioned one cannot."""
    options: QuotaOptions = field(default_factory=QuotaOptions)


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountConfig:
    """A Foundry account in one region."""

    name: str
    location: str
    keys: tuple[str, ...] = ()
    local_auth: bool = False
    """Whether keys are accepted at all; tokens always are."""
    deployments: Mapping[str, DeploymentConfig] = field(default_factory=dict)
    latency: RegionLatency = field(default_factory=RegionLatency)
    reply_tokens: int = 40
    """Length of a reply that nothing cuts short."""


_NAME_PARTS = (
    *("southeast", "northeast", "north", "south", "east", "west", "central"),
    *("africa", "asia", "australia", "brazil", "canada", "europe", "france", "germany", "india", "italy", "japan"),
    *("korea", "norway", "poland", "spain", "sweden", "switzerland", "uae", "uk", "us"),
)


def display_name(location: str) -> str:
    """Return a location as people and `x-ms-region` write it: `eastus2` → "East US 2"."""
    rest, words = location, []
    while rest:
        part = next((name for name in _NAME_PARTS if rest.startswith(name)), rest)
        words.append(part.upper() if part in ("uae", "uk", "us") else part.capitalize())
        rest = rest[len(part) :]
    return " ".join(words)
