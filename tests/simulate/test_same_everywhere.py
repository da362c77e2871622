"""Equal seeds give equal results: in every process, on every machine, with every Python."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.other_pythons import environments

SCRIPT = Path(__file__).with_name("digests.py")
EXPECTED = json.loads((Path(__file__).parents[1] / "data" / "simulated.json").read_text("utf-8"))


def digests_of(python):
    outcome = subprocess.run(
        [python, str(SCRIPT)],
        env={**os.environ, "PYTHONHASHSEED": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(outcome.stdout)


# Meant to change? python tests/simulate/digests.py --write
# The environments of other Pythons are made by scripts/check.sh; a machine without another one has none.
@pytest.mark.parametrize(
    "python",
    [
        pytest.param(Path(sys.executable), id="own"),
        *(
            pytest.param(path, id=version, marks=pytest.mark.pythons)
            for version, path in sorted(environments().items())
        ),
    ],
)
def test_every_event_and_figure_is_the_same_in_another_process(python):
    assert digests_of(python) == EXPECTED


def test_a_compiled_policy_gives_the_figures_of_the_quick_program():
    both = [
        (EXPECTED[name], EXPECTED[f"{name}, compiled"]) for name in EXPECTED if f"{name}, compiled" in EXPECTED
    ]
    assert both
    assert [quick for quick, _ in both] == [compiled for _, compiled in both]
