"""What a resource type is. A class in `resources/` that names its `type` registers itself."""

import re
import uuid
from abc import ABC
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from sinbin.local.control_plane.errors import ArmError
from sinbin.local.control_plane.shapes import Shape, shape_of
from sinbin.local.control_plane.store import Record, Store

TYPES: dict[str, "ResourceType"] = {}
"""Every resource type by its name in lower case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmRequest:
    """A request to the control plane; header names are in lower case."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: Any = None
    origin: str = "http://127.0.0.1"

    @property
    def api_version(self) -> str:
        """The api-version that was asked for."""
        return self.query.get("api-version", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What an operation sees: the state, the time, and how long Azure takes."""

    store: Store
    now: float
    provisioning_s: float
    """Seconds that a model deployment takes; other types take a multiple of it."""
    tenant: str
    quota: Mapping[str, int]
    """Limits of model capacity by the name of the quota, where they are not the default."""

    def record(self, resource_id: str) -> Record | None:
        """Return the resource with that id."""
        return self.store.get(resource_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A resource that is about to be written; `body` holds what was judged, and may be added to."""

    id: str
    name: str
    parent: str
    existing: Record | None
    body: dict[str, Any]
    request: ArmRequest

    @property
    def properties(self) -> dict[str, Any]:
        """The `properties` of the body, made when absent."""
        found: dict[str, Any] = self.body.setdefault("properties", {})
        return found

    @property
    def location(self) -> str | None:
        """The region, normalised."""
        found: str | None = self.body.get("location")
        return found


class ResourceType(ABC):
    """A kind of resource: its name, the model of its body, and what Azure checks, adds and hides."""

    type: ClassVar[str] = ""
    """For example `Microsoft.ApiManagement/service/backends`."""
    model: ClassVar[str]
    """The official model of the body, `package.module:Class`."""
    label: ClassVar[str]
    """The noun of Azure's messages."""
    api_versions: ClassVar[tuple[str, ...]]
    name_pattern: ClassVar[str] = r"[^/?#%&<>*\\:\x00-\x1f]{1,260}"
    methods: ClassVar[frozenset[str]] = frozenset({"GET", "HEAD", "PUT", "PATCH", "DELETE", "LIST"})
    located: ClassVar[bool] = False
    """The resource lives in a region, which never changes."""
    etag: ClassVar[bool] = False
    """Writes may (PATCH and DELETE: must) name the ETag that they expect."""
    extension: ClassVar[bool] = False
    """The resource extends another one of any type."""
    duration: ClassVar[float] = 0.0
    """How long a write takes, in multiples of `Scene.provisioning_s`; 0 = done at once."""
    delete_duration: ClassVar[float] = 0.0
    """How long a deletion takes, likewise."""
    keeps_state: ClassVar[bool] = True
    """The body shows a `provisioningState`."""
    secret_paths: ClassVar[tuple[str, ...]] = ()
    """Dotted paths into the body that a GET never shows."""
    options: ClassVar[frozenset[str]] = frozenset()
    """Query parameters that are understood, besides api-version."""

    def __init_subclass__(cls) -> None:
        if not cls.type:
            return
        if cls.type.lower() in TYPES:
            raise TypeError(f"{cls.type} is defined twice")
        TYPES[cls.type.lower()] = cls()

    def shape(self) -> Shape:
        """Return the shape of the body; its members are Azure's."""
        return shape_of(self.model)

    def check(self, scene: Scene, draft: Draft) -> None:
        """Refuse what Azure refuses beyond the model.

        Raises:
            ArmError: the refusal.
        """
        del scene, draft

    def fill(self, scene: Scene, draft: Draft) -> dict[str, str]:
        """Add to the body what Azure adds, and return the secrets that come into being."""
        del scene, draft
        return {}

    def show(self, scene: Scene, record: Record, query: Mapping[str, str]) -> dict[str, Any]:
        """Return the body that a GET shows, without id, name and type."""
        del scene, query
        return {**record.body, "properties": {**record.properties}}

    def state(self, record: Record) -> str:
        """Return the `provisioningState` that the body shows."""
        return record.state

    def written(self, scene: Scene, record: Record) -> None:
        """Do what follows from a resource that has been written."""
        del scene, record

    def check_delete(self, scene: Scene, record: Record, query: Mapping[str, str]) -> None:
        """Refuse a deletion that Azure refuses.

        Raises:
            ArmError: the refusal.
        """
        del scene, record, query

    def deleted(self, scene: Scene, record: Record) -> None:
        """Do what follows from a deletion that has ended."""
        del scene, record

    def not_found(self, resource_id: str, group: str | None) -> ArmError:
        """Return the refusal to show what is not there."""
        short = "/".join((self.type, resource_id.rpartition("/")[2]))
        return ArmError(
            404,
            "ResourceNotFound",
            f"The Resource '{short}' under resource group '{group}' was not found. "
            "For more details please go to https://aka.ms/ARMResourceNotFoundFix",
        )

    def busy(self, scene: Scene, draft_id: str, parent: str) -> ArmError | None:
        """Return the refusal to write while another operation runs, None when there is none."""
        record = scene.record(draft_id)
        if record is None or record.state == "Succeeded":
            return None
        return ArmError(
            409, "Conflict", f"Another operation is in progress on the resource '{draft_id}' in '{parent}'."
        )

    def check_name(self, name: str) -> None:
        """Refuse a name that Azure refuses.

        Raises:
            ArmError: the refusal.
        """
        if re.fullmatch(self.name_pattern, name) is None:
            raise ArmError(
                400,
                "InvalidResourceName",
                f"The resource name '{name}' of type '{self.type}' is invalid; it must match {self.name_pattern}",
                target=name,
            )


def new_guid() -> str:
    """Return a random GUID, as Azure gives to principals, workspaces and operations."""
    return str(uuid.uuid4())


def system_identity(scene: Scene, draft: Draft) -> None:
    """Give the resource the principal that its `identity` asks for, the same one on every write."""
    identity = draft.body.get("identity")
    if not identity or "SystemAssigned" not in str(identity.get("type")):
        return
    before = (draft.existing.body.get("identity") if draft.existing else None) or {}
    identity["principalId"] = before.get("principalId") or new_guid()
    identity["tenantId"] = scene.tenant
