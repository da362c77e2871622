"""The regions as a service of the local Azure: they follow what is deployed in its control plane."""

import asyncio
import logging
import time
from pathlib import Path

from sinbin.errors import SinbinError
from sinbin.foundry.account import AccountConfig
from sinbin.local.clock import Clock
from sinbin.local.control_plane.store import Store
from sinbin.local.following import follow
from sinbin.local.foundry.admin import AdminHandler
from sinbin.local.foundry.deployed import deployed_accounts
from sinbin.local.foundry.servers import RegionServers
from sinbin.local.http.server import HttpServer
from sinbin.local.loop import LoopThread
from sinbin.local.services import listen

_LOG = logging.getLogger(__name__)


class RegionsService:
    """Region servers and the server one asks about them, in a loop of their own."""

    name = "regions"

    def __init__(self, database: Path, ports_file: Path, clock: Clock, port: int) -> None:
        """Prepare to follow `database`.

        Args:
            database: the state of the control plane.
            ports_file: where the ports of the regions are remembered.
            clock: the time that the regions live in.
            port: of the server that is asked about the regions; 0 = any that is free, for the regions too.
        """
        self.servers = RegionServers(clock, ports_file=ports_file) if port else RegionServers(clock, first_port=0)
        self._database = database
        self._port = port
        self._admin = HttpServer(AdminHandler(self.servers, clock))
        self._thread: LoopThread | None = None
        self._store: Store | None = None
        self._accounts: dict[str, AccountConfig] = {}

    def start(self) -> int:
        """Begin to listen and return the port of the server that is asked."""
        listener = listen(self._port, "--regions-port")
        self._store = Store(self._database)
        self._thread = LoopThread(self.name)
        self._thread.call(self._admin.start(listener))
        self._thread.call(self._begin())
        return int(listener.getsockname()[1])

    @property
    def thread(self) -> LoopThread:
        """Whose loop the regions run in, once they have started."""
        assert self._thread is not None
        return self._thread

    def stop(self) -> None:
        """End all servers."""
        if self._thread is not None and self._store is not None:
            self._thread.call(self.servers.stop())
            self._thread.call(self._admin.stop(0.1))
            self._thread.stop()
            self._store.close()

    async def _begin(self) -> None:
        await self._look()
        self._following = asyncio.create_task(follow("the regions", self._look))

    async def _look(self) -> None:
        assert self._store is not None
        accounts = deployed_accounts(self._store, time.time())
        if accounts == self._accounts:
            return
        try:
            await self.servers.apply(accounts)
        except SinbinError as error:
            _LOG.warning("%s", error)  # once: the next look finds the same accounts
        self._accounts = accounts
