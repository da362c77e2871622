"""Writes, reads and lists, the same for every resource type."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sinbin.local.control_plane import regions
from sinbin.local.control_plane.errors import ArmError
from sinbin.local.control_plane.judge import Problem, judge
from sinbin.local.control_plane.paths import ArmPath
from sinbin.local.control_plane.polling import async_headers
from sinbin.local.control_plane.resource import ArmRequest, Draft, ResourceType, Scene
from sinbin.local.control_plane.store import Record


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmResponse:
    """An answer of the control plane."""

    status: int
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)


def write(scene: Scene, kind: ResourceType, path: ArmPath, request: ArmRequest) -> ArmResponse:
    """PUT replaces a resource or makes one; PATCH merges into one that exists."""
    kind.check_name(path.name)
    parent = _parent(scene, kind, path)
    resource_id = f"{parent}/{_tail(kind, path)}"
    existing = scene.record(resource_id)
    patch = request.method == "PATCH"
    if patch and existing is None:
        raise kind.not_found(resource_id, path.resource_group)
    check_etag(kind, request, existing, required=patch)
    if not isinstance(request.body, dict):
        raise ArmError(400, "InvalidRequestContent", "The request content was invalid: a JSON object is expected.")
    asked = merge(_asked(existing), request.body) if patch and existing else request.body
    body, problems = judge(asked, kind.shape())
    if problems:
        raise refused_body(kind, problems)
    draft = Draft(
        id=existing.id if existing else resource_id,
        name=path.name,
        parent=parent,
        existing=existing,
        body=body,
        request=request,
    )
    if kind.located:
        _locate(kind, path, draft)
    if (busy := kind.busy(scene, draft.id, parent)) is not None:
        raise busy
    kind.check(scene, draft)
    secrets = {
        **(existing.secrets if existing else {}),
        **kind.fill(scene, draft),
        **_take(body, kind.secret_paths),
    }
    seconds = kind.duration * scene.provisioning_s
    record = scene.store.put(
        Record(
            id=draft.id,
            type=kind.type,
            parent=parent,
            subscription=path.subscription or "",
            resource_group=path.resource_group or "",
            location=draft.location,
            body={**body, "__asked": _without(asked, kind.secret_paths)},
            secrets=secrets,
            etag=existing.etag + 1 if existing else 1,
            state="Succeeded" if seconds == 0 else "Updating" if existing else "Creating",
            ready_at=scene.now + seconds,
            created_at=existing.created_at if existing else scene.now,
            changed_at=scene.now,
        )
    )
    kind.written(scene, record)
    headers = etag_header(kind, record)
    if seconds:
        headers |= async_headers(scene, record, request, location=False)
    return ArmResponse(status=200 if existing else 201, body=shown(scene, kind, record, request), headers=headers)


def read(scene: Scene, kind: ResourceType, path: ArmPath, request: ArmRequest) -> ArmResponse:
    """GET and HEAD of one resource."""
    record = _existing(scene, kind, path)
    body = None if request.method == "HEAD" else shown(scene, kind, record, request)
    return ArmResponse(status=200, body=body, headers=etag_header(kind, record))


def delete(scene: Scene, kind: ResourceType, path: ArmPath, request: ArmRequest) -> ArmResponse:
    """DELETE of one resource; of one that is not there it is no error."""
    record = scene.record(path.text)
    if record is None:
        return ArmResponse(status=204)
    check_etag(kind, request, record, required=True)
    if record.state == "Deleting":
        return ArmResponse(status=202, headers=async_headers(scene, record, request, location=True))
    if (busy := kind.busy(scene, record.id, record.parent)) is not None:
        raise busy
    kind.check_delete(scene, record, request.query)
    if not kind.delete_duration:
        scene.store.remove(record)
        kind.deleted(scene, record)
        return ArmResponse(status=200)
    leaving = replace(record, state="Deleting", ready_at=scene.now + kind.delete_duration * scene.provisioning_s)
    scene.store.put(leaving)
    return ArmResponse(status=202, headers=async_headers(scene, leaving, request, location=True))


def list_all(scene: Scene, kind: ResourceType, path: ArmPath, request: ArmRequest) -> ArmResponse:
    """GET of a list: in a parent, in a resource group, or in the whole subscription."""
    if len(kind.type.split("/")) > 2:
        if scene.record(path.parent) is None:
            raise parent_not_found(kind, path.parent)
        records = scene.store.select(kind.type, parent=path.parent)
    elif kind.extension:
        records = [r for r in scene.store.select(kind.type) if _within(r.id, path.scope)]
    elif path.resource_group is not None and kind.type != "Microsoft.Resources/resourceGroups":
        if scene.record(path.scope) is None:
            raise group_not_found(path.resource_group)
        records = scene.store.select(kind.type, parent=path.scope)
    else:
        records = scene.store.select(kind.type, subscription=path.subscription)
    body: dict[str, Any] = {"value": [shown(scene, kind, record, request) for record in records]}
    if kind.etag:
        body["count"] = len(records)
    return ArmResponse(status=200, body=body)


def shown(scene: Scene, kind: ResourceType, record: Record, request: ArmRequest) -> dict[str, Any]:
    """Return the whole body of a resource as an answer shows it."""
    body = kind.show(scene, record, request.query)
    body.pop("__asked", None)
    if kind.keeps_state:
        body["properties"]["provisioningState"] = kind.state(record)
    return {"id": record.id, "name": record.name, "type": kind.type, **body}


def etag_header(kind: ResourceType, record: Record) -> dict[str, str]:
    """Return the ETag of a resource as a header, for types that have one."""
    return {"ETag": f'"{record.etag:016X}"'} if kind.etag else {}


def check_etag(kind: ResourceType, request: ArmRequest, existing: Record | None, *, required: bool) -> None:
    """Refuse a write that expects another state of the resource.

    Raises:
        ArmError: 412 for another ETag; 400 for none where one is needed.
    """
    if not kind.etag:
        return
    expected = request.headers.get("if-match")
    if expected is None:
        if required:
            raise ArmError(400, "ValidationError", "The If-Match header is required; send the ETag or *.")
        return
    if existing is None or expected not in {"*", etag_header(kind, existing)["ETag"]}:
        raise ArmError(
            412,
            "PreconditionFailed",
            "Resource was modified since last retrieval. Please re-retrieve and try again."
            if existing
            else f"{kind.label} does not exist, so it cannot match an ETag.",
        )


def refused_body(kind: ResourceType, problems: list[Problem]) -> ArmError:
    """Return the refusal of a body that does not fit the model; every problem is a detail."""
    code = "ValidationError" if kind.etag else "InvalidRequestContent"
    details = [
        ArmError(400, code, f"{p.message}. Path '{p.path}'.", target=p.path or "representation") for p in problems
    ]
    text = "\n".join(detail.message for detail in details)
    if kind.etag:
        return ArmError(400, code, f"One or more fields contain incorrect values:\n{text}", details=details)
    return ArmError(
        400, code, f"The request content was invalid and could not be deserialized: '{text}'.", details=details
    )


def group_not_found(group: str | None) -> ArmError:
    """Return the refusal of a resource group that is not there."""
    return ArmError(404, "ResourceGroupNotFound", f"Resource group '{group}' could not be found.")


def parent_not_found(kind: ResourceType, parent: str) -> ArmError:
    """Return the refusal to work in something that is not there."""
    nested = kind.type.partition("/")[2]
    return ArmError(
        404,
        "ParentResourceNotFound",
        f"Failed to perform 'write' on resource(s) of type '{nested}', because the parent resource '{parent}' "
        "could not be found.",
    )


def merge(old: Any, new: Any) -> Any:
    """Return `old` with the JSON merge patch `new` applied (RFC 7396)."""
    if not isinstance(new, dict):
        return new
    merged = dict(old) if isinstance(old, dict) else {}
    for key, value in new.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = merge(merged.get(key), value)
    return merged


def _asked(record: Record | None) -> Any:
    return record.body.get("__asked", {}) if record else {}


def _parent(scene: Scene, kind: ResourceType, path: ArmPath) -> str:
    """Return the id of what the resource is in, in the spelling in which that was made."""
    if kind.type == "Microsoft.Resources/resourceGroups":
        return path.scope
    found = scene.record(path.parent)
    if found is not None and found.state != "Deleting":
        return found.id
    if kind.extension and path.parent.count("/") == 2:
        return path.parent  # a subscription
    if found is not None and found.type == "Microsoft.Resources/resourceGroups":
        raise ArmError(
            409,
            "ResourceGroupBeingDeleted",
            f"The resource group '{found.name}' is in deprovisioning state and cannot perform this operation.",
        )
    if path.resource_group is not None and scene.record("/".join(path.text.split("/")[:5])) is None:
        raise group_not_found(path.resource_group)
    raise parent_not_found(kind, path.parent)


def _tail(kind: ResourceType, path: ArmPath) -> str:
    last = kind.type.rpartition("/")[2]
    if kind.type == "Microsoft.Resources/resourceGroups":
        return f"{last}/{path.name}"
    at_top = len(kind.type.split("/")) == 2
    return f"providers/{kind.type}/{path.name}" if at_top else f"{last}/{path.name}"


def _existing(scene: Scene, kind: ResourceType, path: ArmPath) -> Record:
    record = scene.record(path.text)
    if record is not None:
        return record
    group = "/".join(path.text.split("/")[:5])
    if path.resource_group is not None and scene.record(group) is None:
        raise group_not_found(path.resource_group)
    raise kind.not_found(path.text, path.resource_group)


def _within(resource_id: str, scope: str) -> bool:
    return resource_id.lower().startswith(scope.lower() + "/")


def _locate(kind: ResourceType, path: ArmPath, draft: Draft) -> None:
    if draft.location is None:
        raise ArmError(400, "LocationRequired", "The location property is required for this definition.")
    location = regions.normalise(draft.location)
    draft.body["location"] = location
    if location not in regions.REGIONS:
        offered = ",".join(sorted(regions.REGIONS))
        raise ArmError(
            400,
            "LocationNotAvailableForResourceType",
            f"The provided location '{location}' is not available for resource type '{kind.type}'. "
            f"List of available regions for the resource type is '{offered}'.",
        )
    if draft.existing is not None and draft.existing.location != location:
        raise ArmError(
            409,
            "InvalidResourceLocation",
            f"The resource '{draft.name}' already exists in location '{draft.existing.location}' in "
            "resource group "
            f"'{path.resource_group}'. A resource with the same name cannot be created in location '{location}'. "
            "Please select a new resource name.",
        )


def _take(body: dict[str, Any], paths: tuple[str, ...]) -> dict[str, str]:
    """Move the values at `paths` out of `body`."""
    taken = {}
    for path in paths:
        *outer, name = path.split(".")
        owner: Any = body
        for part in outer:
            owner = owner.get(part) if isinstance(owner, dict) else None
        if isinstance(owner, dict) and owner.get(name) is not None:
            taken[path] = owner.pop(name)
    return taken


def _without(asked: dict[str, Any], paths: tuple[str, ...]) -> dict[str, Any]:
    copy = merge({}, asked)
    _take(copy, paths)
    return dict(copy)
