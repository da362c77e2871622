"""Every rule against its cases: `cases/SBnnn.yaml`, compared as whole findings."""

from pathlib import Path

import pytest
import yaml

from sinbin.lint.context import Facts
from sinbin.lint.engine import load_rules
from sinbin.lint.fix import apply_edits
from sinbin.lint.rule import ToolRule
from sinbin.lint.run import lint
from sinbin.lint.sources import read_text

CASES = Path(__file__).parent / "cases"
RULES = {rule.id: rule for rule in load_rules()}
FIELDS = ("line", "column", "end_line", "end_column", "message", "help")


def load(path: Path) -> list[dict]:
    return yaml.load(path.read_text("utf-8"), Loader=yaml.CSafeLoader)


ALL = [(path.stem, case) for path in sorted(CASES.glob("SB*.yaml")) for case in load(path)]


def judge(rule: str, case: dict, text: str):
    facts = Facts(given=case.get("context", {}))
    chosen = [r for r in RULES.values() if r.id == rule or isinstance(r, ToolRule)]
    return lint(read_text(case["file"], text, facts), chosen)


@pytest.mark.parametrize(("rule", "case"), ALL, ids=[f"{rule}: {case['name']}" for rule, case in ALL])
def test_finds_exactly_this(rule, case):
    report = judge(rule, case, case["text"])
    assert [{"rule": f.rule, **{field: getattr(f, field) for field in FIELDS}} for f in report.findings] == [
        {"rule": rule, **expected} for expected in case["expect"]
    ]
    edits = [finding.edits for finding in report.findings if finding.edits]
    assert bool(edits) == ("fixed" in case)
    if edits:
        fixed, made = apply_edits(case["text"], edits)
        assert (fixed, made) == (case["fixed"], len(edits))
        assert [f for f in judge(rule, case, fixed).findings if f.edits] == []


@pytest.mark.parametrize("rule", [rule.id for rule in RULES.values() if not isinstance(rule, ToolRule)])
def test_every_rule_has_a_case_that_fails_and_one_that_passes(rule):
    assert {bool(case["expect"]) for stem, case in ALL if stem == rule} == {True, False}


def test_every_case_file_belongs_to_a_rule():
    assert {path.stem for path in CASES.glob("*.yaml")} <= RULES.keys()
