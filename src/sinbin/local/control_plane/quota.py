"""Quota of model deployments: per subscription, region, SKU and model, in units of capacity.

A unit is 1,000 tokens per minute of a pay-as-you-go SKU, or one PTU.

Source: https://learn.microsoft.com/azure/ai-foundry/openai/how-to/quota, read 2026-11-29. The limits that a new
subscription has are in `quota.json`.
"""

import json
from importlib import resources
from typing import Any

from sinbin.foundry import models
from sinbin.local.control_plane.errors import ArmError
from sinbin.local.control_plane.resource import Scene
from sinbin.local.control_plane.store import Record

ACCOUNTS = "Microsoft.CognitiveServices/accounts"
DEPLOYMENTS = f"{ACCOUNTS}/deployments"

_LIMITS: dict[str, int] = json.loads(
    resources.files("sinbin.local.control_plane").joinpath("quota.json").read_text("utf-8")
)["limits"]


def usage_name(sku: str, model: str) -> str:
    """Return what ARM calls the quota: `OpenAI.Standard.gpt-4.1-mini`; PTU are counted without regard to model."""
    return f"OpenAI.{sku}" if models.is_provisioned(sku) else f"OpenAI.{sku}.{model}"


def limit(scene: Scene, name: str) -> int:
    """Return the capacity that a subscription may deploy of the quota `name` in one region."""
    sku = name.split(".")[1]
    return scene.quota.get(name, _LIMITS[sku])


def used(scene: Scene, subscription: str, location: str, *, but: str = "") -> dict[str, int]:
    """Return the deployed capacity by quota name in a region, without the deployment with the id `but`."""
    regions = {
        record.id.lower(): record.location for record in scene.store.select(ACCOUNTS, subscription=subscription)
    }
    sums: dict[str, int] = {}
    for record in scene.store.select(DEPLOYMENTS, subscription=subscription):
        if regions.get(record.parent) == location and record.id.lower() != but.lower():
            name = usage_name(record.body["sku"]["name"], record.properties["model"]["name"])
            sums[name] = sums.get(name, 0) + record.body["sku"]["capacity"]
    return sums


def check(scene: Scene, account: Record, deployment_id: str, sku: dict[str, Any], model: str) -> None:
    """Refuse a deployment that needs more than what is left.

    Raises:
        ArmError: `InsufficientQuota`, with what is wanted and what is there.
    """
    assert account.location is not None
    name = usage_name(sku["name"], model)
    top = limit(scene, name)
    taken = used(scene, account.subscription, account.location, but=deployment_id).get(name, 0)
    if sku["capacity"] > top - taken:
        noun = f"{unit(sku['name'])} - {model} - {sku['name']}"
        raise ArmError(
            400,
            "InsufficientQuota",
            f"This operation require {sku['capacity']} new capacity in quota {noun}, which is bigger "
            "than the current "
            f"available capacity {top - taken}. The current quota usage is {taken} and the quota "
            f"limit is {top} for "
            f"quota {noun}.",
        )


def unit(sku: str) -> str:
    """Return what one unit of capacity counts."""
    return "Provisioned Managed Throughput Unit" if models.is_provisioned(sku) else "Tokens Per Minute (thousands)"


def names() -> list[tuple[str, str, str]]:
    """Return every quota as (name, SKU, model or ""), ordered."""
    found = {
        (usage_name(sku, model), sku, "" if models.is_provisioned(sku) else model)
        for model in models.known_models()
        for sku in models.model_facts(model).skus
    }
    return sorted(found)
