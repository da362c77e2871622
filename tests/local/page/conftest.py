"""The stack `local`, deployed and shown by the page."""

from pathlib import Path

import pytest

from sinbin.foundry.faults import parse_fault
from sinbin.local.page.service import PageService
from sinbin.settings.load import load_settings
from tests.local.gateway.running import LocalAzure

LOCAL = load_settings(Path(__file__).parents[3] / "stacks" / "Pulumi.local.yaml").to_topology()
HELLO = {"model": "chat-default", "messages": [{"role": "user", "content": "hello"}]}


class Shown:
    """A local Azure and the page that shows it."""

    def __init__(self, azure):
        self.azure = azure
        self.clock = azure.clock
        self._page = PageService(
            azure.regions.servers, azure.gateways.servers, azure.clock, azure.regions.thread, 0
        )
        self.url = f"http://127.0.0.1:{self._page.start()}"
        self.key = azure.key("web-chat") if azure.report()["gateways"][0]["service"] else ""

    def stop(self):
        self._page.stop()

    def ask(self, count=1):
        """Send requests as a consumer does and return the answers."""
        with self.azure.client(headers={"api-key": self.key}) as client:
            return [client.post("/openai/v1/chat/completions", json=HELLO) for _ in range(count)]

    def fault(self, region, **raw):
        async def begin():
            faults = self.azure.regions.servers.regions[region].faults
            return faults.begin(self.clock.now(), parse_fault(raw)).number

        return self.azure.call(begin())

    def faults(self):
        """Return the kinds of all faults by region."""

        async def read():
            regions = self.azure.regions.servers.regions.items()
            return {
                name: [active.fault.kind for active in region.faults.active(self.clock.now())]
                for name, region in regions
            }

        return self.azure.call(read())


@pytest.fixture
def show(tmp_path):
    """Start a local Azure with the stack `local` and its page."""
    running = []

    def begin(speed=10.0, topology=LOCAL):
        folder = tmp_path / str(len(running))
        folder.mkdir()
        azure = LocalAzure(folder, speed=speed)
        running.append(azure)
        if topology is not None:
            azure.deploy(topology)
        running.append(Shown(azure))
        return running[-1]

    yield begin
    for one in reversed(running):
        one.stop()


@pytest.fixture
def shown(show):
    return show()
