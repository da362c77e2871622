"""The page as a service of the local Azure, in the loop of the regions and gateways that it shows."""

from sinbin.local.clock import Clock
from sinbin.local.foundry.servers import RegionServers
from sinbin.local.gateway.servers import GatewayServers
from sinbin.local.http.server import HttpServer
from sinbin.local.loop import LoopThread
from sinbin.local.page.handler import PageHandler
from sinbin.local.services import listen


class PageService:
    """A server of the page."""

    name = "page"

    def __init__(
        self, regions: RegionServers, gateways: GatewayServers, clock: Clock, thread: LoopThread, port: int
    ) -> None:
        """Prepare to show `regions` and `gateways`, which run in the loop of `thread`, on `port` (0 = any)."""
        self._http = HttpServer(PageHandler(regions, gateways, clock))
        self._thread = thread
        self._port = port

    def start(self) -> int:
        """Begin to listen and return the port."""
        listener = listen(self._port, "--page-port")
        self._thread.call(self._http.start(listener))
        return int(listener.getsockname()[1])

    def stop(self) -> None:
        """End."""
        self._thread.call(self._http.stop(0.1))
