"""What tests of several areas need."""

import sys
from pathlib import Path

import pytest

from sinbin.engine.cli import get_cli


@pytest.fixture(scope="session")
def cli():
    """The Pulumi CLI; built on the first run of a machine that has none."""
    return get_cli(Path(__file__).parents[1] / "tools" / "pulumi", lambda line: print(line, file=sys.stderr))
