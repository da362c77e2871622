"""Faults that people reported, as files: each is found for its own reason, its corrected twin is clean.

`tests/data/cases/INDEX.json` holds what a check must know besides the file.
"""

import html
import re
from pathlib import Path

import pytest

from sinbin.lint.context import read_context_file
from sinbin.lint.engine import load_rules
from sinbin.lint.finding import Severity
from sinbin.lint.run import lint
from sinbin.lint.sources import read_paths, read_text

CASES = Path(__file__).parents[1] / "data" / "cases"
RULES = load_rules()
FACTS = read_context_file(CASES / "INDEX.json")

EXPECTED = {
    "F01.xml": [("SB101", 3, 152)],
    "F02.xml": [("SB102", 3, 12)],
    "F03.xml": [("SB103", 3, 58)],
    "F04.xml": [("SB208", 3, 114)],
    "F05.xml": [("SB209", 3, 115)],
    "F06.json": [("SB333", 5, 15)],
    "F07.json": [("SB310", 26, 9)],
    "F08.json": [("SB313", 16, 33)],
    "F09.json": [("SB314", 23, 27)],
    "F10.json": [("SB315", 15, 25), ("SB315", 23, 27)],
    "F11.json": [("SB302", 21, 5), ("SB302", 22, 5)],
    "F12.json": [("SB301", 8, 19)],
    "F13.json": [("SB303", 26, 19)],
    "F14.json": [("SB323", 9, 14)],
    "F15.xml": [("SB501", 2, 53)],
    "F19.xml": [("SB126", 2, 64)],
    "F20.xml": [("SB106", 2, 20)],
    "F22.xml": [("SB110", 2, 12)],
    "F23.xml": [("SB111", 2, 20)],
    "F24.xml": [("SB142", 3, 12)],
    "F25.xml": [("SB144", 2, 20)],
    "F27.json": [("SB450", 34, 21)],
    "F28.json": [("SB451", 18, 17)],
    "F29.json": [("SB452", 10, 14)],
    "F34.json": [("SB325", 3, 17)],
    "F35.json": [("SB557", 7, 29)],
}


def judged(documents, least=Severity.WARNING):
    return [finding for finding in lint(documents, RULES).findings if finding.severity >= least]


def test_every_case_of_the_index_is_here():
    failing = {path.name for path in CASES.iterdir() if ".ok." not in path.name and path.name != "INDEX.json"}
    assert failing == EXPECTED.keys()


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_the_fault_is_found_for_its_own_reason_and_nothing_else(name):
    found = judged(read_paths([CASES / name], FACTS))
    assert [(finding.rule, finding.line, finding.column) for finding in found] == EXPECTED[name]


@pytest.mark.parametrize("path", sorted(CASES.glob("*.ok.*")), ids=lambda path: path.name)
def test_the_corrected_twin_is_clean(path):
    assert judged(read_paths([path], FACTS)) == []


@pytest.mark.parametrize("name", sorted(name for name in EXPECTED if name.endswith(".xml")))
def test_the_raw_spelling_gives_the_same_findings(name):
    text = (CASES / name).read_text("utf-8")
    raw = html.unescape(text)
    escaped, unescaped = (judged(read_text(name, spelling, FACTS), Severity.NOTE) for spelling in (text, raw))
    assert [(f.rule, f.line, f.message) for f in escaped] == [(f.rule, f.line, f.message) for f in unescaped]
    for one, other in zip(escaped, unescaped, strict=True):
        shown = [
            re.sub(r"\s", "", html.unescape(spelling.splitlines()[f.line - 1][f.column - 1 : f.end_column - 1]))
            for f, spelling in ((one, text), (other, raw))
        ]
        assert shown[0] == shown[1]
