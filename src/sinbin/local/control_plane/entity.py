"""What the entities of API Management have in common: ETags, their own words, and a service that must be up."""

from typing import ClassVar

from sinbin.local.control_plane.errors import ArmError
from sinbin.local.control_plane.resource import ResourceType, Scene
from sinbin.local.control_plane.store import Record

SERVICES = "Microsoft.ApiManagement/service"
VERSIONS = ("2024-05-01", "2024-06-01-preview", "2024-10-01-preview", "2025-03-01-preview", "2025-09-01-preview")
"""Bodies are judged as 2024-05-01 has them in every one of these versions."""
SERVICE_PATH = f"/subscriptions/{{subscription}}/resourceGroups/{{group}}/providers/{SERVICES}/{{service}}"


class Entity(ResourceType):
    """Something inside an API Management service; written at once, under an ETag."""

    api_versions = VERSIONS
    etag = True
    keeps_state = False
    name_pattern: ClassVar[str] = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,78}[A-Za-z0-9])?"

    def not_found(self, resource_id: str, group: str | None) -> ArmError:
        """Return the refusal in the words of API Management."""
        del resource_id, group
        return ArmError(404, "ResourceNotFound", f"{self.label} not found.")

    def busy(self, scene: Scene, draft_id: str, parent: str) -> ArmError | None:
        """Refuse while the service is being made; afterwards entities change beside each other."""
        del parent
        service = scene.record(service_of(draft_id))
        if service is not None and service.state == "Creating":
            return ArmError(409, "ServiceNotReady", f"API Management service is activating: '{service.name}'.")
        return None


def service_of(entity_id: str) -> str:
    """Return the id of the service that an entity is in."""
    return "/".join(entity_id.split("/")[:9])


def entity_reference(scene: Scene, service_id: str, kind: str, reference: str) -> Record | None:
    """Return the entity that a body names by full id (`/subscriptions/…`) or by short one (`/backends/name`)."""
    short = f"/{kind}/"
    if reference.startswith(short) and "/" not in reference.removeprefix(short):
        reference = service_id + reference
    if not reference.lower().startswith(f"{service_id}{short}".lower()):
        return None
    found = scene.record(reference)
    return found if found is not None and found.type == f"{SERVICES}/{kind}" else None
