"""Foundry accounts (Microsoft.CognitiveServices/accounts), their keys, and the deleted ones."""

import re
import secrets
from datetime import UTC, datetime
from typing import Any

from sinbin.local.control_plane.crud import ArmResponse, shown
from sinbin.local.control_plane.errors import ArmError
from sinbin.local.control_plane.operations import operation
from sinbin.local.control_plane.quota import ACCOUNTS, DEPLOYMENTS
from sinbin.local.control_plane.resource import TYPES, ArmRequest, Draft, ResourceType, Scene, system_identity
from sinbin.local.control_plane.store import DeletedRecord, Record

VERSIONS = ("2024-10-01", "2025-06-01", "2025-09-01")
KEPT_S = 48 * 3600
"""How long a deleted account can be restored.

Source: https://learn.microsoft.com/azure/ai-services/recover-purge-resources, read 2026-11-29.
"""

_PATH = (
    "/subscriptions/{subscription}/resourceGroups/{group}/providers/Microsoft.CognitiveServices/accounts/{name}"
)
_DELETED = (
    "/subscriptions/{subscription}/providers/Microsoft.CognitiveServices/locations/{location}/resourceGroups/{group}"
    "/deletedAccounts/{name}"
)
_KINDS = {"AIServices": {"S0"}, "OpenAI": {"S0"}}


class Account(ResourceType):
    """An account; its subdomain is unique in the world, and a deleted account keeps it for two days."""

    type = ACCOUNTS
    model = "azure.mgmt.cognitiveservices.models:Account"
    label = "Account"
    api_versions = VERSIONS
    name_pattern = r"[a-zA-Z0-9][a-zA-Z0-9_.-]{1,63}"
    located = True
    duration = 1.0
    delete_duration = 1.0

    def check(self, scene: Scene, draft: Draft) -> None:
        kind, sku = draft.body.get("kind"), (draft.body.get("sku") or {}).get("name")
        if kind not in _KINDS:
            raise ArmError(
                400,
                "InvalidApiSetId",
                f"The account type '{kind}' is either invalid or unavailable in given region; this "
                "control plane has "
                f"{', '.join(_KINDS)}.",
            )
        if sku not in _KINDS[kind]:
            raise ArmError(
                400, "InvalidSku", f"The account type '{kind}' with SKU '{sku}' is not supported in given region."
            )
        for field in ("kind", "properties.customSubDomainName"):
            _check_unchanged(draft, field)
        _check_subdomain(scene, draft)
        _check_deleted(scene, draft)

    def fill(self, scene: Scene, draft: Draft) -> dict[str, str]:
        restored = _deleted_twin(scene, draft.id)
        if restored is not None and draft.existing is None:
            scene.store.purge(restored)
        draft.properties.pop("restore", None)
        system_identity(scene, draft)
        old = draft.existing.properties if draft.existing else {}
        host = draft.properties.get("customSubDomainName")
        root = f"https://{host}" if host else f"https://{draft.location}.api"
        draft.properties.setdefault("publicNetworkAccess", "Enabled")
        draft.properties.setdefault("disableLocalAuth", False)
        draft.properties.update(
            endpoint=f"{root}.cognitiveservices.azure.com/" if host else f"{root}.cognitive.microsoft.com/",
            internalId=old.get("internalId") or secrets.token_hex(16),
            dateCreated=old.get("dateCreated") or timestamp(scene.now),
        )
        if host:
            draft.properties["endpoints"] = {
                "OpenAI Language Model Instance API": f"{root}.openai.azure.com/",
                "AI Foundry API": f"{root}.services.ai.azure.com/",
                "Azure OpenAI Legacy API - Latest moniker": f"{root}.cognitiveservices.azure.com/",
            }
        return {} if draft.existing else {"key1": secrets.token_hex(16), "key2": secrets.token_hex(16)}

    def show(self, scene: Scene, record: Record, query: Any) -> dict[str, Any]:
        return {**super().show(scene, record, query), "etag": f'"{new_etag(record)}"'}

    def check_delete(self, scene: Scene, record: Record, query: Any) -> None:
        del query
        inside = scene.store.select(DEPLOYMENTS, parent=record.id)
        if inside:
            names = ", ".join(f"'{DEPLOYMENTS.partition('/')[2]}/{child.name}'" for child in inside)
            raise ArmError(
                409,
                "CannotDeleteResource",
                "Cannot delete resource while nested resources exist. Some existing nested resource "
                f"IDs include: {names}. "
                "Please delete all nested resources before deleting this resource.",
            )

    def deleted(self, scene: Scene, record: Record) -> None:
        assert record.location is not None
        scene.store.bury(
            DeletedRecord(
                record=record, location=record.location, deleted_at=scene.now, purge_at=scene.now + KEPT_S
            )
        )

    def busy(self, scene: Scene, draft_id: str, parent: str) -> ArmError | None:
        del parent
        return account_busy(scene, draft_id)


def account_busy(scene: Scene, account_id: str) -> ArmError | None:
    """Return the refusal to touch an account while it, or a deployment in it, is being worked on.

    Source: https://github.com/hashicorp/terraform-provider-azurerm/issues/22607, read 2026-11-29.
    """
    account = scene.record(account_id)
    if account is not None and account.state != "Succeeded":
        return ArmError(
            409,
            "AccountProvisioningStateInvalid",
            f"Call to Microsoft.CognitiveServices/accounts failed. Error message: Account {account.id} in state "
            f"{account.state}",
        )
    if any(child.state != "Succeeded" for child in scene.store.select(DEPLOYMENTS, parent=account_id)):
        return ArmError(
            409,
            "RequestConflict",
            f"Another operation is being performed on the parent resource '{account_id}'. Please try again later.",
        )
    return None


def timestamp(seconds: float) -> str:
    """Return a time as Azure writes it."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.%f0Z")


def new_etag(record: Record) -> str:
    """Return the opaque ETag of a resource outside API Management."""
    return f"{record.etag:08x}-0000-0000-0000-000000000000"


def _check_unchanged(draft: Draft, path: str) -> None:
    old: Any = draft.existing.body if draft.existing else None
    new: Any = draft.body
    for part in path.split("."):
        old = old.get(part) if old else None
        new = new.get(part) if new else None
    if old is not None and old != new:
        raise ArmError(
            400, "InvalidResourceProperties", f"The property '{path}' can't be changed from '{old}' to '{new}'."
        )


def _check_subdomain(scene: Scene, draft: Draft) -> None:
    name = draft.properties.get("customSubDomainName")
    if name is None:
        return
    if re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])", name) is None:
        raise ArmError(
            400,
            "BadRequest",
            f"The subdomain name '{name}' is invalid; it takes 2 to 64 lower-case letters, digits and hyphens.",
        )
    others = [
        *scene.store.select(ACCOUNTS),
        *(deleted.record for deleted in scene.store.buried(ACCOUNTS, scene.now)),
    ]
    for other in others:
        if other.properties.get("customSubDomainName") == name and other.id.lower() != draft.id.lower():
            raise ArmError(
                409,
                "CustomDomainInUse",
                f"Please pick a different name. The subdomain name '{name}' is not available as it's "
                "already used by a "
                "resource.",
            )


def _deleted_twin(scene: Scene, account_id: str) -> DeletedRecord | None:
    for deleted in scene.store.buried(ACCOUNTS, scene.now):
        if deleted.record.id.lower() == account_id.lower():
            return deleted
    return None


def _check_deleted(scene: Scene, draft: Draft) -> None:
    if draft.existing is not None:
        return
    twin = _deleted_twin(scene, draft.id)
    if twin is None and draft.properties.get("restore"):
        raise ArmError(400, "CanNotRestoreANonExistingResource", "No deleted resource was found to restore.")
    if twin is not None and not draft.properties.get("restore"):
        raise ArmError(
            409,
            "FlagMustBeSetForRestore",
            f"An existing resource with ID '{twin.record.id}' has been soft-deleted. To restore the "
            "resource, you must "
            "specify 'restore' to be 'true' in the property. If you don't want to restore existing "
            "resource, please "
            "purge it first.",
        )


def _account(scene: Scene, subscription: str, group: str, name: str) -> Record:
    account_id = f"/subscriptions/{subscription}/resourceGroups/{group}/providers/{ACCOUNTS}/{name}"
    record = scene.record(account_id)
    if record is None:
        raise TYPES[ACCOUNTS.lower()].not_found(account_id, group)
    if record.properties.get("disableLocalAuth"):
        raise ArmError(400, "BadRequest", "Failed to list key. disableLocalAuth is set to be true")
    return record


@operation("POST", _PATH + "/listKeys", *VERSIONS)
def list_keys(scene: Scene, request: ArmRequest, subscription: str, group: str, name: str) -> ArmResponse:
    """The two keys, unless local authentication is off."""
    del request
    record = _account(scene, subscription, group, name)
    return ArmResponse(status=200, body={key: record.secrets[key] for key in ("key1", "key2")})


@operation("GET", "/subscriptions/{subscription}/providers/Microsoft.CognitiveServices/deletedAccounts", *VERSIONS)
def list_deleted(scene: Scene, request: ArmRequest, subscription: str) -> ArmResponse:
    """The accounts that can still be restored."""
    found = [
        _deleted_body(scene, request, deleted)
        for deleted in scene.store.buried(ACCOUNTS, scene.now)
        if deleted.record.subscription == subscription
    ]
    return ArmResponse(status=200, body={"value": found})


@operation("GET", _DELETED, *VERSIONS)
def show_deleted(
    scene: Scene, request: ArmRequest, subscription: str, location: str, group: str, name: str
) -> ArmResponse:
    """One account that can still be restored."""
    return ArmResponse(
        status=200, body=_deleted_body(scene, request, _find_deleted(scene, subscription, location, group, name))
    )


@operation("DELETE", _DELETED, *VERSIONS)
def purge_deleted(
    scene: Scene, request: ArmRequest, subscription: str, location: str, group: str, name: str
) -> ArmResponse:
    """Forget a deleted account: its name and subdomain are free again."""
    del request
    scene.store.purge(_find_deleted(scene, subscription, location, group, name))
    return ArmResponse(status=200)


def _find_deleted(scene: Scene, subscription: str, location: str, group: str, name: str) -> DeletedRecord:
    twin = _deleted_twin(
        scene, f"/subscriptions/{subscription}/resourceGroups/{group}/providers/{ACCOUNTS}/{name}"
    )
    if twin is None or twin.location != location.lower():
        raise ArmError(404, "ResourceNotFound", f"The deleted account '{name}' was not found in '{location}'.")
    return twin


def _deleted_body(scene: Scene, request: ArmRequest, deleted: DeletedRecord) -> dict[str, Any]:
    record = deleted.record
    body = shown(scene, TYPES[ACCOUNTS.lower()], record, request)
    body["id"] = (
        f"/subscriptions/{record.subscription}/providers/Microsoft.CognitiveServices/locations/{deleted.location}"
        f"/resourceGroups/{record.resource_group}/deletedAccounts/{record.name}"
    )
    body["type"] = "Microsoft.CognitiveServices/locations/resourceGroups/deletedAccounts"
    body["properties"] |= {
        "deletionDate": timestamp(deleted.deleted_at),
        "scheduledPurgeDate": timestamp(deleted.purge_at),
    }
    return body
