"""What a new user meets on a machine where something is missing: exit 2 and one message."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.local_stack import known_stacks

ROOT = Path(__file__).parents[2]
ADVICE = 'which is not installed; install it with: pip install "sinbin[deploy]"'


def sinbin(*words, without=None, **variables):
    """Run the command line in a process of its own, as if the package `without` were not installed."""
    block = f"import sys; sys.modules[{without!r}] = None; " if without else "import sys; "
    program = f"{block}sys.argv = {['sinbin', *words]!r}; from sinbin.cli import main; main()"
    ran = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return ran.returncode, ran.stderr


@pytest.mark.parametrize(
    ("without", "named"), [("pulumi", "pulumi.runtime"), ("pulumi_azure_native", "pulumi_azure_native")]
)
def test_a_plan_without_the_extra_says_which_one(without, named):
    assert sinbin("plan", "-s", "local", without=without) == (
        2,
        f"error: `sinbin plan` needs the package that holds `{named}`, {ADVICE}\n",
    )


def test_render_needs_no_pulumi(tmp_path):
    assert sinbin("render", "-s", "local", "--out", str(tmp_path / "out"), without="pulumi") == (0, "")


def test_a_folder_that_cannot_be_written_is_named():
    assert sinbin("render", "-s", "local", "--out", "/proc/policies") == (
        2,
        "error: /proc/policies: cannot be written: No such file or directory; choose another --out\n",
    )


def test_an_unknown_stack_is_named_with_those_that_there_are():
    known = f"(there is: {known_stacks()}); name one of them, or write Pulumi.nope.yaml"
    assert sinbin("plan", "-s", "nope") == (2, f'error: {ROOT}/stacks: there is no stack "nope" {known}\n')
