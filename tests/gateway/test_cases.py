"""The behaviour of the gateway as policy tests: one YAML file per subject, one test per case."""

from pathlib import Path

import pytest

from sinbin.gateway.testing.report import as_text
from sinbin.gateway.testing.run import run_suite
from sinbin.gateway.testing.suite import Suite, load_suite

FILES = sorted(Path(__file__).with_name("cases").glob("*.yaml"))
SUITES = [load_suite(file) for file in FILES]
CASES = [(suite, case) for suite in SUITES for case in suite.cases]


@pytest.mark.parametrize(
    ("suite", "case"), CASES, ids=[f"{Path(suite.path).stem}: {case.name}" for suite, case in CASES]
)
def test_case(suite, case):
    alone = Suite(suite.path, suite.folder, suite.model.model_copy(update={"cases": (case,)}))
    [result] = run_suite(alone)
    assert result.passed, as_text([result])
