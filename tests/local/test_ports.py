"""A name keeps its port over restarts, whatever became of the file."""

import json
from contextlib import closing

import pytest

from sinbin.errors import SinbinError
from sinbin.local.ports import StablePorts, bind


@pytest.fixture
def first():
    with closing(bind(0)) as probe:
        return probe.getsockname()[1]


def given(ports, *names):
    """Return the port each name gets; all are held until all have one."""
    held = [ports.listen(name) for name in names]
    numbers = [one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return numbers


def test_a_name_gets_its_port_again_after_a_restart(tmp_path, first):
    file = tmp_path / "ports.json"
    before = given(StablePorts(file, first, 50), "uksouth", "swedencentral")
    again = StablePorts(file, first, 50)
    assert given(again, "swedencentral", "uksouth") == before[::-1]
    assert [again.knows("uksouth"), again.knows("westeurope")] == [True, False]
    assert [path.name for path in tmp_path.iterdir()] == ["ports.json"]


def test_a_port_that_somebody_took_is_passed_over_and_the_new_one_remembered(tmp_path, first):
    file = tmp_path / "ports.json"
    (old,) = given(StablePorts(file, first, 50), "uksouth")
    with closing(bind(old)) as taken:
        taken.listen()
        (new,) = given(StablePorts(file, first, 50), "uksouth")
    assert new != old
    assert json.loads(file.read_text()) == {"uksouth": new}


@pytest.mark.parametrize("text", ["", "{", "[4700]", '{"uksouth": "4700"}'])
def test_a_damaged_file_is_begun_anew(tmp_path, first, text):
    file = tmp_path / "ports.json"
    file.write_text(text)
    (port,) = given(StablePorts(file, first, 50), "uksouth")
    assert json.loads(file.read_text()) == {"uksouth": port}


def test_no_port_left_says_which_were_tried(tmp_path):
    with closing(bind(0)) as taken:
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(SinbinError) as refused:
            StablePorts(tmp_path / "ports.json", port, 1).listen("uksouth")
    assert str(refused.value) == (
        f"uksouth: no port of 127.0.0.1 from {port} to {port} is free; end what uses them, or choose another "
        "first port"
    )
