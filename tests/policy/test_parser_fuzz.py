"""Whatever the bytes are, parsing ends, nothing is lost, and every node lies inside its parent."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sinbin.policy.nodes import Element
from sinbin.policy.parser import parse_bytes, parse_text
from sinbin.policy.placement import place
from sinbin.policy.write import write

POLICY = '''\ufeff<policies xmlns:a="b"><!-- c -->
  <inbound><base /><set-variable name="x" value="@(a["b"] < 1 && $"{c}" == @"d""")" /></inbound>
  <backend><retry condition='@(x &amp;&amp; y)' count="2"><forward-request timeout="{{t}}" /></retry></backend>
  <outbound><set-body template="liquid">{% if a < b %}{{ c }}{% endif %}</set-body><![CDATA[@{ return 1; }]]></outbound>
  <on-error><value>@{ /* } */ return '}'; // )
  }</value></on-error>
</policies>
'''
TOKENS = [
    "<", ">", "</", "/>", "<!--", "-->", "<![CDATA[", "]]>", "<?", "?>", "<!DOCTYPE", "@(", "@{", ")", "}", "(", "{", '"',
    "'", "&quot;", "&#39;", "&amp;", '$"', '@"', '$@"', "//", "/*", "*/", "\n", "\r", " ", "=", "{{", "}}", "{%", "%}", "${",
    "<policies>", "</policies>", "<inbound>", "</inbound>", "<base/>", "<choose>", "</when>", 'a="', "\\", "\x00", "\ud800",
    "<<<<<<< a\n", "=======\n", ">>>>>>> b\n",
]  # fmt: skip


def check(document):
    assert write(document) == document.source.text
    for element in document.walk():
        assert element.start < element.open_end <= element.end
        at = element.start
        for attribute in element.attributes:
            assert at <= attribute.start <= attribute.value_start <= attribute.value_end <= attribute.end
            assert attribute.end <= element.open_end
            at = attribute.end
        at = element.open_end
        for child in element.children:
            assert child.parent is element
            assert at <= child.start < child.end <= element.end
            at = child.end
        for valued in element.valued():
            for expression in valued.expressions:
                assert valued.value_start <= expression.start < expression.end <= valued.value_end
                assert expression.offset(0) == expression.start + 2
                assert expression.offset(len(expression.code)) == expression.end - 1
        assert isinstance(element.path, str)
    for problem in document.problems:
        assert 0 <= problem.start <= problem.end <= len(document.source.text)
        assert problem.message
        assert problem.help
        assert document.position(problem.start).line >= 1
    for placed in place(document).all:
        assert isinstance(placed.element, Element)


@pytest.mark.parametrize(
    "text",
    [
        "<é",  # a letter, but none that starts a name
        POLICY[:85],  # an expression cut inside a value, without its quote
        '<a b="@(',
        "<\ninbound></inbound>",
        "<a><b></c></a></b>",
        "@(@(@(<policies/>",
    ],
)
def test_what_fuzzing_found_before(text):
    check(parse_text(text))


@pytest.mark.parametrize(
    ("piece", "kinds"),
    [
        ("<!--\n", {"unclosed-comment", "too-many", "unclosed-element"}),
        ("</a>", {"unopened-element", "too-many", "wrong-end-tag"}),
        ('<v a="@(x" b="1"/>', {"unclosed-expression", "too-many"}),
        (" @(", {"unclosed-element"}),
        ("<<<<<<< a\n", {"merge-marker", "too-many"}),
    ],
    ids=["comments", "end tags", "expressions", "brackets in text", "conflicts"],
)
def test_a_hundred_thousand_characters_of_one_fault_end_soon_and_in_a_bounded_list(piece, kinds):
    document = parse_text("<policies>\nx" + piece * (100_000 // len(piece)))
    assert {problem.kind for problem in document.problems} <= kinds
    assert 0 < len(document.problems) <= 502


def test_ten_thousand_attributes_are_read():
    [element] = parse_text("<a " + " ".join(f'x{i}="1"' for i in range(10_000)) + "/>").elements
    assert len(element.attributes) == 10_000


@given(st.binary(max_size=300))
def test_random_bytes(data):
    document = parse_bytes(data)
    check(document)
    assert document.source.to_bytes(write(document)) == data


@settings(max_examples=300)
@given(st.lists(st.one_of(st.sampled_from(TOKENS), st.text(max_size=3)), max_size=40).map("".join))
def test_random_tokens(text):
    check(parse_text(text))


@settings(max_examples=300)
@given(st.integers(0, len(POLICY)), st.integers(0, len(POLICY)), st.sampled_from(["", *TOKENS]))
def test_a_policy_with_a_piece_replaced(start, end, token):
    start, end = min(start, end), min(max(start, end), min(start, end) + 12)
    check(parse_text(POLICY[:start] + token + POLICY[end:]))


@given(st.integers(0, len(POLICY)))
def test_a_cut_policy(size):
    check(parse_text(POLICY[:size]))
