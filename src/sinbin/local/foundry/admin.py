"""What one can ask of the regions, and do to them: how full they are, and which faults they have.

    GET    /regions                        all regions: address, deployments, gauges, faults
    POST   /regions/{account}/faults       begin the fault in the body
    DELETE /regions/{account}/faults       end all faults, or with /{number} one

The location of an account does for its name where no other account is in it. `sinbin.local.http.guard` says who is
not answered.
"""

import json
import re
from typing import Any

from sinbin.errors import SinbinError
from sinbin.foundry.faults import ActiveFault, parse_fault
from sinbin.foundry.region import Region
from sinbin.local.clock import Clock
from sinbin.local.foundry.servers import RegionServers
from sinbin.local.http import guard
from sinbin.local.http.exchange import Exchange

_FAULTS = re.compile(r"/regions/(?P<account>[^/]+)/faults(?:/(?P<number>\d+))?")


class AdminHandler:
    """Answers the questions of the command line and of the local page."""

    def __init__(self, servers: RegionServers, clock: Clock) -> None:
        """Speak for `servers`."""
        self._servers = servers
        self._clock = clock

    async def __call__(self, exchange: Exchange) -> None:
        """Answer one exchange."""
        request = exchange.request
        why = guard.refusal(request)
        if why is None:
            status, body = self.answer(request.method, request.path, request.body)
        else:
            status, body = 403, _problem(why)
        exchange.respond(status, [(b"content-type", b"application/json")], json.dumps(body).encode())

    def report(self) -> dict[str, Any]:
        """Return all regions."""
        now = self._clock.now()
        return {"regions": [self._describe(name, region, now) for name, region in self._servers.regions.items()]}

    def answer(self, method: str, path: str, body: bytes) -> tuple[int, dict[str, Any]]:
        """Return status and body of the answer to a caller who may ask."""
        now = self._clock.now()
        if (method, path) == ("GET", "/regions"):
            return 200, self.report()
        match = _FAULTS.fullmatch(path)
        if match is None or method not in ("POST", "DELETE"):
            return 404, _problem(f"there is no {method} {path}")
        named = self._named(match["account"])
        if len(named) > 1:
            return 404, _problem(f'several regions are in "{match["account"]}"; name one: {", ".join(named)}')
        if not named:
            known = ", ".join(self._servers.regions) or "none"
            return 404, _problem(f'there is no region "{match["account"]}"; there are: {known}')
        [region] = named.values()
        if method == "DELETE":
            number = int(match["number"]) if match["number"] else None
            return 200, {"cleared": region.faults.clear(number)}
        return _begin(region, now, body)

    def _named(self, name: str) -> dict[str, Region]:
        regions = self._servers.regions
        if name in regions:
            return {name: regions[name]}
        return {account: region for account, region in regions.items() if region.account.location == name}

    def _describe(self, name: str, region: Region, now: float) -> dict[str, Any]:
        account = region.account
        gauges = region.gauges(now)
        return {
            "name": name,
            "location": account.location,
            "url": self._servers.url(name),
            "localAuth": account.local_auth,
            "deployments": [
                {
                    "name": config.name,
                    "model": config.model,
                    "sku": config.sku,
                    "capacity": config.capacity,
                    "gauges": [
                        {
                            "limit": gauge.limit_name,
                            "used": gauge.used,
                            "of": gauge.limit,
                            "windowS": gauge.window_s,
                        }
                        for gauge in gauges[config.name]
                    ],
                }
                for config in account.deployments.values()
            ],
            "faults": [_fault(active, now) for active in region.faults.active(now)],
        }


def _begin(region: Region, now: float, body: bytes) -> tuple[int, dict[str, Any]]:
    try:
        raw = json.loads(body)
    except (ValueError, RecursionError):
        return 400, _problem("the body is no JSON")
    if not isinstance(raw, dict):
        return 400, _problem("the body is no JSON object")
    try:
        fault = parse_fault(raw)
    except SinbinError as error:
        return 400, _problem(str(error))
    if fault.deployment is not None and fault.deployment not in region.account.deployments:
        return 400, _problem(
            f'fault.deployment: there is no deployment "{fault.deployment}"; there are: '
            f"{', '.join(region.account.deployments) or 'none'}"
        )
    return 201, _fault(region.faults.begin(now, fault), now)


def _fault(active: ActiveFault, now: float) -> dict[str, Any]:
    described = active.fault.model_dump(mode="json", by_alias=True, exclude_none=True)
    left = None if active.until is None else active.until - now
    return {"number": active.number} | described | {"callsLeft": active.calls_left, "secondsLeft": left}


def _problem(message: str) -> dict[str, Any]:
    return {"error": {"message": message}}
