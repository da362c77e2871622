"""Where the URL of a backend leads on this machine: a region, another server on loopback, or nowhere."""

from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlsplit

from sinbin.gateway.effects import TransportErrorKind
from sinbin.local.http.client import Origin
from sinbin.local.http.guard import is_loopback_address

REGION_DOMAINS = ("openai.azure.com", "cognitiveservices.azure.com", "services.ai.azure.com")
"""Domains in which an account has its address.

Source: https://learn.microsoft.com/azure/ai-foundry/foundry-models/concepts/endpoints, read 2026-11-29.
"""
_PORTS = {"http": 80, "ws": 80, "https": 443, "wss": 443}


class Regions(Protocol):
    """The regions that listen on this machine."""

    def port(self, account: str) -> int | None:
        """Return where the account called `account` listens, None when there is none."""

    def connect(self, account: str) -> TransportErrorKind | None:
        """Return why no connection to `account` can be had right now, None when one can."""


@dataclass(frozen=True, slots=True)
class Destination:
    """Where to connect to, and what to say there in `host`."""

    origin: Origin
    host: bytes
    account: str | None = None
    """The account whose region this is, None for any other server."""


class Unreachable(Exception):  # noqa: N818 - what a policy sees as a failed connection
    """A URL that leads nowhere from here, and why."""

    def __init__(self, kind: TransportErrorKind, why: str) -> None:
        self.kind = kind
        super().__init__(why)


class Destinations:
    """Finds the destination of a URL; nothing outside this machine is ever one."""

    def __init__(self, regions: Regions) -> None:
        """Find the regions among `regions`."""
        self._regions = regions
        self._known: dict[str, Destination] = {}

    def find(self, url: str) -> tuple[Destination, str]:
        """Return where `url` leads, and its path and query as they go over the wire.

        Raises:
            Unreachable: it leads to no server on this machine, or to a region with a fault of names or TLS.
        """
        scheme, _, rest = url.partition("://")
        authority, slash, target = rest.partition("/")
        target = slash + target
        if not slash:
            authority, question, query = authority.partition("?")
            target = f"/{question}{query}"
        base = f"{scheme}://{authority}"
        found = self._known.get(base)
        if found is None:
            found = self._look_up(base)
            if len(self._known) < _REMEMBERED:
                self._known[base] = found
        if found.account is not None and self._region(found.account) != found.origin.port:
            self._known.pop(base, None)  # the region was made anew
            return self.find(url)
        return found, target

    def _region(self, account: str) -> int:
        """Return the port of a region that can be connected to right now."""
        port = self._regions.port(account)
        if port is None:
            raise Unreachable("dns", f"there is no Foundry account {account} in the local Azure")
        kind = self._regions.connect(account)
        if kind is not None:
            raise Unreachable(kind, f"the region of {account} has the fault {kind}")
        return port

    def _look_up(self, base: str) -> Destination:
        try:
            parts = urlsplit(base)
            scheme, host, port = parts.scheme.lower(), (parts.hostname or ""), parts.port
        except ValueError as error:
            raise Unreachable("dns", f"{base} is no URL: {error}") from error
        if scheme not in _PORTS or not host:
            raise Unreachable("dns", f"{base} is no http, https, ws or wss URL")
        account, _, domain = host.partition(".")
        if domain in REGION_DOMAINS:
            origin = Origin(False, "127.0.0.1", self._region(account))
            return Destination(origin, parts.netloc.encode("latin-1"), account)
        if host != "localhost" and not is_loopback_address(host):
            raise Unreachable("reset", f"{host} is not on this machine; a local gateway calls nothing else")
        if port is None:
            port = _PORTS[scheme]
        return Destination(Origin(scheme in ("https", "wss"), host, port), parts.netloc.encode("latin-1"))


_REMEMBERED = 1024
