"""A project of its own for every test, and the real Pulumi CLI."""

import sys

import pytest

from sinbin.engine.cli import get_cli
from tests.engine.local_stack import ROOT, copy_project, replace_once


@pytest.fixture
def project_folder(tmp_path, monkeypatch):
    """Return a copy of the project that the test stands in."""
    folder = copy_project(tmp_path / "project")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def edit(project_folder):
    """Replace a text that occurs once in the file of a stack."""
    return lambda stack, old, new: replace_once(project_folder / "stacks" / f"Pulumi.{stack}.yaml", old, new)


@pytest.fixture(scope="session")
def cli():
    """The Pulumi CLI; built on the first run of a machine that has none."""
    return get_cli(ROOT / "tools" / "pulumi", lambda line: print(line, file=sys.stderr))
