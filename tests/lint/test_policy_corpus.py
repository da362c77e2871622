"""Whole policies: correct ones stay clean, faults of the field are found, however expressions are spelt."""

import html
from pathlib import Path

import pytest

from sinbin.lint.context import Facts, read_context_file
from sinbin.lint.engine import load_rules
from sinbin.lint.finding import Severity
from sinbin.lint.run import lint
from sinbin.lint.sources import read_text
from sinbin.policy.parser import parse_bytes

DATA = Path(__file__).parent.parent / "data" / "policies"
CLEAN = sorted((DATA / "clean").rglob("*.xml"))
RULES = load_rules()
FIELD = {
    "F01": ("SB101", "error", 3),
    "F02": ("SB102", "error", 3),
    "F03": ("SB103", "error", 3),
    "F04": ("SB208", "error", 3),
    "F05": ("SB209", "warning", 3),
    "F15": ("SB501", "error", 2),
    "F19": ("SB126", "error", 2),
    "F20": ("SB106", "error", 2),
    "F22": ("SB110", "error", 2),
    "F23": ("SB111", "error", 2),
    "F24": ("SB142", "error", 3),
    "F25": ("SB144", "error", 2),
}


def text_of(path: Path) -> str:
    return parse_bytes(path.read_bytes()).source.text


def findings(path: Path, text: str, facts: Facts):
    return lint(read_text(path.relative_to(DATA).as_posix(), text, facts), RULES).findings


def escaped(text: str) -> str:
    """Return `text` with every expression in the spelling of well-formed XML; CDATA holds it as it is."""
    pieces, at = [], 0
    for element in parse_bytes(text.encode()).walk():
        for valued in element.valued():
            for expression in valued.expressions if valued.escaped else ():
                pieces += [text[at : expression.start + 2], html.escape(expression.code)]
                at = expression.end - 1
    return "".join([*pieces, text[at:]])


def places(found):
    return [(finding.rule, finding.element) for finding in found]


def test_the_corpus_is_large_enough_to_mean_something():
    assert len(CLEAN) >= 50


@pytest.mark.parametrize("path", CLEAN, ids=lambda path: path.stem)
def test_a_correct_policy_has_no_error_and_no_warning(path):
    found = findings(path, text_of(path), Facts())
    assert [(f.line, f.rule, f.message) for f in found if f.severity >= Severity.WARNING] == []


@pytest.mark.parametrize("path", CLEAN, ids=lambda path: path.stem)
def test_the_escaped_spelling_of_a_policy_is_judged_alike(path):
    text = text_of(path)
    if "{%" not in text:  # in a template, braces and quotes belong to another language
        assert places(findings(path, escaped(text), Facts())) == places(findings(path, text, Facts()))


@pytest.mark.parametrize("spelling", [str, html.unescape], ids=["escaped", "raw"])
@pytest.mark.parametrize("name", FIELD)
def test_a_fault_of_the_field_is_found_where_it_is_and_its_repair_is_clean(name, spelling):
    facts = read_context_file(DATA / "field" / "context.json")
    for suffix, expected in ((".xml", [FIELD[name]]), (".ok.xml", [])):
        path = DATA / "field" / f"{name}{suffix}"
        found = findings(path, spelling(text_of(path)), facts)
        assert [(f.rule, f.severity.label, f.line) for f in found if f.severity >= Severity.WARNING] == expected
