"""The parser reads both spellings of the dialect, keeps every position, and says each damage once."""

import html

import pytest

from sinbin.policy.document import DocumentKind
from sinbin.policy.nodes import Element, Text
from sinbin.policy.parser import parse_bytes, parse_text


def problems(text: str) -> list[tuple[str, int, int, str]]:
    document = parse_text(text)
    return [(p.kind, *document.position(p.start), p.message) for p in document.problems]


def paths(text: str) -> list[str]:
    return [element.path for element in parse_text(text).walk()]


def expressions(text: str) -> list[tuple[str, int, int]]:
    return [
        (expression.code, *expression.position())
        for element in parse_text(text).walk()
        for valued in element.valued()
        for expression in valued.expressions
    ]


def test_positions_of_elements_attributes_and_values_are_those_of_the_source():
    document = parse_text(
        "<policies>\r\n  <inbound>\r\n    <set-variable name=\"x\"\r\n      value='1' />\r\n  </inbound>\r\n</policies>"
    )
    [variable] = document.named("set-variable")
    assert document.problems == []
    assert variable.position == (3, 5)
    assert [(a.name, a.position, document.position(a.value_start), a.value) for a in variable.attributes] == [
        ("name", (3, 19), (3, 25), "x"),
        ("value", (4, 7), (4, 14), "1"),
    ]


def test_a_byte_order_mark_is_no_column():
    document = parse_bytes(b"\xef\xbb\xbf<policies><inbound/></policies>")
    assert [(e.name, e.position) for e in document.walk()] == [("policies", (1, 1)), ("inbound", (1, 11))]
    assert document.source.to_bytes() == b"\xef\xbb\xbf<policies><inbound/></policies>"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_with_a_mark_is_read(encoding):
    data = ("\ufeff<policies><!-- é --></policies>").encode(encoding)
    document = parse_bytes(data)
    assert [comment.text for comment in document.comments] == [" é "]
    assert document.source.to_bytes() == data


RAW = (
    '<policies><inbound><set-variable name="a" value="@(context.Request.Headers.GetValueOrDefault("x","a<b>)") == "y"'
    ' && 1 < 2 ? $"{d["k"]:0.0}{{)" : @"c:\\""}")" /></inbound></policies>'
)


def test_raw_and_escaped_spelling_give_the_same_tree():
    start = RAW.index("@(") + 2
    end = RAW.index('" /></inbound>')
    escaped = RAW[:start] + html.escape(RAW[start:end]) + RAW[end:]
    assert problems(RAW) == problems(escaped) == []
    assert (
        [code for code, *_ in expressions(RAW)]
        == [code for code, *_ in expressions(escaped)]
        == [RAW[start : end - 1]]
    )


def test_raw_and_escaped_operators_may_stand_in_one_expression():
    text = '<when condition="@(a &lt; b && c &amp;&amp; d.As<string>() == &quot;x)&quot;)" other="1" />'
    [element] = parse_text(text).walk()
    assert [a.name for a in element.attributes] == ["condition", "other"]
    assert element.attributes[0].expression.code == 'a < b && c && d.As<string>() == "x)"'


def test_an_expression_maps_decoded_places_to_the_source():
    text = '<policies>\n<when condition="@(a &lt; b &amp;&amp; c\n  == &quot;x&quot;)"/></policies>'
    [element] = parse_text(text).named("when")
    expression = element.attributes[0].expression
    assert expression.code == 'a < b && c\n  == "x"'
    for part, position in (
        ("a", (2, 20)),
        ("<", (2, 22)),
        ("b", (2, 27)),
        ("&&", (2, 29)),
        ("c", (2, 40)),
        ("==", (3, 3)),
        ('"x"', (3, 6)),
    ):
        assert expression.position(expression.code.index(part)) == position, part
    assert expression.position(len(expression.code)) == (3, 19)


@pytest.mark.parametrize(
    "code",
    [
        "x == ')'",
        "x == '\\''",
        'x == "\\")"',
        'x == @"\\" + ")"',
        "/* ) */ x // )\n",
        '$"{(a ? "}" : $"{b}")}"',
        '$@"{a}""}}{{" + ")"',
        '@$"{a}"',
        "'Retry-After (s)'",
        'x["{"] + x["("]',
        "a / b /c",
        'new Dictionary<string, List<int>> { { "a", new List<int>() } }.Count < 3',
    ],
)
def test_brackets_in_literals_and_comments_do_not_count(code):
    text = f'<a b="@({code})" c="1"><d>@{{ return {code}; }}</d></a>'
    assert problems(text) == []
    assert [found for found, *_ in expressions(text)] == [code, f" return {code}; "]


def test_text_expressions_hold_raw_markup_characters():
    text = '<set-body>\n  @{ var j = context.Request.Body.As<JObject>(preserveContent: true); return j["<a>"] < 1; }\n</set-body>'
    [body] = parse_text(text).walk()
    [content] = body.children
    assert isinstance(content, Text)
    assert content.expression.block
    assert content.expression.code.startswith(" var j")
    assert content.position == (2, 3)


def test_cdata_is_text_without_entities():
    text = '<set-body><![CDATA[@{ return a < b ? "&amp;" : "]"; }]]></set-body>'
    [body] = parse_text(text).walk()
    assert body.texts[0].cdata
    assert body.texts[0].expression.code == ' return a < b ? "&amp;" : "]"; '
    assert body.texts[0].expression.position() == (1, 22)


def test_named_values_are_found_in_literals_and_expressions():
    text = '<a b="{{one}}-{{ two.2 }}" c="@("{{three}}")">{{four}}</a>'
    [element] = parse_text(text).walk()
    assert [(n.name, text[n.start : n.end]) for v in element.valued() for n in v.named_values()] == [
        ("one", "{{one}}"),
        ("two.2", "{{ two.2 }}"),
        ("three", "{{three}}"),
        ("four", "{{four}}"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        '<policies><inbound><set-backend-service backend-id="{backend-id}" /></inbound></policies>',
        '<policies><inbound>{inbound_policies}<set-backend-service backend-id="${var.pool["x"]}" /></inbound></policies>',
        "<policies><inbound>{% if a < b %}<base />{% endif %}</inbound></policies>",
        '<a b="{{ x | default("y") }}" {% if c %}d="1"{% endif %} e="{% if f == "g" %}h{% endif %}" />',
        '<a b="me@{domain}" c="x@(y" />',
        '<set-body>{"mail": "a@(b", "x": 1 < 2}</set-body>',
        '<policies xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><inbound /></policies>',
        "<set-body>{% if a <b and c </d %}x{% endif %} {{ a <b }}</set-body>",
        "<set-body>a <é b < c <1</set-body>",
        '<?xml version="1.0"?>\n<policies />',
    ],
)
def test_placeholders_and_plain_text_are_no_damage(text):
    assert problems(text) == []


DAMAGE = {
    "an unclosed element": (
        '<policies><inbound><choose><when condition="@(a)"><trace/></choose><base/></inbound></policies>',
        [("unclosed-element", 1, 28, "`<when>` is not closed: `</when>` is missing")],
    ),
    "a misspelt end tag": (
        "<policies><inbound><retry></retri><base/></inbound></policies>",
        [("wrong-end-tag", 1, 27, "`</retri>` does not close `<retry>` of line 1")],
    ),
    "the end tag of another section": (
        "<policies><inbound></inbound>\n<outbound></inbound>\n<on-error><base/></on-error></policies>",
        [("wrong-end-tag", 2, 11, "`</inbound>` does not close `<outbound>` of line 2")],
    ),
    "an end tag too many": (
        "<policies><inbound></choose><base/></inbound></policies>",
        [("unopened-element", 1, 20, "`</choose>` closes nothing that is open")],
    ),
    "an unclosed section": (
        "<policies><inbound><base/><backend><base/></backend></policies>",
        [("unclosed-element", 1, 11, "`<inbound>` is not closed: `</inbound>` is missing")],
    ),
    "a cut file": (
        "<policies><inbound><choose>",
        [("unclosed-element", 1, 20, "the file ends inside <policies><inbound><choose>")],
    ),
    "an unclosed expression": (
        '<policies><inbound><set-variable name="a" value="@(f(x)"/><base/></inbound></policies>',
        [("unclosed-expression", 1, 50, "the expression is not closed: `)` is missing")],
    ),
    "an unclosed expression in text": (
        "<policies><inbound><set-body>@{ return x; </set-body><base/></inbound></policies>",
        [("unclosed-expression", 1, 30, "the expression is not closed: `}` is missing")],
    ),
    "a wrong bracket": (
        '<policies><inbound><set-variable name="a" value="@(f(x])"/><base/></inbound></policies>',
        [("unmatched-bracket", 1, 55, "`]` closes a bracket that was not opened as such")],
    ),
    "a string broken by a formatter": (
        '<policies><inbound><set-variable name="a" value="@(x == "some\n   text")"/><base/></inbound></policies>',
        [("string-over-lines", 1, 57, "a string in the expression runs over the end of its line")],
    ),
    "an unclosed attribute value": (
        '<policies><inbound><set-variable name="a value="1"/><base/></inbound></policies>',
        [("unclosed-value", 1, 34, 'the value of attribute `name` is not closed: `"` is missing')],
    ),
    "an unquoted attribute value": (
        '<policies><inbound><set-variable name=a value="1"/><base/></inbound></policies>',
        [("unquoted-value", 1, 34, "attribute `name` has a value without quotes")],
    ),
    "an attribute written twice": (
        '<policies><inbound><set-variable name="a" name="1"/><base/></inbound></policies>',
        [("duplicate-attribute", 1, 43, "attribute `name` is written twice in `set-variable`")],
    ),
    "an unclosed start tag": (
        '<policies><inbound><set-variable name="a"\n<base/></inbound></policies>',
        [
            ("unclosed-tag", 1, 20, "the start tag of `set-variable` is not closed: `>` is missing"),
        ],
    ),
    "a start tag that ends in a slash": (
        "<policies><inbound><jsonp /\n<base/></inbound></policies>",
        [("unclosed-tag", 1, 20, "the start tag of `jsonp` is not closed: `>` is missing")],
    ),
    "a second root": (
        "<policies><inbound><base/></inbound></policies>\n<policies/>",
        [("several-roots", 2, 1, "`policies` stands outside of `policies`")],
    ),
    "a document type": (
        '<!DOCTYPE x [<!ENTITY a "b">]><policies><inbound><base/></inbound></policies>',
        [("document-type", 1, 1, "a policy has no document type")],
    ),
    "a merge conflict": (
        "<policies><inbound>\n<<<<<<< HEAD\n<base/>\n=======\n<trace></inbound>\n>>>>>>> topic\n</inbound></policies>",
        [("merge-marker", 2, 1, "unresolved merge conflict: `<<<<<<< HEAD`")],
    ),
    "a control character": (
        "<policies><inbound>\x00<base/></inbound></policies>",
        [("not-text", 1, 20, "a byte or character that no XML text may hold ('\\x00')")],
    ),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_each_damage_is_one_problem(name):
    text, expected = DAMAGE[name]
    assert problems(text) == expected


@pytest.mark.parametrize("name", [name for name in DAMAGE if name not in {"a cut file", "an unclosed start tag"}])
def test_what_follows_a_damage_is_still_read_where_it_stands(name):
    assert [path for path in paths(DAMAGE[name][0]) if path.endswith("/base") and path.count("/") == 2]


def test_a_conflict_keeps_the_first_side_and_all_positions():
    document = parse_text(
        "<policies>\n<<<<<<< a\n<inbound/>\n=======\n<outbound/>\n>>>>>>> b\n<on-error/></policies>"
    )
    assert [(e.name, e.position) for e in document.walk()] == [
        ("policies", (1, 1)),
        ("inbound", (3, 1)),
        ("on-error", (7, 1)),
    ]


def test_nesting_without_end_is_one_problem():
    text = "<a>" * 10_000
    assert problems(text) == [
        ("too-deep", 1, 601, "elements are nested more than 200 deep; nothing from here on is judged")
    ]


def test_a_file_of_10_mb_is_one_problem():
    assert problems("<policies>" + " " * 10_000_000) == [
        ("too-large", 1, 1, "10,000,010 characters are too many to parse (at most 8,388,608)")
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("<policies/>", DocumentKind.POLICIES),
        ("<!-- x --><fragment><base/></fragment>", DocumentKind.FRAGMENT),
        ("<inbound/><backend/>", DocumentKind.SECTIONS),
        ("<set-header name='a'/><base/>", DocumentKind.STATEMENTS),
        ("<html><body/></html>", DocumentKind.OTHER),
        ("", DocumentKind.OTHER),
    ],
)
def test_the_kind_of_a_file_is_told_by_its_outermost_elements(text, kind):
    assert parse_text(text).kind is kind


def test_nodes_cover_what_they_were_read_from():
    text = "<policies>\n <inbound a='1'>\n <!-- c --> x <![CDATA[y]]></inbound>\n</policies>\n"
    [inbound] = parse_text(text).named("inbound")
    assert inbound.raw == "<inbound a='1'>\n <!-- c --> x <![CDATA[y]]></inbound>"
    assert [child.raw for child in inbound.children] == ["<!-- c -->", "x", "<![CDATA[y]]>"]
    assert isinstance(inbound.parent, Element)
    assert inbound.text == "xy"
