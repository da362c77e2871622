"""Subscriptions, resource groups, and what is in them."""

from typing import Any

from sinbin.local.control_plane import regions
from sinbin.local.control_plane.crud import ArmResponse, group_not_found, shown
from sinbin.local.control_plane.errors import ArmError
from sinbin.local.control_plane.operations import operation
from sinbin.local.control_plane.resource import TYPES, ArmRequest, Draft, ResourceType, Scene
from sinbin.local.control_plane.store import Record

_VERSIONS = ("2021-04-01", "2022-09-01", "2024-03-01", "2025-04-01")


class ResourceGroup(ResourceType):
    """A group: what is in it goes when it goes."""

    type = "Microsoft.Resources/resourceGroups"
    model = "azure.mgmt.resource.resources.models:ResourceGroup"
    label = "Resource group"
    api_versions = _VERSIONS
    name_pattern = r"[-\w._()]{0,89}[-\w_()]"
    delete_duration = 1.0

    def check(self, scene: Scene, draft: Draft) -> None:
        del scene
        location = regions.normalise(str(draft.body["location"]))
        if location not in regions.REGIONS:
            raise ArmError(
                400,
                "LocationNotAvailableForResourceGroup",
                f"The provided location '{location}' is not available for resource group. List of "
                "available regions "
                f"is '{','.join(sorted(regions.REGIONS))}'.",
            )
        if draft.existing is not None and draft.existing.location != location:
            raise ArmError(
                409,
                "InvalidResourceGroupLocation",
                f"Invalid resource group location '{location}'. The Resource group already exists in location "
                f"'{draft.existing.location}'.",
            )
        draft.body["location"] = location

    def not_found(self, resource_id: str, group: str | None) -> ArmError:
        del resource_id
        return group_not_found(group)


@operation("GET", "/subscriptions/{subscription}", "2021-04-01", "2022-12-01")
def show_subscription(scene: Scene, request: ArmRequest, subscription: str) -> ArmResponse:
    """Any subscription id is one: the control plane is only ever a person's own."""
    del request
    body = {
        "id": f"/subscriptions/{subscription}",
        "subscriptionId": subscription,
        "tenantId": scene.tenant,
        "displayName": "sinbin local",
        "state": "Enabled",
    }
    return ArmResponse(status=200, body=body)


@operation("GET", "/subscriptions/{subscription}/resources", *_VERSIONS)
def list_resources(scene: Scene, request: ArmRequest, subscription: str) -> ArmResponse:
    """Every resource at the top of its provider."""
    records = scene.store.select(subscription=subscription)
    return ArmResponse(status=200, body={"value": _top_level(scene, request, records)})


@operation("GET", "/subscriptions/{subscription}/resourceGroups/{group}/resources", *_VERSIONS)
def list_resources_of_group(scene: Scene, request: ArmRequest, subscription: str, group: str) -> ArmResponse:
    """Every resource of the group at the top of its provider."""
    group_id = f"/subscriptions/{subscription}/resourceGroups/{group}"
    if scene.record(group_id) is None:
        raise group_not_found(group)
    return ArmResponse(status=200, body={"value": _top_level(scene, request, scene.store.select(under=group_id))})


def _top_level(scene: Scene, request: ArmRequest, records: list[Record]) -> list[dict[str, Any]]:
    entries = []
    for record in records:
        kind = TYPES[record.type.lower()]
        if record.type.count("/") == 1 and not kind.extension and not isinstance(kind, ResourceGroup):
            body = shown(scene, kind, record, request)
            entries.append({key: value for key, value in body.items() if key != "properties"})
    return entries
