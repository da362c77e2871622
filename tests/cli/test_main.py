"""The command as a process: exit codes and messages, whatever its output is tied to."""

import os
import subprocess
import sys
from pathlib import Path


def sinbin(*words, tail="", **environment):
    command = f'"{sys.executable}" -m sinbin {" ".join(words)} {tail}'
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        capture_output=True,
        text=True,
        env=os.environ | environment,
        check=False,
        encoding="utf-8",
    )


def test_a_reader_that_goes_away_is_no_fault():
    result = sinbin("rules", tail="| head -1")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("SB001 ")


def test_a_full_disk_is_one_message():
    result = sinbin("rules", tail="> /dev/full")
    assert (result.returncode, result.stderr) == (2, "error: no space left on device\n")


def test_a_terminal_of_few_characters_gets_escapes():
    result = sinbin("rules", "SB001", PYTHONIOENCODING="ascii")
    assert result.returncode == 0


def test_a_file_in_a_place_that_is_not_there_is_one_message(tmp_path):
    policy = tmp_path / "a.xml"
    policy.write_text("<policies />", "utf-8")
    result = sinbin("lint", str(policy), "--write-baseline", "/nope/baseline.json")
    assert result.returncode == 2
    assert result.stderr.startswith("error: /nope/baseline.json")
    assert len(result.stderr.splitlines()) == 1


def test_a_pipe_is_no_file_to_judge(tmp_path):
    pipe = tmp_path / "policy.xml"
    os.mkfifo(pipe)
    result = sinbin("lint", str(pipe))
    assert (result.returncode, result.stderr) == (
        2,
        f"error: {pipe}: is no ordinary file; name a file or a folder\n",
    )


def test_a_policy_test_that_is_only_depth_is_refused(tmp_path):
    path = tmp_path / "deep.yaml"
    path.write_text("[" * 20_000, "utf-8")
    result = sinbin("test", str(path))
    assert (result.returncode, result.stderr) == (
        2,
        f"error: {path}:1:1001: is no YAML: exceeded maximum nesting depth\n",
    )


def test_a_plan_names_severities_in_words():
    root = Path(__file__).parents[2]
    result = sinbin("plan", "-s", "local", tail=f"2>&1 | grep -oE 'SB[0-9]+ .[a-z0-9]+.' ; cd {root}")
    assert "[note]" in result.stdout
    assert "[1]" not in result.stdout
