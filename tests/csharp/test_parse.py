"""The source of an expression becomes a tree with true positions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sinbin.csharp.parse import MAX_DEPTH, SyntaxProblem, parse_expression
from sinbin.csharp.syntax import Node


def shape(node: Node) -> str:
    """The tree with a bracket around every operation, so that grouping shows."""
    if node.kind == "binding_receiver":
        return "_"
    if not node.children:
        return node.text
    if node.kind == "conditional_access_expression":
        return f"[{shape(node.get('condition'))}?{shape(node.get('body'))}]"
    inner = "".join(shape(child) for child in node.children)
    return (
        f"({inner})" if node.kind in {"binary_expression", "prefix_unary_expression", "cast_expression"} else inner
    )


@pytest.mark.parametrize(
    ("source", "grouped"),
    [
        ("a == b?.c", "(a==[b?_.c])"),
        ("a?.b == 1 && d?.e != 2 || f", "((([a?_.b]==1)&&([d?_.e]!=2))||f)"),
        ("!a?.b", "(![a?_.b])"),
        ("(int)a?.b", "((int)[a?_.b])"),
        ("x ?? y?.z[1]", "(x??[y?_.z[1]])"),
        ("a ?? b ?? c", "(a??(b??c))"),
        ("a - b?.c - d", "((a-[b?_.c])-d)"),
        ("a?.b.c?.d(1)", "[[a?_.b.c]?_.d(1)]"),
        ("a == b?.c.d(1)[2] && e", "((a==[b?_.c.d(1)[2]])&&e)"),
        ("a[0]?[1]", "[a[0]?_[1]]"),
        ("-a?.b * !c?.d()", "((-[a?_.b])*(![c?_.d()]))"),
        ("(a ?? b)?.c", "[((a??b))?_.c]"),
        ("a == b?.c as string", "(a==[b?_.c]asstring)"),
        ("1 + 2 * 3 - 4", "((1+(2*3))-4)"),
        ("(string)a.F<B>(true)[0]", "((string)a.F<B>(true)[0])"),
        ("(string)a.F<B>(true)[0].c + 1 == d", "((((string)a.F<B>(true)[0].c)+1)==d)"),
        ("x + (int)a.F<int>(b) * 2 > 3 && c", "(((x+(((int)a.F<int>(b))*2))>3)&&c)"),
        ("(string)a.F<B>(c)?[0] ?? d", "(((string)[a.F<B>(c)?_[0]])??d)"),
        ("(bool)F<B>(a) == (bool)G<B>(c)", "(((bool)F<B>(a))==((bool)G<B>(c)))"),
        ("(int)a < 2 == 3 > (1)", "((((int)a)<2)==(3>(1)))"),
    ],
)
def test_operators_group_as_the_language_says(source, grouped):
    assert shape(parse_expression(source, "expression").root).replace("((a??b))", "(a??b)") == grouped.replace(
        "((a??b))", "(a??b)"
    )


def test_offsets_count_characters_from_the_first_one():
    parsed = parse_expression('"é€😀" + name', "expression")
    left, right = parsed.root.get("left"), parsed.root.get("right")
    assert (left.start, left.end, left.text) == (0, 5, '"é€😀"')
    assert (right.start, right.end, right.text) == (8, 12, "name")
    assert parse_expression("\n  return 1;\n", "block").root.parts[0].start == 3


def test_line_and_column_of_an_offset_count_from_one():
    parsed = parse_expression("var a = 1;\n  return b;", "block")
    assert parsed.position(0) == (1, 1)
    assert parsed.position(parsed.source.index("b;")) == (2, 10)


def test_single_quoted_texts_are_read_as_strings_and_named():
    parsed = parse_expression("""h.Get('Retry-After', 'say "x"', 'c', "it's")""", "expression")
    assert parsed.errors == ()
    assert [parsed.source[span.start : span.end] for span in parsed.loose_texts] == [
        "'Retry-After'",
        """'say "x"'""",
    ]
    kinds = [argument.parts[0].kind for argument in parsed.root.get("arguments").parts]
    assert kinds == ["string_literal", "string_literal", "character_literal", "string_literal"]


@pytest.mark.parametrize(
    ("source", "kind", "problems"),
    [
        ("", "expression", [SyntaxProblem(0, 0, "the expression is empty")]),
        ("  ", "expression", [SyntaxProblem(0, 2, "the expression is empty")]),
        ("a; b", "expression", [SyntaxProblem(3, 4, "`b` is not C# here")]),
        (
            "a; return b",
            "expression",
            [SyntaxProblem(0, 11, "`@(…)` holds one expression; write `@{…}` around statements")],
        ),
        ("a == ", "expression", [SyntaxProblem(4, 4, "a value or a name is missing")]),
        ("a(", "expression", [SyntaxProblem(2, 2, "`)` is missing")]),
        ("return 1", "block", [SyntaxProblem(8, 8, "`;` is missing")]),
        ("return 1; } class X {", "block", [SyntaxProblem(0, 21, "the braces of the statements do not match")]),
    ],
)
def test_what_is_no_csharp_is_named_with_its_place(source, kind, problems):
    parsed = parse_expression(source, kind)
    assert parsed.root is None
    assert list(parsed.errors) == problems


@pytest.mark.parametrize(
    "source", ["(" * 5000 + "1" + ")" * 5000, "1" + "+1" * 5000, "a" + ".b" * 5000, "!" * 5000 + "a"]
)
def test_deep_nesting_is_refused_not_crashed_on(source):
    [problem] = parse_expression(source, "expression").errors
    assert problem.message == f"nested deeper than {MAX_DEPTH} levels; put parts of it into variables"


PIECES = [
    "a",
    "1",
    '"s"',
    "'xy'",
    "?.b",
    "?[0]",
    "==",
    "&&",
    "??",
    "(",
    ")",
    "{",
    "}",
    "!",
    "(int)",
    ".c",
    "()",
    " ",
    ";",
    "é",
    "\n",
    "return",
    "is",
    "as",
    "=>",
    '$"{',
    "//",
    "/*",
    "@",
]


@given(
    st.lists(st.sampled_from(PIECES), max_size=25).map("".join) | st.text(),
    st.sampled_from(["expression", "block"]),
)
def test_any_text_gives_a_tree_or_problems_with_places_inside_it(source, kind):
    parsed = parse_expression(source, kind)
    assert (parsed.root is None) == bool(parsed.errors)
    for problem in parsed.errors:
        assert 0 <= problem.start <= problem.end <= len(source)
    if parsed.root is not None:
        for node in parsed.root.walk():
            assert 0 <= node.start <= node.end <= len(source)
