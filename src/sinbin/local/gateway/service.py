"""The gateways as a service of the local Azure: they follow what is deployed in its control plane."""

import asyncio
import logging
import re
import time
from collections import deque
from pathlib import Path
from typing import Any

from sinbin.errors import SinbinError
from sinbin.gateway.effects import TransportErrorKind
from sinbin.local.clock import Clock
from sinbin.local.control_plane.entity import SERVICES
from sinbin.local.control_plane.store import Store
from sinbin.local.following import follow
from sinbin.local.foundry.servers import RegionServers
from sinbin.local.gateway.deployed import DeployedGateway, deployed_gateways, serves
from sinbin.local.gateway.destinations import Destinations
from sinbin.local.gateway.effects import Effects
from sinbin.local.gateway.issuer import LocalIssuer
from sinbin.local.gateway.servers import GatewayServers
from sinbin.local.gateway.tokens import answer_token
from sinbin.local.http.client import HttpClient
from sinbin.local.loop import LoopThread
from sinbin.local.services import listen

_LOG = logging.getLogger(__name__)
_TRACE = re.compile("[0-9]{1,18}")


REPORTS = ("gateways", "traces", "traces/{number}", "token")
"""The paths of what `GatewaysService.report` answers."""


class LocalRegions:
    """The regions that listen in the same loop, as the gateways find them."""

    def __init__(self, servers: RegionServers, clock: Clock) -> None:
        """Find accounts among `servers`."""
        self._servers = servers
        self._clock = clock

    def port(self, account: str) -> int | None:
        """Return where `account` listens."""
        return self._servers.ports.get(account)

    def connect(self, account: str) -> TransportErrorKind | None:
        """Return the fault that keeps a connection to `account` from being made."""
        fault = self._servers.regions[account].connect(self._clock.now())
        return "reset" if fault == "refused" else fault


class GatewaysService:
    """Gateway servers, in the loop of the regions that they call."""

    name = "gateway"

    def __init__(  # noqa: PLR0917 - what a service is made of
        self,
        database: Path,
        ports_file: Path,
        clock: Clock,
        port: int,
        regions: RegionServers,
        thread: LoopThread,
        *,
        instances: int = 1,
        policy_delay_s: float = 0.0,
        trace_all: bool = False,
    ) -> None:
        """Prepare to follow `database`.

        Args:
            database: the state of the control plane.
            ports_file: where it is remembered which service listens where.
            clock: the time that the gateways live in.
            port: of the first service; 0 = any that are free, for all.
            regions: what the addresses of Foundry accounts lead to.
            thread: whose loop the regions run in.
            instances: how many unsynchronised instances each service has.
            policy_delay_s: how long a change takes to arrive, seconds of `clock`.
            trace_all: keep a trace of every request.
        """
        self._epoch_s = clock.now()
        self._issuer = LocalIssuer()
        self._client = HttpClient()
        effects = Effects(self._client, Destinations(LocalRegions(regions, clock)), clock)
        self.servers = GatewayServers(
            effects,
            lambda: clock.now() - self._epoch_s,
            instances=instances,
            ports_file=ports_file,
            trace_all=trace_all,
        )
        self._database = database
        self._clock = clock
        self._port = port
        self._thread = thread
        self._delay_s = policy_delay_s
        self._store: Store | None = None
        self._following: asyncio.Task[None] | None = None
        self._version: int | None = None
        self._unready = False
        """A service is being made: it will serve without a further change of the state."""
        self._seen: dict[str, DeployedGateway] = {}
        self._coming: deque[tuple[float, dict[str, DeployedGateway]]] = deque()
        """States of the control plane that have not arrived yet, and when they do."""

    def start(self) -> int:
        """Begin to listen and return the port of the first service."""
        listener = listen(self._port, "--gateway-port")
        self._store = Store(self._database)
        self._thread.call(self._begin(listener))
        return int(listener.getsockname()[1])

    def stop(self) -> None:
        """End all servers."""
        if self._store is not None:
            self._thread.call(self._end())
            self._store.close()

    async def report(self, path: str) -> tuple[int, Any]:
        """Return status and body of the answer to a question, asked from any loop.

        Args:
            path: `gateways` (the speed of the clock; where each service listens, its breakers, what it refused),
                `traces` (the last traced requests), `traces/{number}` (one of them), or `token?consumer=…` (one
                that the policies accept, see `sinbin.local.gateway.tokens`).
        """
        answer = asyncio.run_coroutine_threadsafe(self._report(path), self._thread.loop)
        return await asyncio.wrap_future(answer)

    async def _report(self, path: str) -> tuple[int, Any]:
        path, _, query = path.partition("?")
        area, _, number = path.partition("/")
        if path == "token":
            return answer_token(query, self.servers.trusts(), self._issuer, self._clock.now())
        if path == "gateways":
            return 200, {"speed": self._clock.speed, **self.servers.report()}
        if path == "traces":
            return 200, self.servers.traces.report()
        if area == "traces" and _TRACE.fullmatch(number):
            found = self.servers.traces.find(int(number))
            if found is not None:
                return 200, found
            return 404, {"error": {"message": f"there is no trace {number}; only the last ones are kept"}}
        return 404, {"error": {"message": f"there is no {path}"}}

    async def _begin(self, listener: Any) -> None:
        await self.servers.start(listener, self._port)
        await self._look()
        self._following = asyncio.create_task(follow("the gateways", self._look))

    async def _end(self) -> None:
        if self._following is not None:
            self._following.cancel()
        await self.servers.stop()
        self._client.close()

    async def _look(self) -> None:
        assert self._store is not None
        now = self._clock.now()
        version = self._store.version()
        if version != self._version or self._unready:
            self._version = version
            wall = time.time()
            self._unready = any(not serves(service, wall) for service in self._store.select(SERVICES))
            deployed = deployed_gateways(self._store, wall, self._epoch_s, self._issuer)
            if deployed != self._seen:
                self._seen = deployed
                self._coming.append((now + self._delay_s, deployed))
        arrived = None
        while self._coming and self._coming[0][0] <= now:
            arrived = self._coming.popleft()[1]
        if arrived is not None:
            try:
                await self.servers.apply(arrived)
            except SinbinError as error:
                _LOG.warning("%s", error)  # once: the next look finds nothing new
