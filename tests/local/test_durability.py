"""What was acknowledged is there after the server was killed, and nothing else is."""

import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from sinbin.errors import SinbinError
from sinbin.local.azure import Options, start
from sinbin.local.control_plane.plane import DEFAULT_SUBSCRIPTION, ControlPlane
from sinbin.local.control_plane.store import Store
from sinbin.local.state_dir import Running, StateDir

ANY_PORT = Options(arm_port=0, provider_port=0, regions_port=0, page_port=0, gateway_port=0, provisioning_s=0.01)
VERSION = {"api-version": "2024-03-01"}


@pytest.fixture
def state(tmp_path):
    folder = StateDir(tmp_path / "state")
    yield folder
    folder.stop()


def test_every_acknowledged_write_survives_a_kill(state):
    acknowledged: list[str] = []
    killed = start(state, ANY_PORT)
    enough = threading.Event()

    def write(number: int) -> None:
        with httpx.Client(trust_env=False) as client:
            for index in range(10_000):
                name = f"rg-{number}-{index}"
                try:
                    answer = client.put(f"{_groups(killed)}/{name}", params=VERSION, json={"location": "uksouth"})
                except httpx.TransportError:
                    return
                assert answer.status_code == 201
                acknowledged.append(name)
                if index > 8:
                    enough.set()

    with ThreadPoolExecutor(4) as pool:
        writers = [pool.submit(write, number) for number in range(4)]
        assert enough.wait(30)
        os.kill(killed.pid, signal.SIGKILL)
    for writer in writers:
        writer.result()
    assert (state.path / "process.json").exists()
    until = time.monotonic() + 10
    while state.running() is not None:  # the file that the dead process left behind counts for nothing
        assert time.monotonic() < until
        time.sleep(0.05)
    running = start(state, ANY_PORT)
    there = {
        group["name"] for group in httpx.get(_groups(running), params=VERSION, trust_env=False).json()["value"]
    }
    assert set(acknowledged) <= there
    # A write that was cut off before its answer may be there as well: at most one for each writer.
    assert len(there - set(acknowledged)) <= 4


def _groups(running: Running) -> str:
    return f"http://127.0.0.1:{running.ports['arm']}/subscriptions/{DEFAULT_SUBSCRIPTION}/resourceGroups"


def test_an_operation_that_ran_when_the_server_died_ends_afterwards(azure, tmp_path):
    azure.put("/resourceGroups/rg", {"location": "uksouth"})
    account = "/resourceGroups/rg/providers/Microsoft.CognitiveServices/accounts/acc"
    azure.send(
        "PUT", account, {"location": "uksouth", "kind": "AIServices", "sku": {"name": "S0"}, "properties": {}}
    )
    azure.plane.store.close()
    azure.plane = ControlPlane(Store(tmp_path / "control-plane.db"), azure.clock, provisioning_s=10)
    assert azure.send("GET", account).body["properties"]["provisioningState"] == "Creating"
    azure.clock.now += 60
    assert azure.send("GET", account).body["properties"]["provisioningState"] == "Succeeded"


def test_a_damaged_database_is_one_clear_message(state):
    state.make()
    state.database.write_bytes(b"this is no database, however long one reads it" * 100)
    with pytest.raises(SinbinError) as refused:
        start(state, ANY_PORT)
    assert str(refused.value) == (
        f"{state.database}: is damaged (file is not a database); remove it with `sinbin local down --purge` and deploy again"
    )


def test_a_database_of_another_version_is_one_clear_message(tmp_path):
    store = Store(tmp_path / "s.db")
    store._db.execute("PRAGMA user_version = 99")
    store.close()
    with pytest.raises(SinbinError) as refused:
        Store(tmp_path / "s.db")
    assert str(refused.value) == (
        f"{tmp_path / 's.db'}: has the layout 99 of another version of sinbin, this one reads 1; remove it with "
        "`sinbin local down --purge` and deploy again"
    )


def test_the_state_can_be_read_by_its_owner_only(state):
    state.make()
    Store(state.database).close()
    paths = (state.path, state.database)
    assert {path.name: oct(path.stat().st_mode & 0o777) for path in paths} == {
        "state": "0o700",
        "control-plane.db": "0o600",
    }
