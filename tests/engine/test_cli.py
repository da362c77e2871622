"""The engine room with stand-ins for `pulumi` and `go`: what is looked for, in which order, and what is said."""

import multiprocessing
import os
import shutil
import stat
from pathlib import Path

import pytest

from sinbin.engine import cli as room
from sinbin.engine.build import build_cli, pinned_version
from sinbin.engine.cli import find_cli, get_cli
from sinbin.errors import SinbinError

TOOLS = Path(__file__).parents[2] / "tools" / "pulumi"

# Copies the name and the -X value into an executable that answers `version`, as the real build does.
GO = """#!/bin/sh
echo "$@" >> "$COUNT"
while [ $# -gt 0 ]; do [ "$1" = -o ] && out=$2; shift; done
echo runtime >&2; sleep 0.2; echo example.com/package >&2
printf '#!/bin/sh\\necho v3.274.1\\n' > "$out"; chmod +x "$out"
"""


def script(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A machine with nothing on it: nothing on PATH that could run or build Pulumi, an empty cache, no network."""
    (tmp_path / "bin").mkdir()
    for tool in ("chmod", "sleep"):
        (tmp_path / "bin" / tool).symlink_to(shutil.which(tool))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("SINBIN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("COUNT", str(tmp_path / "builds"))

    def unreachable(*args, **kwargs):
        raise OSError("no route to host")

    monkeypatch.setattr(room.socket, "create_connection", unreachable)
    return tmp_path


def test_the_cli_on_path_comes_first(machine):
    script(machine / "cache" / "engine" / "official" / "bin" / "pulumi", "#!/bin/sh\necho v3.250.0\n")
    own = script(machine / "bin" / "pulumi", "#!/bin/sh\necho v3.260.0\n")
    found = find_cli(TOOLS)
    assert (found.executable, found.version, found.origin) == (own, "3.260.0", "path")


def test_one_that_the_installer_brought_comes_before_one_that_was_built(machine):
    official = script(machine / "cache" / "engine" / "official" / "bin" / "pulumi", "#!/bin/sh\necho v3.250.0\n")
    script(machine / "cache" / "engine" / "v3.274.1" / "pulumi", "#!/bin/sh\necho v3.274.1\n")
    found = find_cli(TOOLS)
    assert (found.executable, found.version, found.origin) == (official, "3.250.0", "installer")
    assert not (official.parent / "pulumi-language-python").exists()


@pytest.mark.parametrize("says", ["v3.150.0", "v4.0.0", "", "nonsense"])
def test_a_cli_of_another_version_is_passed_over(machine, says):
    script(machine / "bin" / "pulumi", f"#!/bin/sh\necho {says}\n")
    assert find_cli(TOOLS) is None


def test_a_cli_that_does_not_run_is_passed_over(machine):
    script(machine / "bin" / "pulumi", "#!/bin/sh\nexit 3\n")
    assert find_cli(TOOLS) is None


def test_without_any_it_is_built_once_with_a_language_host_beside_it(machine):
    script(machine / "bin" / "go", GO)
    told = []
    built = get_cli(TOOLS, told.append)
    folder = machine / "cache" / "engine" / "v3.274.1"
    assert (built.executable, built.version, built.origin) == (folder / "pulumi", "3.274.1", "built")
    assert (folder / "pulumi-language-python").read_bytes() == (TOOLS / "pulumi-language-python").read_bytes()
    assert os.access(folder / "pulumi-language-python", os.X_OK)
    assert told == [
        "· the official installer at get.pulumi.com is out of reach (no route to host)",
        "· building the Pulumi CLI v3.274.1 from source (once; minutes on a cold cache)",
        f"· built {folder / 'pulumi'}",
    ]
    assert get_cli(TOOLS, told.append) == built
    [command] = (machine / "builds").read_text().splitlines()
    assert "sdk/v3/go/common/version.Version=v3.274.1" in command
    assert built.environment()["PATH"].split(os.pathsep)[0] == str(folder)


def test_a_newer_language_host_replaces_the_one_beside_a_built_cli(machine):
    script(machine / "bin" / "go", GO)
    host = get_cli(TOOLS, lambda _: None).executable.with_name("pulumi-language-python")
    host.write_text("old")
    find_cli(TOOLS)
    assert host.read_bytes() == (TOOLS / "pulumi-language-python").read_bytes()


def build(folder):
    build_cli(TOOLS, folder, lambda _: None)


def test_two_runs_at_once_build_once(machine):
    script(machine / "bin" / "go", GO)
    folder = machine / "cache" / "engine" / pinned_version(TOOLS)
    runs = [multiprocessing.get_context("fork").Process(target=build, args=(folder,)) for _ in range(3)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    assert [run.exitcode for run in runs] == [0, 0, 0]
    assert len((machine / "builds").read_text().splitlines()) == 1
    assert sorted(path.name for path in folder.parent.iterdir()) == [".lock", "v3.274.1"]


def test_a_failed_build_leaves_nothing_and_says_what_go_said(machine):
    script(machine / "bin" / "go", "#!/bin/sh\necho 'go: cannot find module' >&2\nexit 1\n")
    with pytest.raises(SinbinError) as refused:
        get_cli(TOOLS, lambda _: None)
    assert str(refused.value) == (
        "pulumi: no Pulumi CLI from 3.200.0 on and below 4 on this machine: no `pulumi` on PATH; "
        "the official installer at get.pulumi.com is out of reach (no route to host); "
        "building it from source failed: go: cannot find module; "
        "install it from https://www.pulumi.com/docs/install/ or install Go (https://go.dev/dl/), then try again "
        "(`sinbin plan`, `lint` and `simulate` need no engine)"
    )
    assert [path.name for path in (machine / "cache" / "engine").iterdir()] == [".lock"]


def test_without_go_it_says_what_is_missing(machine):
    script(machine / "bin" / "pulumi", "#!/bin/sh\necho v3.100.0\n")
    with pytest.raises(SinbinError) as refused:
        get_cli(TOOLS, lambda _: None)
    assert str(refused.value).split(": ", 2)[2].split("; ")[:3] == [
        f"{machine}/bin/pulumi is version 3.100.0",
        "the official installer at get.pulumi.com is out of reach (no route to host)",
        "there is no `go` on PATH to build it with",
    ]


def test_a_cache_that_cannot_be_written_is_named(machine, monkeypatch):
    script(machine / "bin" / "go", GO)
    (machine / "cache").write_text("a file is in the way")
    with pytest.raises(SinbinError) as refused:
        build_cli(TOOLS, machine / "cache" / "engine" / "v3.274.1", lambda _: None)
    assert str(refused.value) == (
        f"{machine}/cache/engine: cannot be written (Not a directory); set SINBIN_CACHE to another folder"
    )
