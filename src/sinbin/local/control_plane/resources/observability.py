"""Loggers and diagnostics of API Management."""

import hashlib
from collections.abc import Mapping

from sinbin.local.control_plane.entity import SERVICES, Entity, entity_reference, service_of
from sinbin.local.control_plane.errors import validation_error
from sinbin.local.control_plane.resource import Draft, Scene
from sinbin.local.control_plane.store import Record

_HIDDEN = frozenset({"instrumentationKey", "connectionString"})


class Logger(Entity):
    """Where diagnostics go. A GET shows the name of a secret named value in place of each credential.

    That named value itself is not made. Source: assumed from the REST samples in
    https://learn.microsoft.com/rest/api/apimanagement/logger/get, read 2026-11-29.
    """

    type = f"{SERVICES}/loggers"
    model = "azure.mgmt.apimanagement.models:LoggerContract"
    label = "Logger"
    name_pattern = r"[^*#&+:<>?]{1,256}"

    def check(self, scene: Scene, draft: Draft) -> None:
        kind = draft.properties.get("loggerType")
        if kind != "applicationInsights":
            raise validation_error("loggerType", f"A logger of type '{kind}' is not modelled, so it is refused")
        credentials = draft.properties.get("credentials") or {}
        if not _HIDDEN & credentials.keys():
            raise validation_error("credentials", "Credentials need an instrumentationKey or a connectionString")
        target = draft.properties.get("resourceId")
        if target is not None and scene.record(target) is None:
            raise validation_error("resourceId", f"The resource '{target}' could not be found")

    def fill(self, scene: Scene, draft: Draft) -> dict[str, str]:
        del scene
        draft.properties.setdefault("isBuffered", True)
        credentials = draft.properties["credentials"]
        taken = {f"credentials.{name}": value for name, value in credentials.items() if name in _HIDDEN}
        draft.body["properties"]["credentials"] = {
            name: _placeholder(draft.id, name) if name in _HIDDEN else value for name, value in credentials.items()
        }
        return taken

    def check_delete(self, scene: Scene, record: Record, query: Mapping[str, str]) -> None:
        del query
        users = [
            other.id
            for other in scene.store.select(under=record.parent)
            if other.type.endswith("/diagnostics") and other.properties["loggerId"].lower() == record.id.lower()
        ]
        if users:
            raise validation_error(
                "loggerId", f"Logger '{record.name}' can't be deleted, because it is used by {', '.join(users)}"
            )


def _placeholder(logger_id: str, name: str) -> str:
    digest = hashlib.sha256(f"{logger_id.lower()}/{name}".encode()).hexdigest()[:24]
    return f"{{{{Logger-Credentials--{digest}}}}}"


class _AnyDiagnostic(Entity):
    model = "azure.mgmt.apimanagement.models:DiagnosticContract"
    label = "Diagnostic"
    name_pattern = "applicationinsights|azuremonitor|local"

    def check(self, scene: Scene, draft: Draft) -> None:
        reference = str(draft.properties.get("loggerId"))
        logger = entity_reference(scene, service_of(draft.id), "loggers", reference)
        if logger is None:
            raise validation_error("loggerId", f"Logger with id '{reference}' could not be found")
        draft.properties["loggerId"] = logger.id


class Diagnostic(_AnyDiagnostic):
    """What is logged of every API."""

    type = f"{SERVICES}/diagnostics"


class ApiDiagnostic(_AnyDiagnostic):
    """What is logged of one API."""

    type = f"{SERVICES}/apis/diagnostics"
