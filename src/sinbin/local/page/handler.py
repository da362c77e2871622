"""The page, and what it asks for while somebody looks at it.

    GET    /, /style.css, /*.js            the page itself, from the package
    GET    /state                          all that changes: regions, gateways, the last requests
    GET    /traces/{number}                one request in full
    *      /regions/…                      faults, as `sinbin.local.foundry.admin` describes them

`sinbin.local.http.guard` says who is not answered. The page may load nothing from elsewhere, run no script but its
own files, be shown in no frame, and put no text into itself as markup: the policy in its headers says so.
"""

import json
import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from sinbin.local.clock import Clock
from sinbin.local.foundry.admin import AdminHandler
from sinbin.local.foundry.servers import RegionServers
from sinbin.local.gateway.servers import GatewayServers
from sinbin.local.http import guard
from sinbin.local.http.exchange import Exchange
from sinbin.local.http.messages import Header

_TYPES = {"html": b"text/html", "css": b"text/css", "js": b"text/javascript", "svg": b"image/svg+xml"}
_POLICY = "; ".join(
    (
        *("default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'"),
        *("base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"),
        *("require-trusted-types-for 'script'", "trusted-types 'none'"),
    )
)
_HEADERS: tuple[Header, ...] = (
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)
_TRACE = re.compile(r"/traces/(\d{1,9})")
_SHOWN = 60
"""Requests that the page lists."""


class PageHandler:
    """Answers a browser."""

    def __init__(self, regions: RegionServers, gateways: GatewayServers, clock: Clock) -> None:
        """Show `regions` and `gateways`, whose time is that of `clock`."""
        self._gateways = gateways
        self._clock = clock
        self._regions = AdminHandler(regions, clock)
        self._assets = _read_assets()

    async def __call__(self, exchange: Exchange) -> None:
        """Answer one exchange."""
        request = exchange.request
        why = guard.refusal(request)
        asset = self._assets.get(request.path)
        if why is not None:
            self._say(exchange, 403, _problem(why))
        elif asset is not None and request.method in ("GET", "HEAD"):
            kind, content = asset
            exchange.respond(200, [(b"content-type", kind + b"; charset=utf-8"), *_HEADERS], content)
        else:
            self._say(exchange, *self._answer(request.method, request.path, request.body))

    def _answer(self, method: str, path: str, body: bytes) -> tuple[int, Mapping[str, Any]]:
        if path.startswith("/regions"):
            return self._regions.answer(method, path, body)
        if method != "GET":
            return 404, _problem(f"there is no {method} {path}")
        if path == "/state":
            self._gateways.traces.watch()
            return 200, self._state()
        trace = _TRACE.fullmatch(path)
        if trace is None:
            return 404, _problem(f"there is no {path}")
        found = self._gateways.traces.find(int(trace[1]))
        return (404, _problem(f"request {trace[1]} is not kept any more")) if found is None else (200, found)

    def _state(self) -> dict[str, Any]:
        clock = {"speed": self._clock.speed, "unixTime": self._clock.now()}
        reports = self._regions.report() | self._gateways.report() | self._gateways.traces.report(_SHOWN)
        return {"clock": clock} | reports

    @staticmethod
    def _say(exchange: Exchange, status: int, body: Mapping[str, Any]) -> None:
        headers = [(b"content-type", b"application/json; charset=utf-8"), *_HEADERS]
        exchange.respond(status, headers, json.dumps(body).encode())


def _read_assets() -> dict[str, tuple[bytes, bytes]]:
    """Return media type and content of every file of the page by its path."""
    assets = {}
    for file in files("sinbin.local.page").joinpath("assets").iterdir():
        kind = _TYPES.get(file.name.rpartition(".")[2])
        if kind is not None:
            assets["/" if file.name == "index.html" else f"/{file.name}"] = (kind, file.read_bytes())
    return assets


def _problem(message: str) -> dict[str, Any]:
    return {"error": {"message": message}}
