"""Paths that are not a resource: actions, usages, deleted resources, polling.

@operation("POST", "/subscriptions/{subscription}/…/accounts/{account}/listKeys", "2025-06-01")
def list_keys(scene, request, subscription, …): …
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from sinbin.local.control_plane.crud import ArmResponse
from sinbin.local.control_plane.errors import ArmError
from sinbin.local.control_plane.polling import retry_headers, status_body
from sinbin.local.control_plane.resource import ArmRequest, Scene

Handler = Callable[..., ArmResponse]


@dataclass(frozen=True, slots=True)
class Operation:
    """A method and a pattern of paths, and what answers them."""

    method: str
    pattern: re.Pattern[str]
    api_versions: tuple[str, ...]
    handler: Handler


OPERATIONS: list[Operation] = []


def operation(method: str, path: str, *api_versions: str) -> Callable[[Handler], Handler]:
    """Register the function below as the answer to `method` on `path`, whose `{words}` become its arguments."""
    pattern = re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(path)), re.IGNORECASE)

    def register(handler: Handler) -> Handler:
        OPERATIONS.append(Operation(method, pattern, api_versions, handler))
        return handler

    return register


def find(request: ArmRequest) -> tuple[Operation, dict[str, str]] | None:
    """Return the operation that answers `request` and its arguments."""
    for candidate in OPERATIONS:
        if candidate.method == request.method and (match := candidate.pattern.fullmatch(request.path)):
            return candidate, match.groupdict()
    return None


def _polled(scene: Scene, operation_id: str) -> float:
    found = scene.store.operation(operation_id)
    if found is None:
        raise ArmError(404, "OperationNotFound", f"The operation '{operation_id}' was not found.")
    return found[1] - scene.now


def _status(scene: Scene, request: ArmRequest, operation_id: str, **_where: Any) -> ArmResponse:
    del request
    left = _polled(scene, operation_id)
    headers = {} if left <= 0 else retry_headers(left)
    return ArmResponse(status=200, body=status_body(operation_id, left <= 0), headers=headers)


def _result(scene: Scene, request: ArmRequest, operation_id: str, **_where: Any) -> ArmResponse:
    left = _polled(scene, operation_id)
    if left <= 0:
        return ArmResponse(status=204)
    location = f"{request.origin}{quote(request.path)}?api-version={quote(request.api_version)}"
    return ArmResponse(status=202, headers={"Location": location, **retry_headers(left)})


for _where in ("", "/locations/{location}"):
    _root = "/subscriptions/{subscription}/providers/{namespace}" + _where
    operation("GET", _root + "/operationsStatus/{operation_id}")(_status)
    operation("GET", _root + "/operationResults/{operation_id}")(_result)
