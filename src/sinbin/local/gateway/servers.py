"""A server per API Management service, made and ended as services come and go."""

import logging
import random
import socket
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from sinbin.gateway.failures import PolicyLoadError
from sinbin.gateway.gateway import Gateway
from sinbin.local.gateway.activity import Activity
from sinbin.local.gateway.deployed import DeployedGateway
from sinbin.local.gateway.effects import Effects
from sinbin.local.gateway.handler import GatewayHandler, refuse
from sinbin.local.gateway.issuer import Trust
from sinbin.local.gateway.routing import describe_backends, describe_pools
from sinbin.local.gateway.traces import Traces, breakers
from sinbin.local.http.server import HttpServer
from sinbin.local.ports import StablePorts

_LOG = logging.getLogger(__name__)
_MOST = 9
"""Services beside the first one."""


class GatewayServer:
    """One port, and the service that answers on it."""

    def __init__(self, listener: socket.socket, handler: Callable[[str], GatewayHandler]) -> None:
        self.port = int(listener.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self.service: str | None = None
        self.deployed: DeployedGateway | None = None
        """What runs; None while nothing has been accepted."""
        self.refused: tuple[str, ...] = ()
        """Why the last configuration was not taken over, one sentence per reason."""
        self.changes = 0
        self.handler = handler(self.url)
        self._listener = listener
        self._http = HttpServer(self.handler, refuse=refuse)

    async def start(self) -> None:
        """Begin to serve."""
        await self._http.start(self._listener)

    async def stop(self) -> None:
        """End."""
        await self._http.stop()

    def take(self, service: str, deployed: DeployedGateway, instances: int) -> None:
        """Serve `deployed` from now on; what is refused changes nothing but what is said about it."""
        self.service = service
        gateway = self.handler.gateway
        try:
            if gateway is None:
                self.handler.gateway = Gateway(deployed.configuration, instances)
            else:
                gateway.reconfigure(deployed.configuration)
        except PolicyLoadError as error:
            self.refused = tuple(str(problem) for problem in error.problems)
            _LOG.warning("%s: the change is refused, %s\n%s", service, self._meanwhile(), error)
            self.handler.why = f"the configuration of {service} is refused: {'; '.join(self.refused)}"
            return
        self.refused = ()
        self.deployed = deployed
        self.changes += 1

    def vacate(self) -> None:
        """Serve nothing: the service is gone."""
        self.service, self.deployed, self.refused = None, None, ()
        self.handler.gateway = None
        self.handler.activity = Activity()
        self.handler.why = "the API Management service was deleted"

    def report(self, now: float) -> dict[str, Any]:
        """Return what one wants to know about it."""
        gateway = self.handler.gateway
        return {
            "service": self.service,
            "url": self.url,
            "changes": self.changes,
            "refused": list(self.refused),
            "notModelled": [] if self.deployed is None else list(self.deployed.not_modelled),
            "instances": []
            if gateway is None
            else [{"breakers": breakers(gateway, instance.number, now)} for instance in gateway.instances],
            "backends": [] if gateway is None else describe_backends(gateway.configuration),
            "pools": []
            if gateway is None
            else describe_pools(gateway.configuration, self.handler.activity.last_minute(now)),
            "consumers": [] if gateway is None else [one.id for one in gateway.configuration.subscriptions],
        }

    def _meanwhile(self) -> str:
        return "callers get 503" if self.handler.gateway is None else "the one before it goes on"


class GatewayServers:
    """The gateways of one local Azure; everything in one loop.

    The first port listens from the start, so that a client can be pointed at it before anything is deployed.
    """

    def __init__(
        self,
        effects: Effects,
        now: Callable[[], float],
        *,
        instances: int = 1,
        seed: int = 0,
        ports_file: Path | None = None,
        trace_all: bool = False,
    ) -> None:
        """Make an empty set.

        Args:
            effects: sends what the gateways send.
            now: the clock of the gateways (s).
            instances: how many unsynchronised instances each service has.
            seed: of all chance; each port has a stream of its own.
            ports_file: where it is remembered which service listens where.
            trace_all: keep a trace of every request, also of those that do not ask for one.
        """
        self.traces = Traces()
        self.servers: list[GatewayServer] = []
        self._effects = effects
        self._now = now
        self._instances = instances
        self._seed = seed
        self._ports_file = ports_file
        self._trace_all = trace_all
        self._ports: StablePorts | None = None

    async def start(self, listener: socket.socket, first_port: int) -> None:
        """Listen on the first port; more services listen on the ports after `first_port`, 0 = any."""
        self._ports = StablePorts(self._ports_file, first_port and first_port + 1, _MOST)
        await self._add(listener)

    async def apply(self, deployed: Mapping[str, DeployedGateway]) -> None:
        """Serve exactly `deployed` from now on; those that stay keep their port, breakers and counters.

        Raises:
            SinbinError: no port can be had.
        """
        for server in [server for server in self.servers if server.service not in {None, *deployed}]:
            server.vacate()
            if server is not self.servers[0]:
                self.servers.remove(server)
                await server.stop()
        serving = {server.service: server for server in self.servers}
        for name, wanted in deployed.items():
            server = serving.get(name) or await self._server(name)
            if server.deployed != wanted:
                server.take(name, wanted, self._instances)

    async def stop(self) -> None:
        """End all servers."""
        for server in self.servers:
            await server.stop()
        self.servers.clear()

    def report(self) -> dict[str, Any]:
        """Return what runs where."""
        now = self._now()
        return {"gateways": [server.report(now) for server in self.servers]}

    def trusts(self) -> dict[str, tuple[Trust, ...]]:
        """Return what each service asks of callers' tokens."""
        return {
            server.service: server.deployed.trusts
            for server in self.servers
            if server.service is not None and server.deployed is not None
        }

    async def _server(self, name: str) -> GatewayServer:
        """Return the server for a service that has none yet."""
        assert self._ports is not None
        first = self.servers[0]
        if first.service is None and not self._ports.knows(name):
            return first
        return await self._add(self._ports.listen(name))

    async def _add(self, listener: socket.socket) -> GatewayServer:
        server = GatewayServer(listener, self._handler)
        await server.start()
        self.servers.append(server)
        return server

    def _handler(self, url: str) -> GatewayHandler:
        rng = random.Random(f"{self._seed}/{len(self.servers)}")  # noqa: S311 - not for secrets
        return GatewayHandler(url, self._effects, self._now, rng, self.traces, trace_all=self._trace_all)
