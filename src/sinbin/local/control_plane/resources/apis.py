"""APIs of API Management and their operations."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sinbin.local.control_plane.entity import SERVICES, Entity
from sinbin.local.control_plane.errors import validation_error
from sinbin.local.control_plane.resource import Draft, Scene
from sinbin.local.control_plane.store import Record

APIS = f"{SERVICES}/apis"
HANDSHAKE = "onHandshake"
"""The one operation of a WebSocket API: it comes with the API, does not change, and goes with it.

Source: https://learn.microsoft.com/azure/api-management/websocket-api, read 2026-11-29.
"""


class Api(Entity):
    """An API; operations are written one by one. Import of a description, and revisions, are not modelled."""

    type = APIS
    model = "azure.mgmt.apimanagement.models:ApiCreateOrUpdateParameter"
    label = "API"
    name_pattern = r"[^*#&+:<>?;]{1,256}"
    options = frozenset({"deleterevisions"})

    def check(self, scene: Scene, draft: Draft) -> None:
        for name in ("value", "format", "sourceApiId", "wsdlSelector", "apiVersionSetId", "apiVersionSet"):
            if draft.properties.get(name) is not None:
                raise validation_error(name, f"'{name}' of an API is not modelled, so it is refused")
        if is_websocket(draft.properties):
            _check_websocket(scene, draft)
        if not draft.properties.get("displayName"):
            raise validation_error("displayName", "DisplayName is required")
        path = draft.properties.setdefault("path", "")
        for other in scene.store.select(self.type, parent=draft.parent):
            if other.properties["path"].lower() == path.lower() and other.id.lower() != draft.id.lower():
                raise validation_error(
                    "path", f"Cannot create API '{draft.name}' with the path '{path}': API '{other.name}' has it"
                )

    def fill(self, scene: Scene, draft: Draft) -> dict[str, str]:
        del scene
        draft.properties.setdefault("apiRevision", "1")
        if is_websocket(draft.properties):
            draft.properties["type"] = "websocket"
            draft.properties.setdefault("protocols", ["wss"])
        draft.properties.setdefault("protocols", ["https"])
        draft.properties.setdefault("subscriptionRequired", True)
        draft.properties.setdefault(
            "subscriptionKeyParameterNames", {"header": "Ocp-Apim-Subscription-Key", "query": "subscription-key"}
        )
        draft.properties["isCurrent"] = True
        return {}

    def written(self, scene: Scene, record: Record) -> None:
        name = f"{record.id}/operations/{HANDSHAKE}"
        if not is_websocket(record.properties) or scene.record(name) is not None:
            return
        properties = {"displayName": HANDSHAKE, "method": "GET", "urlTemplate": "/", "templateParameters": []}
        scene.store.put(
            replace(
                record,
                id=name,
                type=Operation.type,
                parent=record.id,
                body={"properties": properties},
                secrets={},
                etag=1,
            )
        )

    def deleted(self, scene: Scene, record: Record) -> None:
        for kind in (f"{SERVICES}/products/apis", f"{SERVICES}/products/apiLinks"):
            for link in scene.store.select(kind):
                if str(link.properties.get("apiId")).lower() == record.id.lower():
                    scene.store.remove(link)


class Operation(Entity):
    """A method and a URL template."""

    type = f"{APIS}/operations"
    model = "azure.mgmt.apimanagement.models:OperationContract"
    label = "Operation"

    def check(self, scene: Scene, draft: Draft) -> None:
        _keep_handshake(scene, draft.parent)
        for name in ("displayName", "method", "urlTemplate"):
            if not draft.properties.get(name):
                raise validation_error(name, f"{name[:1].upper()}{name[1:]} is required")
        method, template = draft.properties["method"], draft.properties["urlTemplate"]
        used = {name.partition("=")[0].lstrip("*") for name in re.findall(r"\{([^}]+)\}", template)}
        defined = {parameter["name"] for parameter in draft.properties.get("templateParameters") or ()}
        if used != defined:
            raise validation_error(
                "templateParameters",
                "All template parameters used in the UriTemplate must be defined in the Operation, "
                "and vice-versa.",
            )
        for other in scene.store.select(self.type, parent=draft.parent):
            same = (other.properties["method"], other.properties["urlTemplate"]) == (method, template)
            if same and other.id.lower() != draft.id.lower():
                raise validation_error(
                    "urlTemplate",
                    f"Operation with the same method and URL template already exists: '{method}', '{template}'",
                )

    def check_delete(self, scene: Scene, record: Record, query: Mapping[str, str]) -> None:
        del query
        _keep_handshake(scene, record.parent)


def is_websocket(properties: Mapping[str, Any]) -> bool:
    """Return whether an API is a WebSocket API: `type` says so, or `apiType` when it is made."""
    return "websocket" in (properties.get("type"), properties.get("apiType"))


def _check_websocket(scene: Scene, draft: Draft) -> None:
    service = scene.record(draft.parent)
    if service is not None and service.body["sku"]["name"] == "Consumption":
        raise validation_error("type", "WebSocket APIs are not supported in the Consumption tier")
    if not str(draft.properties.get("serviceUrl") or "").startswith(("ws://", "wss://")):
        raise validation_error("serviceUrl", "The serviceUrl of a WebSocket API begins with ws:// or wss://")
    if draft.existing is not None and not is_websocket(draft.existing.properties):
        raise validation_error("type", "The type of an API cannot be changed")


def _keep_handshake(scene: Scene, api: str) -> None:
    record = scene.record(api)
    if record is not None and is_websocket(record.properties):
        raise validation_error(
            "name", f"A WebSocket API has the operation '{HANDSHAKE}' alone, which cannot be changed"
        )
