"""The control plane behind HTTP, on 127.0.0.1 only."""

import asyncio
import json
import logging
import math
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sinbin.local.control_plane.errors import ArmError
from sinbin.local.control_plane.plane import ControlPlane
from sinbin.local.control_plane.resource import TYPES, ArmRequest, new_guid

BODY_BYTES = 4 * 1024 * 1024
"""Largest request.

Source: https://learn.microsoft.com/azure/azure-resource-manager/management/azure-subscription-service-limits,
read 2026-11-29.
"""
_DEPTH = 100
_READ_S = 30
_METHODS = ["GET", "HEAD", "PUT", "PATCH", "POST", "DELETE"]
_log = logging.getLogger(__name__)


Report = Callable[[str], Awaitable[tuple[int, Any]]]
"""Answers what one asks of a part of the local Azure: path and query below its own in, status and body out."""


def create_app(plane: ControlPlane, reports: Mapping[str, Report] | None = None) -> Starlette:
    """Return an app that answers as `plane` does, and below `/sinbin/` for itself and `reports`, by path.

    A browser page can't reach it by a name of its own that points at 127.0.0.1: only local names are served.
    """

    async def arm(request: Request) -> Response:
        try:
            answer = plane.handle(await _read(request))
        except ArmError as error:
            return _json(error.status, error.body(), {"x-ms-error-code": error.code})
        except Exception:  # noqa: BLE001  # the answer to a fault of ours is an answer, too
            _log.exception("%s %s", request.method, request.url.path)
            fault = ArmError(500, "InternalServerError", "This is a fault of sinbin; its log says more.")
            return _json(500, fault.body(), {})
        return _json(answer.status, answer.body, dict(answer.headers))

    async def status(request: Request) -> Response:
        del request
        return _json(200, summary(plane), {})

    def answer(report: Report) -> Callable[[Request], Awaitable[Response]]:
        async def ask(request: Request) -> Response:
            query = f"?{request.url.query}" if request.url.query else ""
            code, body = await report(request.scope["path"].removeprefix("/sinbin/") + query)
            return _json(code, body, {})

        return ask

    return Starlette(
        routes=[
            Route("/sinbin/status", status, methods=["GET"]),
            *(
                Route(f"/sinbin/{path}", answer(report), methods=["GET"])
                for path, report in (reports or {}).items()
            ),
            Route("/{path:path}", arm, methods=_METHODS),
        ],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=["127.0.0.1", "localhost"])],
    )


def summary(plane: ControlPlane) -> dict[str, Any]:
    """Return what is there (resources by type) and what was refused (writes by code)."""
    counts = {kind.type: len(plane.store.select(kind.type)) for kind in TYPES.values()}
    return {
        "resources": {name: count for name, count in sorted(counts.items()) if count},
        "refused": plane.store.counters(),
    }


async def _read(request: Request) -> ArmRequest:
    raw = bytearray()
    try:
        async with asyncio.timeout(_READ_S):
            async for chunk in request.stream():
                raw += chunk
                if len(raw) > BODY_BYTES:
                    message = f"The request content is larger than {BODY_BYTES} bytes."
                    raise ArmError(413, "RequestContentTooLarge", message)
    except TimeoutError as error:
        raise ArmError(408, "RequestTimeout", f"The request did not arrive within {_READ_S} s.") from error
    return ArmRequest(
        method=request.method,
        path=request.scope["path"],
        query={
            key.lower() if key.lower() == "api-version" else key: value
            for key, value in request.query_params.items()
        },
        headers={key.lower(): value for key, value in request.headers.items()},
        body=_parse(bytes(raw)),
        origin=f"http://{request.headers['host']}",
    )


def _parse(raw: bytes) -> Any:
    if not raw.strip():
        return None
    try:
        body = json.loads(raw, parse_constant=_refuse_number, parse_float=_finite)
        json.dumps(body, ensure_ascii=False).encode()  # half of a surrogate pair is no text
    except (ValueError, RecursionError) as error:
        raise ArmError(
            400,
            "InvalidRequestContent",
            f"The request content was invalid and could not be deserialized: '{error}'.",
        ) from error
    if _too_deep(body, _DEPTH):
        raise ArmError(400, "InvalidRequestContent", f"The request content is nested deeper than {_DEPTH} levels.")
    return body


def _refuse_number(text: str) -> float:
    raise ValueError(f"{text} is no JSON number")


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refuse_number(text)


def _too_deep(value: Any, depth: int) -> bool:
    if isinstance(value, dict):
        value = list(value.values())
    return isinstance(value, list) and (depth == 0 or any(_too_deep(inner, depth - 1) for inner in value))


def _json(status: int, body: Any, headers: dict[str, str]) -> Response:
    content = b"" if body is None else json.dumps(body).encode()
    media = None if body is None else "application/json; charset=utf-8"
    return Response(content, status, {"x-ms-request-id": new_guid(), **headers}, media_type=media)
