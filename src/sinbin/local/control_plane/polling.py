"""Operations that take a while: how they are announced, and how they are asked after.

A write that takes a while answers with `Azure-AsyncOperation`, a deletion with `Location` as well. Both are asked
again after `x-ms-retry-after-ms` milliseconds; `Retry-After` counts whole seconds and is sent from one second on,
because 0 makes the official clients fall back to their default of thirty.

Source: https://learn.microsoft.com/azure/azure-resource-manager/management/async-operations, read 2026-11-29.
"""

import math
from typing import Any
from urllib.parse import quote

from sinbin.local.control_plane.resource import ArmRequest, Scene, new_guid
from sinbin.local.control_plane.store import Record

_POLL_MS = 50


def async_headers(scene: Scene, record: Record, request: ArmRequest, *, location: bool) -> dict[str, str]:
    """Begin the operation on `record` that ends at its `ready_at`, and return the headers that announce it."""
    operation = new_guid()
    scene.store.begin_operation(operation, record.id, record.ready_at)
    where = f"/locations/{record.location}" if record.location else ""
    subscription = quote(record.subscription)
    root = f"{request.origin}/subscriptions/{subscription}/providers/{record.type.partition('/')[0]}{where}"
    version = f"?api-version={quote(request.api_version)}"
    headers = {"Azure-AsyncOperation": f"{root}/operationsStatus/{operation}{version}"}
    if location:
        headers["Location"] = f"{root}/operationResults/{operation}{version}"
    return headers | retry_headers(record.ready_at - scene.now)


def retry_headers(seconds: float) -> dict[str, str]:
    """Return the headers that say when to ask again about something that ends in `seconds`."""
    if seconds >= 1:
        return {"Retry-After": str(math.ceil(min(seconds, 10.0)))}
    return {"x-ms-retry-after-ms": str(max(10, min(_POLL_MS, math.ceil(seconds * 1000))))}


def status_body(operation: str, done: bool) -> dict[str, Any]:
    """Return the body that `Azure-AsyncOperation` shows."""
    return {"name": operation, "status": "Succeeded" if done else "InProgress"}
