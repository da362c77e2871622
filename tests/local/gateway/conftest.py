"""Local gateways that really listen, ended after each test."""

from pathlib import Path

import pytest

from sinbin.settings.load import load_settings
from tests.local.gateway.running import LocalAzure

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
    """The stack `local`, deployed once for the tests of a module that change nothing."""
    azure = LocalAzure(tmp_path_factory.mktemp("azure"))
    azure.deploy(LOCAL)
    yield azure
    azure.stop()
