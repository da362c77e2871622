"""No text, however damaged, makes a rule fail, and a finding always points into the file."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sinbin.lint.context import Facts
from sinbin.lint.engine import load_rules
from sinbin.lint.run import lint
from sinbin.lint.sources import read_text
from sinbin.policy import catalogue
from sinbin.policy.parser import parse_bytes

DATA = Path(__file__).parent.parent / "data" / "policies"
RULES = load_rules()
TEXTS = [parse_bytes(path.read_bytes()).source.text for path in sorted(DATA.rglob("*.xml"))]
PIECES = [
    "<", ">", "/>", "</", "<!--", "-->", "@(", "@{", ")", "}", '"', "'", "&quot;", "=", "{{", "}}", "{%", "\n", "\x00",
    "<policies>", "</policies>", "<fragment>", "<inbound>", "</inbound>", "<base />", "<backend>", "<choose>", "<when ",
    "<retry ", "<forward-request />", 'count="3"', 'condition="@(', "</choose>", "<set-body template='liquid'>", "<value>",
    "<<<<<<< a\n", "=======\n", ">>>>>>> b\n", *(f"<{name} />" for name in sorted(catalogue.names())),
]  # fmt: skip
FACTS = [
    Facts(),
    Facts(given={"scope": "global", "tier": "Consumption", "streams": True}),
    Facts(
        given={"scope": "fragment", "tier": "PremiumV2", "backends": ["a"], "fragments": {}, "named_values": []}
    ),
    Facts(given={"scope": "operation", "parents": {"global": TEXTS[0], "api": "<policies><inbound><base>"}}),
]


def check(text, facts):
    report = lint(read_text("api.xml", text, facts), RULES)
    lines = text.count("\n") + text.count("\r") + 1
    for finding in report.findings:
        assert finding.rule != "SB001", finding.message
        assert 1 <= finding.line <= finding.end_line <= lines
        assert finding.column >= 1
        assert "\n" not in finding.message


@st.composite
def damaged(draw):
    text = draw(st.sampled_from(TEXTS))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.sampled_from([0, 0, 1, 5, 40, 400])))
        text = text[:start] + draw(st.sampled_from(["", *PIECES])) + text[end:]
    return text


@settings(max_examples=120, deadline=None)
@given(damaged(), st.sampled_from(FACTS))
def test_damaged_policies(text, facts):
    check(text, facts)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=2)), max_size=25).map("".join),
    st.sampled_from(FACTS),
)
def test_random_pieces(text, facts):
    check("<" + text, facts)


@pytest.mark.parametrize(
    "text",
    ["<policies>" + "<choose>" * 5000, "<policies><inbound>" + "<a b='" * 3000, "@(" * 5000 + "<policies/>"],
)
def test_texts_without_end(text):
    check(text, FACTS[0])
