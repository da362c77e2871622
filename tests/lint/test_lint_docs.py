import re
from pathlib import Path

import pytest

from sinbin.lint.context import Facts
from sinbin.lint.engine import load_rules
from sinbin.lint.run import lint
from sinbin.lint.sources import read_text

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("page", ["lint.md", "twelve-mistakes.md"])
def test_every_link_leads_to_a_page_of_a_rule(page):
    links = re.findall(r"\]\((rules/[^)]+)\)", (DOCS / page).read_text("utf-8"))
    assert [link for link in links if not (DOCS / link).is_file()] == []
    assert page == "lint.md" or len(set(links)) >= 24


def test_there_are_twelve_mistakes_each_with_a_rule():
    text = (DOCS / "twelve-mistakes.md").read_text("utf-8")
    sections = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    assert [section.partition(".")[0] for section in sections] == [str(number) for number in range(1, 13)]
    assert [section for section in sections if "rules/SB" not in section] == []


def test_the_rule_of_the_guide_works(tmp_path):
    text = (DOCS / "lint.md").read_text("utf-8")
    code = re.search(r"```python\n(.*?)```", text, re.DOTALL)[1]
    (tmp_path / "sb901_correlation_header.py").write_text(code)
    report = lint(
        read_text("api.xml", "<policies><inbound><base /></inbound></policies>", Facts()), load_rules(tmp_path)
    )
    assert [(f.message, f.line) for f in report.findings if f.rule == "SB901"] == [("no correlation header", 1)]


def test_the_suppression_of_the_guide_works():
    text = (DOCS / "lint.md").read_text("utf-8")
    example = re.search(r"```xml\n(.*?)```", text, re.DOTALL)[1]
    policy = f"<policies><inbound><base /></inbound><backend>{example}</backend></policies>"
    found = {f.rule for f in lint(read_text("api.xml", policy, Facts()), load_rules()).findings}
    assert not {"SB101", "SB002", "SB003"} & found
