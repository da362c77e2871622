"""Which browser the tests of the local page open, and what is said where there is none."""

import pytest

from scripts.find_browser import main


@pytest.fixture
def path(tmp_path, monkeypatch):
    """Put programs on an otherwise empty PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))

    def put(*names):
        for name in names:
            (tmp_path / name).write_text("#!/bin/sh\n")
            (tmp_path / name).chmod(0o755)
        return tmp_path

    return put


def test_browser_and_driver_are_named(path, capsys):
    folder = path("google-chrome", "chromium", "chromedriver")
    assert main() == 0
    assert capsys.readouterr().out == f"{folder}/chromium {folder}/chromedriver\n"


@pytest.mark.parametrize(
    ("there", "missing"), [(["chromium"], "`chromedriver`"), (["chromedriver"], "Chromium"), ([], "Chromium")]
)
def test_what_is_missing_is_said_with_how_to_have_it(path, capsys, there, missing):
    path(*there)
    assert main() == 2
    assert capsys.readouterr().err == (
        f"error: there is no {missing} on the PATH; on Debian: apt-get install chromium chromium-driver\n"
    )
