"""A server per Foundry account, each on a port of its own, made and ended as accounts come and go."""

import random
from collections.abc import Mapping
from pathlib import Path

from sinbin.foundry.account import AccountConfig
from sinbin.foundry.region import Region
from sinbin.local.clock import Clock
from sinbin.local.foundry.handler import RegionHandler
from sinbin.local.http.messages import Limits
from sinbin.local.http.server import HttpServer
from sinbin.local.ports import StablePorts

FIRST_PORT = 4700
"""Accounts get ports from here on, in the order in which they appear, and keep them."""
_MOST_PORTS = 200

LIMITS = Limits(body_bytes=16 * 1024 * 1024)
"""The largest body is that of an upload.

Source: https://learn.microsoft.com/azure/ai-foundry/openai/quotas-limits, read 2026-11-29.
"""


class RegionServers:
    """The regions of one local Azure, by the name of their account; everything in one loop."""

    def __init__(
        self, clock: Clock, seed: int = 0, ports_file: Path | None = None, first_port: int = FIRST_PORT
    ) -> None:
        """Make an empty set.

        Args:
            clock: the time that all regions live in.
            seed: of all chance; each account has a stream of its own.
            ports_file: where the ports are remembered, so that a client's base URL survives a restart.
            first_port: where ports begin; 0 = any that are free.
        """
        self.regions: dict[str, Region] = {}
        self.ports: dict[str, int] = {}
        self._clock = clock
        self._seed = seed
        self._servers: dict[str, HttpServer] = {}
        self._stable_ports = StablePorts(ports_file, first_port, _MOST_PORTS)

    async def apply(self, accounts: Mapping[str, AccountConfig]) -> None:
        """Serve exactly `accounts` from now on; those that stay keep their port, counters and faults.

        Raises:
            SinbinError: no port can be had, or an account deploys a model without facts.
        """
        for name in [name for name in self._servers if name not in accounts]:
            await self._servers.pop(name).stop()
            del self.regions[name], self.ports[name]
        for name, account in accounts.items():
            if name in self.regions:
                self.regions[name].configure(self._clock.now(), account)
            else:
                await self._begin(name, account)

    async def stop(self) -> None:
        """End all servers."""
        for server in self._servers.values():
            await server.stop()
        self._servers.clear()

    def url(self, account: str) -> str:
        """Return where `account` listens."""
        return f"http://127.0.0.1:{self.ports[account]}"

    async def _begin(self, name: str, account: AccountConfig) -> None:
        region = Region(account, random.Random(f"{self._seed}/{name}"))  # noqa: S311 - not for secrets
        listener = self._stable_ports.listen(name)
        server = HttpServer(RegionHandler(region, self._clock), LIMITS)
        await server.start(listener)
        self.regions[name], self._servers[name] = region, server
        self.ports[name] = int(listener.getsockname()[1])
