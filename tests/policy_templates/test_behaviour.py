"""The policies of the stack `local` behave as `policy_tests.yaml` tells."""

import shutil
from pathlib import Path

from click.testing import CliRunner

from sinbin.cli import render
from sinbin.cli import test as policy_test

TESTS = Path(__file__).parents[2] / "policy_templates" / "policy_tests.yaml"


def test_every_case_of_the_policy_tests_holds(tmp_path):
    shutil.copy(TESTS, tmp_path)
    rendered = CliRunner().invoke(render.command, ["-s", "local", "--out", str(tmp_path / "rendered")])
    assert rendered.exit_code == 0, rendered.output
    result = CliRunner().invoke(policy_test.command, [str(tmp_path / TESTS.name)])
    assert result.output.splitlines()[-1] == "15 cases, 0 failed"
    assert result.exit_code == 0
