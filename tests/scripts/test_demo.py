import os
import re
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
    assert [up[up.index(port) + 1] for port in ports] == ["0"] * len(ports)


@pytest.mark.engine
@pytest.mark.xdist_group("engine")
def test_the_demo_shows_what_it_says(tmp_path, cli):
    ran = subprocess.run(
        [sys.executable, "-u", ROOT / "scripts" / "demo.py"],
        capture_output=True,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path), **cli.environment()},
        timeout=500,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    steps = ran.stdout.split("▸ ")
    [deployed] = [step for step in steps if step.startswith("pulumi up -s local")]
    assert "  + 71 created\n" in deployed
    [traffic] = [step for step in steps if "three minutes of traffic" in step]
    answered = [float(share) for share in re.search(r"answered +([\d.]+) % +([\d.]+) %", traffic).groups()]
    # The published runs of these setups answered 100 % and 77 %; 10 points between them is far beyond chance.
    assert answered[0] > answered[1] + 10
    [changed] = [step for step in steps if step.startswith("one weight changes")]
    assert re.findall(r"weight: .*", changed) == ["weight: 90 => 60"]
    [again] = [step for step in steps if step.startswith("pulumi up again")]
    assert again.endswith("  71 unchanged\n\n")
    [gone] = [step for step in steps if step.startswith("pulumi destroy")]
    assert "  - 71 deleted\n" in gone
    assert steps[-1].endswith("nothing is left behind\n")
    assert list(tmp_path.iterdir()) == []


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
