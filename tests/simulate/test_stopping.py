"""A simulation that takes long says so, and ends quietly when it is stopped."""

import multiprocessing
import os
import signal
import subprocess
import sys

import pytest

from sinbin.simulate.processes import processes

LONG = """
name: long
regions: {uksouth: {requestsPerMinute: 600, tokensPerMinute: 600000, latency: {medianMs: 300, p95Ms: 300}}}
load: {kind: poisson, requestsPerSecond: 1000, durationSeconds: 50000}
"""


@pytest.mark.parametrize(
    ("send", "number", "workers"),
    [(os.kill, signal.SIGTERM, "1"), (os.kill, signal.SIGTERM, "2"), (os.killpg, signal.SIGINT, "2")],
    ids=["killed", "killed with workers", "Ctrl-C with workers"],
)
def test_a_long_run_is_announced_and_stops_quietly(tmp_path, send, number, workers):
    path = tmp_path / "long.yaml"
    path.write_text(LONG)
    process = subprocess.Popen(
        [sys.executable, "-m", "sinbin", "simulate", str(path), "--runs", "4", "--workers", workers],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stderr is not None
    first = process.stderr.readline()
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(timeout=2)
    send(process.pid, number)
    out, err = process.communicate(timeout=20)
    assert (first, out, err, process.returncode) == (
        "simulating about 200,000,000 requests (4 x 1 runs); Ctrl-C stops it\n",
        "",
        "stopped\n",
        130,
    )


def test_a_worker_leaves_ctrl_c_to_the_command_from_its_first_instruction_on():
    with processes(4) as pool:
        workers = multiprocessing.active_children()
        for worker in workers:
            assert worker.pid is not None
            os.kill(worker.pid, signal.SIGINT)
        answers = list(pool.map(abs, [-1, -2, -3, -4]))
        assert (answers, [worker.is_alive() for worker in workers]) == ([1, 2, 3, 4], [True] * 4)
