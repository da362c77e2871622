"""A project of its own for every test: the repository's stack files, to change at will."""

import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def project_folder(tmp_path, monkeypatch):
    """Return a copy of the project that the test stands in."""
    folder = tmp_path / "project"
    folder.mkdir()
    shutil.copy(ROOT / "Pulumi.yaml", folder)
    shutil.copytree(ROOT / "stacks", folder / "stacks", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def edit(project_folder):
    """Replace a text that occurs once in the file of a stack."""

    def replace(stack, old, new):
        path = project_folder / "stacks" / f"Pulumi.{stack}.yaml"
        text = path.read_text("utf-8")
        assert text.count(old) == 1
        path.write_text(text.replace(old, new), "utf-8")

    return replace
