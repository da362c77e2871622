"""Model deployments of a Foundry account, and what a region offers and has used."""

from typing import Any

from sinbin.foundry import models
from sinbin.local.control_plane import quota, regions
from sinbin.local.control_plane.crud import ArmResponse
from sinbin.local.control_plane.errors import ArmError
from sinbin.local.control_plane.operations import operation
from sinbin.local.control_plane.resource import ArmRequest, Draft, ResourceType, Scene
from sinbin.local.control_plane.resources.foundry_accounts import VERSIONS, account_busy, new_etag
from sinbin.local.control_plane.store import Record

_LOCATION = "/subscriptions/{subscription}/providers/Microsoft.CognitiveServices/locations/{location}"


class Deployment(ResourceType):
    """A model with its capacity; an account takes one operation on its deployments at a time."""

    type = quota.DEPLOYMENTS
    model = "azure.mgmt.cognitiveservices.models:Deployment"
    label = "Deployment"
    api_versions = VERSIONS
    name_pattern = r"[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}"
    duration = 1.0
    delete_duration = 1.0

    def check(self, scene: Scene, draft: Draft) -> None:
        model = draft.properties.get("model") or {}
        facts = _offered(model)
        sku = draft.body.get("sku")
        if not sku:
            raise ArmError(400, "InvalidResourceProperties", "The property 'sku' of a deployment is required.")
        if sku["name"] not in facts.skus:
            raise ArmError(
                400,
                "InvalidResourceProperties",
                f"The specified SKU '{sku['name']}' for model '{facts.name} {facts.version}' is not "
                "supported in this "
                f"region; offered: {', '.join(facts.skus)}.",
            )
        if sku.setdefault("capacity", 1) < 1:
            raise ArmError(400, "InvalidCapacity", f"The specified capacity '{sku['capacity']}' is below 1.")
        old = draft.existing.properties["model"] if draft.existing else None
        if old and (old["format"], old["name"]) != (model["format"], model["name"]):
            raise ArmError(
                400,
                "DeploymentModelUpdateNotSupported",
                f"The model of a deployment can't be changed from '{old['name']}' to '{model['name']}'.",
            )
        account = scene.record(draft.parent)
        assert account is not None
        quota.check(scene, account, draft.id, sku, facts.name)

    def fill(self, scene: Scene, draft: Draft) -> dict[str, str]:
        del scene
        model, sku = draft.properties["model"], draft.body["sku"]
        model.setdefault("version", models.model_facts(model["name"]).version)
        draft.properties.setdefault("versionUpgradeOption", "OnceNewDefaultVersionAvailable")
        draft.properties.setdefault("raiPolicyName", "Microsoft.DefaultV2")
        draft.properties["currentCapacity"] = sku["capacity"]
        operations = models.model_facts(model["name"]).operations
        draft.properties["capabilities"] = {_CAPABILITIES[name]: "true" for name in operations}
        return {}

    def show(self, scene: Scene, record: Record, query: Any) -> dict[str, Any]:
        body = {**super().show(scene, record, query), "etag": f'"{new_etag(record)}"'}
        if record.state == "Succeeded":  # absent while the deployment is made
            sku = record.body["sku"]
            body["properties"]["rateLimits"] = models.rate_limits(
                record.properties["model"]["name"], sku["name"], sku["capacity"]
            )
        return body

    def busy(self, scene: Scene, draft_id: str, parent: str) -> ArmError | None:
        del draft_id
        return account_busy(scene, parent)


_CAPABILITIES = {
    "chat": "chatCompletion",
    "completions": "completion",
    "embeddings": "embeddings",
    "responses": "responses",
}


def _offered(model: dict[str, Any]) -> models.ModelFacts:
    name, version = model.get("name"), model.get("version")
    known = name in models.known_models() and model.get("format") == "OpenAI"
    facts = models.model_facts(str(name)) if known else None
    if facts is None or version not in {None, facts.version}:
        hint = f"known version: {facts.version}" if facts else f"known: {', '.join(models.known_models())}"
        raise ArmError(
            400,
            "DeploymentModelNotSupported",
            f"The model 'Format:{model.get('format')},Name:{name},Version:{version or ''}' of account "
            "deployment is not "
            f"supported; {hint}.",
        )
    return facts


def _check_location(location: str) -> str:
    name = regions.normalise(location)
    if name not in regions.REGIONS:
        raise ArmError(
            400,
            "InvalidLocation",
            f"The location '{location}' is invalid; known: {', '.join(sorted(regions.REGIONS))}.",
        )
    return name


@operation("GET", _LOCATION + "/usages", *VERSIONS)
def usages(scene: Scene, request: ArmRequest, subscription: str, location: str) -> ArmResponse:
    """Deployed and allowed capacity of every quota in a region."""
    del request
    used = quota.used(scene, subscription, _check_location(location))
    entries = [
        {
            "name": {
                "value": name,
                "localizedValue": f"{quota.unit(sku)} - {model}" if model else quota.unit(sku),
            },
            "unit": "Count",
            "currentValue": float(used.get(name, 0)),
            "limit": float(quota.limit(scene, name)),
        }
        for name, sku, model in quota.names()
    ]
    return ArmResponse(status=200, body={"value": entries})


@operation("GET", _LOCATION + "/models", *VERSIONS)
def offered_models(scene: Scene, request: ArmRequest, subscription: str, location: str) -> ArmResponse:
    """The models of which sinbin knows facts, with their SKUs; every region offers the same ones."""
    del scene, request, subscription
    _check_location(location)
    entries = []
    for name in models.known_models():
        facts = models.model_facts(name)
        skus = [{"name": sku, "usageName": quota.usage_name(sku, name)} for sku in facts.skus]
        model = {
            "format": "OpenAI",
            "name": name,
            "version": facts.version,
            "isDefaultVersion": True,
            "lifecycleStatus": "GenerallyAvailable",
            "capabilities": {_CAPABILITIES[operation]: "true" for operation in facts.operations},
            "skus": skus,
        }
        entries.append({"kind": "AIServices", "skuName": "S0", "model": model})
    return ArmResponse(status=200, body={"value": entries})
