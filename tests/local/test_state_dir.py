"""What is in the folder of a local Azure is sinbin's, and nothing else there is touched."""

import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from sinbin.errors import SinbinError
from sinbin.local.azure import REGIONS_PORT, Options, start
from sinbin.local.state_dir import AlreadyRunningError, StateDir

ANY_PORT = Options(arm_port=0, provider_port=0, regions_port=0, page_port=0, gateway_port=0)
MARKER = ".sinbin-local"


def names(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.fixture
def foreign(tmp_path):
    """A folder of somebody else, with files that have the names of ours."""
    folder = tmp_path / "mine"
    for name in ("log", "lock", "process.json", ".gitignore", "pulumi/.pulumi/notes"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("precious")
    return folder


def test_a_folder_of_somebody_else_is_neither_purged_nor_used(foreign):
    before = names(foreign)
    with pytest.raises(SinbinError) as refused:
        StateDir(foreign).purge()
    assert str(refused.value) == (
        f"{foreign}: sinbin did not make it, so nothing is removed; name the folder of a local Azure with --state"
    )
    with pytest.raises(SinbinError) as refused:
        start(StateDir(foreign), ANY_PORT)
    assert str(refused.value) == (
        f"{foreign}: is not empty, and sinbin did not make it; choose an empty or a new folder with --state"
    )
    assert names(foreign) == before


def test_purge_removes_what_is_of_sinbin_and_keeps_the_rest(tmp_path):
    state = StateDir(tmp_path / "state")
    state.make()
    for name in (
        "control-plane.db",
        "control-plane.db-wal",
        "log",
        "region-ports.json",
        "pulumi/.pulumi/meta.yaml",
    ):
        (state.path / name).parent.mkdir(exist_ok=True)
        (state.path / name).write_text("")
    for name in ("notes", "control-plane.db.copy", "pulumi/mine"):
        (state.path / name).write_text("")
    assert state.purge() == (
        f"removed the state in {state.path}; what is not of sinbin stays: control-plane.db.copy, notes, pulumi"
    )
    assert names(state.path) == ["control-plane.db.copy", "notes", "pulumi", "pulumi/mine"]


def test_purge_of_nothing_says_so(tmp_path):
    (tmp_path / "empty").mkdir()
    for name in ("empty", "missing"):
        assert StateDir(tmp_path / name).purge() == f"nothing to remove in {tmp_path / name}"
    assert names(tmp_path) == ["empty"]


@pytest.mark.parametrize("there", [(), ("a",), ("a", "a/state")])
def test_a_start_that_fails_leaves_nothing_new(tmp_path, there):
    for name in there:
        (tmp_path / name).mkdir()
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        port = other.getsockname()[1]
        with pytest.raises(SinbinError) as refused:
            start(StateDir(tmp_path / "a" / "state"), replace(ANY_PORT, arm_port=port))
    assert str(refused.value).startswith(f"port {port} of 127.0.0.1 is taken; ")
    assert names(tmp_path) == list(there)


@pytest.mark.parametrize("name", ["lock", "log", "region-ports.json"])
def test_a_folder_in_the_place_of_a_file_is_one_clear_message(tmp_path, name):
    state = StateDir(tmp_path / "state")
    state.make()
    (state.path / name).mkdir()
    with pytest.raises(SinbinError) as refused:
        start(state, replace(ANY_PORT, regions_port=REGIONS_PORT))
    assert str(refused.value) == (
        f"{state.path / name}: cannot be used (Is a directory); remove it, or choose another folder with --state"
    )


def test_of_two_starts_at_once_one_serves_and_the_other_learns_who(tmp_path):
    both = threading.Barrier(2)
    state = StateDir(tmp_path / "state")

    def up(_):
        both.wait()
        try:
            return "started", start(state, ANY_PORT).pid
        except AlreadyRunningError as other:
            return "running", other.running.pid

    try:
        with ThreadPoolExecutor(2) as pool:
            said = dict(pool.map(up, range(2)))
        running = state.running()
    finally:
        state.stop()
    assert running is not None
    assert said == {"started": running.pid, "running": running.pid}
    assert (state.path / MARKER).is_file()
    assert state.purge() == f"removed {state.path}"
    assert names(tmp_path) == []
