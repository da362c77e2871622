import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.engine
@pytest.mark.xdist_group("engine")
def test_a_demo_that_is_stopped_cleans_up(tmp_path, cli):
    with subprocess.Popen(
        [sys.executable, "-u", ROOT / "scripts" / "demo.py"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path), **cli.environment()},
    ) as demo:
        until = next(line for line in demo.stdout if "pulumi up -s local" in line)
        [folder] = tmp_path.iterdir()
        demo.send_signal(signal.SIGINT)
        _, said = demo.communicate(timeout=120)
    assert until
    assert (demo.returncode, said) == (130, "\nstopped; everything is cleaned up\n")
    assert not folder.exists()
    running = subprocess.run(["ps", "-eo", "args"], check=True, capture_output=True, text=True).stdout
    assert str(folder) not in running
