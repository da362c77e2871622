import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from scripts import demo
from sinbin.cli._local.up import command as local_up

ROOT = Path(__file__).parents[2]


def test_the_demo_takes_free_ports_only_so_that_it_runs_beside_another_local_azure(monkeypatch, tmp_path):
    called = []
    monkeypatch.setattr(
        demo.subprocess,
        "run",
        lambda command, **_: called.append(command) or subprocess.CompletedProcess(command, 0, stdout="{}"),
    )
    with demo._local_azure(tmp_path):
        pass
    up = next(command for command in called if "up" in command)
    ports = [option.opts[0] for option in local_up.params if option.name.endswith("port")]
    assert [up[up.index(port) + 1] for port in ports] == ["0"] * 4


@pytest.mark.engine
@pytest.mark.xdist_group("engine")
def test_a_demo_that_is_stopped_cleans_up(tmp_path, cli):
    with subprocess.Popen(
        [sys.executable, "-u", ROOT / "scripts" / "demo.py"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path), **cli.environment()},
    ) as running_demo:
        until = next(line for line in running_demo.stdout if "pulumi up -s local" in line)
        [folder] = tmp_path.iterdir()
        running_demo.send_signal(signal.SIGINT)
        _, said = running_demo.communicate(timeout=120)
    assert until
    assert (running_demo.returncode, said) == (130, "\nstopped; everything is cleaned up\n")
    assert not folder.exists()
    running = subprocess.run(["ps", "-eo", "args"], check=True, capture_output=True, text=True).stdout
    assert str(folder) not in running
