"""A local Azure that really listens, and `sinbin loadtest` that finds it."""

import os
from dataclasses import replace

import pytest

from sinbin.cli import main
from sinbin.local.control_plane.server import create_app
from sinbin.local.services import HttpService
from sinbin.local.state_dir import Running, StateDir
from sinbin.settings.load import load_settings
from tests.local.gateway.running import LocalAzure

SPEED = 20


@pytest.fixture(scope="module")
def azure(tmp_path_factory, request):
    topology = load_settings(request.config.rootpath / "stacks" / "Pulumi.local.yaml").to_topology()
    azure = LocalAzure(tmp_path_factory.mktemp("azure"), SPEED, topology.gateway.name)
    # Tests follow each other at once: what one of them sends must not be missing to the next.
    limits = {"tokens_per_minute": None, "requests_per_minute": None, "token_quota": None}
    consumers = [replace(one, **limits) for one in topology.consumers]
    consumers.append(replace(consumers[0], name="load-test", routing_headers=True))
    accounts = tuple(
        replace(one, deployments=tuple(replace(each, capacity=300) for each in one.deployments))
        for one in topology.accounts
    )
    azure.deploy(replace(topology, consumers=tuple(consumers), accounts=accounts))
    yield azure
    azure.stop()


@pytest.fixture
def sinbin(azure, monkeypatch, capsys):
    """Run `sinbin loadtest`; it finds `azure` running."""
    reports = dict.fromkeys(("gateways",), azure.gateways.report)
    arm = HttpService("arm", create_app(azure.plane, reports), 0, "--port")
    ports = {"gateway": 1, "arm": arm.start(), "provider": 2, "regions": 3}
    running = Running(pid=os.getpid(), ports=ports, subscription="s", tenant="t")
    monkeypatch.setattr(StateDir, "running", lambda _: running)
    monkeypatch.setenv("COLUMNS", "160")

    def run(*words):
        monkeypatch.setattr("sys.argv", ["sinbin", "loadtest", *words, "--state", str(azure.folder)])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        return ended.value.code, said.out, said.err

    yield run
    arm.stop()
