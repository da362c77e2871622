"""Local gateways that really listen, ended after each test or module."""

import os
from pathlib import Path

import pytest

from sinbin.cli import main
from sinbin.local.control_plane.server import create_app
from sinbin.local.gateway.service import REPORTS
from sinbin.local.services import HttpService
from sinbin.local.state_dir import Running, StateDir
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


@pytest.fixture
def sinbin(azure, sinbin_for):
    """Run a command that finds `azure` running."""
    return sinbin_for(azure)


@pytest.fixture
def sinbin_for(tmp_path, monkeypatch, capsys):
    """Make what runs a command that finds a local Azure of the test running."""
    servers = []

    def commands(azure):
        reports = dict.fromkeys(REPORTS, azure.gateways.report)
        servers.append(HttpService("arm", create_app(azure.plane, reports), 0, "--port"))
        ports = {"gateway": 1, "arm": servers[-1].start(), "provider": 2, "regions": 3, "page": 4}
        running = Running(pid=os.getpid(), ports=ports, subscription="s", tenant="t")
        monkeypatch.setattr(StateDir, "running", lambda _: running)

        def run(*words):
            monkeypatch.setattr("sys.argv", ["sinbin", "local", *words, "--state", str(tmp_path / "0")])
            with pytest.raises(SystemExit) as ended:
                main()
            said = capsys.readouterr()
            return ended.value.code, said.out, said.err

        return run

    yield commands
    for server in servers:
        server.stop()
