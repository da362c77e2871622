"""The stack file of `local` is in git: working with the stack leaves it as it is, on every machine."""

import os
import subprocess

import pytest

from sinbin.local.environment import exports
from sinbin.local.state_dir import Running, StateDir
from tests.engine.local_stack import ROOT

pytestmark = [pytest.mark.engine, pytest.mark.xdist_group("engine")]
TRACKED = ROOT / "stacks" / "Pulumi.local.yaml"


@pytest.mark.parametrize("words", [("init",), ("select", "--create")])
def test_a_stack_on_a_new_local_azure_leaves_the_tracked_file_as_it_is(project_folder, tmp_path, cli, words):
    running = Running(pid=1, ports={"arm": 1, "provider": 2, "gateway": 3}, subscription="s", tenant="t")
    for name in ("first", "after a purge"):
        state = StateDir(tmp_path / name)
        state.make()
        home = {"PULUMI_HOME": str(tmp_path / "home")}
        environment = {**os.environ, **exports(state, running), **cli.environment(), **home}
        command = [str(cli.executable), "stack", *words, "local", "--non-interactive"]
        subprocess.run(command, cwd=project_folder, env=environment, check=True, capture_output=True)
        assert list(state.backend.rglob("local.json"))
        assert (project_folder / "stacks" / TRACKED.name).read_bytes() == TRACKED.read_bytes()
