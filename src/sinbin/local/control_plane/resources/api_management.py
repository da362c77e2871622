"""API Management services, and the deleted ones."""

from collections.abc import Mapping
from typing import Any

from sinbin.local.control_plane.crud import ArmResponse
from sinbin.local.control_plane.entity import SERVICES, VERSIONS
from sinbin.local.control_plane.errors import ArmError, validation_error
from sinbin.local.control_plane.operations import operation
from sinbin.local.control_plane.regions import normalise
from sinbin.local.control_plane.resource import ArmRequest, Draft, ResourceType, Scene, system_identity
from sinbin.local.control_plane.resources.foundry_accounts import timestamp
from sinbin.local.control_plane.store import DeletedRecord, Record

KEPT_S = 48 * 3600
"""How long a deleted service can be restored.

Source: https://learn.microsoft.com/azure/api-management/soft-delete, read 2026-11-29.
"""
_DELETED = (
    "/subscriptions/{subscription}/providers/Microsoft.ApiManagement/locations/{location}/deletedservices/{name}"
)
_STATES = {"Creating": "Activating", "Deleting": "Terminating"}


class Service(ResourceType):
    """A service; its name is unique in the world, and a deleted service keeps it for two days."""

    type = SERVICES
    model = "azure.mgmt.apimanagement.models:ApiManagementServiceResource"
    label = "API Management service"
    api_versions = VERSIONS
    name_pattern = r"[a-zA-Z](?:[a-zA-Z0-9-]{0,48}[a-zA-Z0-9])?"
    located = True
    duration = 3.0
    delete_duration = 2.0

    def check(self, scene: Scene, draft: Draft) -> None:
        sku = draft.body["sku"]
        capacity = sku.get("capacity")
        lowest = 0 if sku["name"] == "Consumption" else 1
        if (
            capacity is None
            or capacity < lowest
            or (sku["name"] in {"Developer", "Consumption"} and capacity > lowest)
        ):
            raise validation_error(
                "sku.capacity", f"The capacity {capacity} is not allowed for the SKU {sku['name']}"
            )
        others = [other for other in scene.store.select(SERVICES) if other.id.lower() != draft.id.lower()]
        if any(other.name.lower() == draft.name.lower() for other in others):
            raise ArmError(409, "ServiceAlreadyExists", f"Api service already exists: {draft.name}")
        twin = None if draft.existing else _deleted(scene, draft.name)
        if twin is not None and not draft.properties.get("restore"):
            raise ArmError(
                409,
                "ServiceAlreadyExistsInSoftDeletedState",
                f"Api service {draft.name} was soft-deleted. In order to create the new service with "
                "the same name, you "
                "have to either undelete the service or purge it. See https://aka.ms/apimsoftdelete.",
            )
        if twin is None and draft.existing is None and draft.properties.get("restore"):
            raise ArmError(
                404, "ServiceNotFound", f"There is no soft-deleted Api service {draft.name} to restore."
            )

    def fill(self, scene: Scene, draft: Draft) -> dict[str, str]:
        twin = None if draft.existing else _deleted(scene, draft.name)
        if twin is not None:
            scene.store.purge(twin)
        draft.properties.pop("restore", None)
        system_identity(scene, draft)
        old = draft.existing.properties if draft.existing else {}
        host = f"https://{draft.name.lower()}"
        draft.properties.setdefault("virtualNetworkType", "None")
        draft.properties.setdefault("publicNetworkAccess", "Enabled")
        draft.properties.setdefault("notificationSenderEmail", "apimgmt-noreply@mail.windowsazure.com")
        draft.properties.update(
            gatewayUrl=f"{host}.azure-api.net",
            gatewayRegionalUrl=f"{host}-{draft.location}-01.regional.azure-api.net",
            developerPortalUrl=f"{host}.developer.azure-api.net",
            managementApiUrl=f"{host}.management.azure-api.net",
            scmUrl=f"{host}.scm.azure-api.net",
            createdAtUtc=old.get("createdAtUtc") or timestamp(scene.now),
        )
        return {}

    def show(self, scene: Scene, record: Record, query: Mapping[str, str]) -> dict[str, Any]:
        return {**super().show(scene, record, query), "etag": f"{record.etag:011X}="}

    def state(self, record: Record) -> str:
        return _STATES.get(record.state, record.state)

    def busy(self, scene: Scene, draft_id: str, parent: str) -> ArmError | None:
        del parent
        record = scene.record(draft_id)
        if record is None or record.state == "Succeeded":
            return None
        return ArmError(
            409, "ServiceNotReady", f"API Management service is {self.state(record)}: '{record.name}'."
        )

    def deleted(self, scene: Scene, record: Record) -> None:
        assert record.location is not None
        if record.body["sku"]["name"] != "Consumption":  # a service without units of its own is gone at once
            scene.store.bury(
                DeletedRecord(
                    record=record, location=record.location, deleted_at=scene.now, purge_at=scene.now + KEPT_S
                )
            )


def _deleted(scene: Scene, name: str) -> DeletedRecord | None:
    for deleted in scene.store.buried(SERVICES, scene.now):
        if deleted.record.name.lower() == name.lower():
            return deleted
    return None


@operation("GET", "/subscriptions/{subscription}/providers/Microsoft.ApiManagement/deletedservices", *VERSIONS)
def list_deleted(scene: Scene, request: ArmRequest, subscription: str) -> ArmResponse:
    """The services that can still be restored."""
    del request
    found = [
        _deleted_body(deleted)
        for deleted in scene.store.buried(SERVICES, scene.now)
        if deleted.record.subscription == subscription
    ]
    return ArmResponse(status=200, body={"value": found})


@operation("GET", _DELETED, *VERSIONS)
def show_deleted(scene: Scene, request: ArmRequest, subscription: str, location: str, name: str) -> ArmResponse:
    """One service that can still be restored."""
    del request
    return ArmResponse(status=200, body=_deleted_body(_find_deleted(scene, subscription, location, name)))


@operation("DELETE", _DELETED, *VERSIONS)
def purge_deleted(scene: Scene, request: ArmRequest, subscription: str, location: str, name: str) -> ArmResponse:
    """Forget a deleted service: its name is free again."""
    del request
    scene.store.purge(_find_deleted(scene, subscription, location, name))
    return ArmResponse(status=200)


def _find_deleted(scene: Scene, subscription: str, location: str, name: str) -> DeletedRecord:
    twin = _deleted(scene, name)
    if twin is None or twin.location != normalise(location) or twin.record.subscription != subscription:
        raise ArmError(
            404, "ServiceNotFound", f"The soft-deleted Api service '{name}' was not found in '{location}'."
        )
    return twin


def _deleted_body(deleted: DeletedRecord) -> dict[str, Any]:
    record = deleted.record
    root = f"/subscriptions/{record.subscription}/providers/Microsoft.ApiManagement"
    return {
        "id": f"{root}/locations/{deleted.location}/deletedservices/{record.name}",
        "name": record.name,
        "type": "Microsoft.ApiManagement/deletedservices",
        "location": deleted.location,
        "properties": {
            "serviceId": record.id,
            "scheduledPurgeDate": timestamp(deleted.purge_at),
            "deletionDate": timestamp(deleted.deleted_at),
        },
    }
