"""A project of its own for every test."""

import pytest

from tests.engine.local_stack import copy_project, replace_once


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
