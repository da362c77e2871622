"""Local gateways that really listen, ended after each test or module."""

from pathlib import Path

import pytest

from sinbin.settings.load import load_settings
from tests.local.gateway.running import LocalAzure
from tests.local.gateway.stub import Stub

LOCAL = load_settings(Path(__file__).parents[3] / "stacks" / "Pulumi.local.yaml").to_topology()


@pytest.fixture
def start(tmp_path):
    running = []

    def begin(**options):
        folder = tmp_path / str(len(running))
        folder.mkdir()
        running.append(LocalAzure(folder, **options))
        return running[-1]

    yield begin
    for azure in running:
        azure.stop()


@pytest.fixture(scope="module")
def deployed(tmp_path_factory):
    """The stack `local`, deployed once for the tests of a module that change nothing; time passes faster."""
    azure = LocalAzure(tmp_path_factory.mktemp("azure"), speed=20)
    azure.deploy(LOCAL)
    yield azure
    azure.stop()


@pytest.fixture(scope="module")
def azure(tmp_path_factory):
    """A service `apim` for tests that make APIs and backends of their own in it."""
    azure = LocalAzure(tmp_path_factory.mktemp("azure"))
    azure.make_service()
    azure.settle()
    yield azure
    azure.stop()


@pytest.fixture
def stub(azure):
    """Start backends in the loop of `azure`."""
    running = []

    def begin(*replies):
        running.append(Stub(azure.call, *replies))
        return running[-1]

    yield begin
    for one in running:
        one.stop()
