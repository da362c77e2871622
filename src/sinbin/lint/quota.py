"""Quota and the model catalogue, as files give them: our own short form or what `az` prints."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sinbin.lint.estate import Estate, account_name
from sinbin.lint.nodes import Node
from sinbin.lint.resource import Resource


@dataclass(frozen=True, slots=True)
class Usage:
    """How much of a quota is in use; `limit` and `used` in units of capacity."""

    location: str
    name: str
    limit: float
    used: float
    subscription: str | None = None

    def counts(self, deployment: Resource, estate: Estate) -> bool:
        """Whether `deployment` takes from this quota: same subscription, region, SKU and model.

        Provisioned throughput has one quota for all models: `OpenAI.ProvisionedManaged`.
        Source: https://learn.microsoft.com/azure/ai-foundry/openai/how-to/provisioned-throughput-onboarding
        """
        parts = self.name.split(".", 2)
        if self.subscription not in (None, subscription_of(deployment) or self.subscription):
            return False
        model = deployment.properties.text("model", "name") or ""
        sku = deployment.node.text("sku", "name") or ""
        here = not self.location or self.location == location_of(deployment, estate)
        if len(parts) == 2:
            return here and _bare(parts[1]) == _bare(sku) and "provisioned" in sku.lower()
        return here and len(parts) == 3 and _bare(parts[1]) == _bare(sku) and _bare(parts[2]) == _bare(model)


@dataclass(frozen=True, slots=True)
class Offer:
    """A version of a model in a region, with its SKUs."""

    location: str
    model: str
    version: str
    skus: tuple[str, ...]


def read_usages(estate: Estate) -> Iterator[Usage]:
    """Yield the quotas in the file: `usages` of a bundle."""
    for entry in _entries(estate, "usages"):
        name = entry.text("usageName") or entry.text("name", "value") or entry.text("name")
        limit = entry.number("limit")
        if name and limit is not None:
            used = entry.number("currentValue") or 0
            yield Usage(_region(entry.text("location")), name, limit, used, entry.text("subscription"))


def read_catalogue(estate: Estate) -> list[Offer]:
    """Return what the regions offer: `catalogue` (or `models`) of a bundle."""
    offers = []
    for entry in [*_entries(estate, "catalogue"), *_entries(estate, "models")]:
        model = entry.get("model")
        nested = model if model is not None and isinstance(model.value, dict) else None
        name = nested.text("name") if nested else entry.text("model")
        version = (nested or entry).text("version")
        skus = (nested or entry).get("skus")
        names = tuple(
            str(sku.value) if isinstance(sku.value, str) else sku.text("name") or ""
            for sku in (skus.items() if skus else ())
        )
        if name and version:
            offers.append(Offer(_region(entry.text("location")), name, version, names))
    return offers


def location_of(deployment: Resource, estate: Estate) -> str:
    """Return the region of a deployment, its own or its account's; empty when the file does not tell."""
    own = deployment.node.text("location") or deployment.properties.text("location")
    if own:
        return _region(own)
    name = account_name(deployment)
    account = next((account for account in estate.accounts if name and account.name == name), None)
    return _region(account.node.text("location") or account.properties.text("location")) if account else ""


def subscription_of(deployment: Resource) -> str | None:
    """Return the subscription of a deployment: what it says, or what its id says."""
    own = deployment.node.text("subscription")
    _, marker, rest = (deployment.node.text("id") or "").partition("/subscriptions/")
    return own or (rest.partition("/")[0] if marker else None)


def existing(deployment: Resource) -> bool:
    """Whether the deployment is there already, so that the current use contains it."""
    return deployment.properties.text("provisioningState") == "Succeeded" or bool(deployment.node.flag("existing"))


def _entries(estate: Estate, key: str) -> tuple[Node, ...]:
    node = estate.root.get(key)
    if node is None:
        return ()
    return tuple(node.items() or (value.items() if (value := node.get("value")) else ()))


def _region(name: str | None) -> str:
    return (name or "").lower().replace(" ", "")


def _bare(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
