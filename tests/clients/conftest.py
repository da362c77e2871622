"""Where the clients are pointed, and the clients."""

import json
import shutil
import subprocess
from dataclasses import replace

import pytest

from scripts.node_packages import SOURCE, install
from sinbin.foundry.faults import parse_fault
from sinbin.settings.load import load_settings
from tests.clients.python_client import run
from tests.local.foundry.running import KEY, Running, make_account
from tests.local.gateway.running import LocalAzure


class Region:
    """One region, asked directly."""

    def __init__(self):
        self.models = {"chat": "chat", "embed": "embed"}
        self.running = Running()
        self.url = self.running.apply(make_account(reply_tokens=40))[0]
        self.key = KEY

    def fault(self, **raw):
        self.running.fault("ai-uksouth", **raw)

    def heal(self):
        """End faults."""
        self.running.thread.call(_clear(self.running.servers))

    def stop(self):
        self.running.stop()


class Gateway:
    """The stack `local`, deployed; a minute passes in a second."""

    def __init__(self, folder, stacks):
        self.models = {"chat": "chat-default", "embed": "embed-default"}
        topology = load_settings(stacks / "Pulumi.local.yaml").to_topology()
        # The suite is not about limits: nobody has any.
        consumers = tuple(
            replace(one, tokens_per_minute=None, requests_per_minute=None, token_quota=None)
            for one in topology.consumers
        )
        self.azure = LocalAzure(folder, speed=60)
        self.azure.deploy(replace(topology, consumers=consumers))
        self.url, self.key = self.azure.url, self.azure.key("web-chat")
        self._account = next(name for name in self.azure.regions.servers.regions if name.endswith("uksouth"))

    def fault(self, **raw):
        async def begin():
            region = self.azure.regions.servers.regions[self._account]
            region.faults.begin(self.azure.clock.now(), parse_fault(raw))

        self.azure.call(begin())

    def heal(self):
        """End faults; breakers forget in a second."""
        self.azure.call(_clear(self.azure.regions.servers))

    def stop(self):
        self.azure.stop()


async def _clear(servers):
    for region in servers.regions.values():
        region.faults.clear(None)


class Node:
    """The client from npm, in one process for all cases."""

    def __init__(self, folder):
        shutil.copy(SOURCE / "client.mjs", folder)
        self.process = subprocess.Popen(
            ["node", folder / "client.mjs"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def run(self, order):
        self.process.stdin.write(json.dumps(order) + "\n")
        return json.loads(self.process.stdout.readline())

    def stop(self):
        self.process.stdin.close()
        self.process.wait(10)
        self.process.stdout.close()


@pytest.fixture(scope="session")
def places(tmp_path_factory, request):
    found = {
        "region": Region(),
        "gateway": Gateway(tmp_path_factory.mktemp("azure"), request.config.rootpath / "stacks"),
    }
    yield found
    for place in found.values():
        place.stop()


@pytest.fixture(scope="session")
def node():
    client = Node(install())
    yield client
    client.stop()


@pytest.fixture
def client(request):
    """Return the function that carries out an order with the client that the test asks for."""
    if request.param == "npm":
        return request.getfixturevalue("node").run
    return lambda order: run(order, asynchronous=request.param == "PyPI, asynchronous")
