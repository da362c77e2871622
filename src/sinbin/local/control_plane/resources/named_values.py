"""Named values of API Management; a secret one is never shown by a GET."""

from collections.abc import Mapping
from typing import Any

from sinbin.local.control_plane import policy_text
from sinbin.local.control_plane.crud import ArmResponse
from sinbin.local.control_plane.entity import SERVICE_PATH, SERVICES, VERSIONS, Entity
from sinbin.local.control_plane.errors import validation_error
from sinbin.local.control_plane.operations import operation
from sinbin.local.control_plane.resource import TYPES, ArmRequest, Draft, Scene
from sinbin.local.control_plane.store import Record

_TYPE = f"{SERVICES}/namedValues"


class NamedValue(Entity):
    """A text that policies name in double braces, by its display name. Key Vault is not modelled."""

    type = _TYPE
    model = "azure.mgmt.apimanagement.models:NamedValueCreateContract"
    label = "Property"
    name_pattern = r"[^*#&+:<>?]{1,256}"
    secret_paths = ("properties.value",)

    def check(self, scene: Scene, draft: Draft) -> None:
        if draft.properties.get("keyVault") is not None:
            raise validation_error("keyVault", "'keyVault' of a named value is not modelled, so it is refused")
        if not draft.properties.get("value") and draft.existing is None:
            raise validation_error("value", "Value is required")
        name = draft.properties["displayName"]
        for other in scene.store.select(_TYPE, parent=draft.parent):
            if other.properties["displayName"].lower() == name.lower() and other.id.lower() != draft.id.lower():
                raise validation_error("displayName", f"Property with the name '{name}' already exists")
        before = draft.existing.properties["displayName"] if draft.existing else name
        if before.lower() != name.lower():
            self._check_unused(scene, draft.parent, before)

    def fill(self, scene: Scene, draft: Draft) -> dict[str, str]:
        del scene
        draft.properties.setdefault("secret", False)
        return {}

    def show(self, scene: Scene, record: Record, query: Mapping[str, str]) -> dict[str, Any]:
        body = super().show(scene, record, query)
        if not record.properties["secret"]:
            body["properties"]["value"] = record.secrets["properties.value"]
        return body

    def check_delete(self, scene: Scene, record: Record, query: Mapping[str, str]) -> None:
        del query
        self._check_unused(scene, record.parent, record.properties["displayName"])

    @staticmethod
    def _check_unused(scene: Scene, service: str, name: str) -> None:
        used_by = policy_text.users(scene, service, "namedValues", name)
        if used_by:
            raise validation_error(
                "namedValueId",
                f"Property '{name}' is in use and can't be deleted or renamed: {', '.join(used_by)}",
            )


@operation("POST", SERVICE_PATH + "/namedValues/{name}/listValue", *VERSIONS)
def list_value(
    scene: Scene, request: ArmRequest, subscription: str, group: str, service: str, name: str
) -> ArmResponse:
    """The value, also of a secret one."""
    del request
    service_id = f"/subscriptions/{subscription}/resourceGroups/{group}/providers/{SERVICES}/{service}"
    record = scene.record(f"{service_id}/namedValues/{name}")
    if record is None:
        raise TYPES[_TYPE.lower()].not_found(service_id, group)
    return ArmResponse(status=200, body={"value": record.secrets["properties.value"]})
