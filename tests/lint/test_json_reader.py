import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sinbin.lint.json_reader import DataError, read_json, source_offsets, unescape
from sinbin.lint.nodes import Lines, Node

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def plain(node: Node):
    if isinstance(node.value, dict):
        return {key: plain(member) for key, member in node.value.items()}
    return [plain(entry) for entry in node.value] if isinstance(node.value, list) else node.value


@given(values, st.sampled_from([None, 2]), st.booleans())
def test_reads_what_the_standard_library_writes(value, indent, ascii_only):
    assert plain(read_json(json.dumps(value, indent=indent, ensure_ascii=ascii_only))) == value


@given(values)
def test_every_value_knows_the_characters_it_was_written_with(value):
    text = json.dumps(value, indent=1)
    for node in read_json(text).walk():
        assert json.loads(text[node.start : node.end]) == plain(node)


def test_comments_a_byte_order_mark_and_trailing_commas_are_taken():
    assert plain(read_json('\ufeff// a\n{"a": /* b */ [1, 2,],\n}')) == {"a": [1, 2]}


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("", "expected a value, found the end of the file", (1, 1)),
        ('{"a": 1\n "b": 2}', 'expected `,` or `}`, found `"`', (2, 2)),
        ("{a: 1}", "expected a name in double quotes, found `a`", (1, 2)),
        ('{"a" 1}', "expected `:` behind the name `a`, found `1`", (1, 6)),
        ("[1, 2", "expected `,` or `]`, found the end of the file", (1, 6)),
        ('["a', "unclosed string", (1, 2)),
        ("{} {}", "something follows the end of the document", (1, 4)),
        ("[nope]", "expected a value, found `n`", (1, 2)),
        ("[" * 200, "nested more than 100 levels deep", (1, 102)),
    ],
)
def test_what_is_no_json_is_named_with_its_place(text, message, place):
    with pytest.raises(DataError) as caught:
        read_json(text)
    assert (caught.value.message, (caught.value.line, caught.value.column)) == (message, place)


@given(st.text())
def test_any_text_is_read_or_refused(text):
    with contextlib.suppress(DataError):
        read_json(text)


def test_a_place_inside_a_string_is_found_in_the_file():
    raw = r"a\n\"b\u0041c"
    assert unescape(raw) == 'a\n"bAc'
    assert source_offsets(raw, 10) == [10, 11, 13, 15, 16, 22, 23]


def test_lines_and_columns_count_from_one():
    lines = Lines("ab\ncd\n")
    assert [lines.position(offset) for offset in (0, 1, 3, 6)] == [(1, 1), (1, 2), (2, 1), (3, 1)]
    assert lines.offset(2, 2) == 4
