import pytest

from sinbin.lint.json_reader import DataError
from sinbin.lint.nodes import Lines
from sinbin.lint.yaml_reader import read_yaml


def test_values_know_their_type_and_place():
    text = "config:\n  count: 3\n  on: true\n  text: 'a b'\n  list: [1.5, null]\n"
    root = read_yaml(text)
    lines = Lines(text)
    assert root.number("config", "count") == 3
    assert root.flag("config", "on") is True
    assert root.text("config", "text") == "a b"
    first, second = root.get("config", "list").items()
    assert (first.value, second.value, first.path) == (1.5, None, "/config/list/0")
    assert lines.span(*root.get("config", "text").mark) == (4, 9, 4, 14)


def test_an_empty_file_is_an_empty_mapping():
    assert read_yaml("# nothing\n").members() == {}


@pytest.mark.parametrize(
    ("text", "place"),
    [("a: [1\nb: 2", (2, 2)), ("a: 1\n---\nb: 2", (2, 1)), ("a: *nowhere", (1, 4)), ("a: \x00", (1, 1))],
)
def test_what_is_no_yaml_is_refused_with_its_place(text, place):
    with pytest.raises(DataError) as caught:
        read_yaml(text)
    assert (caught.value.line, caught.value.column) == place


def test_aliases_that_multiply_are_refused():
    text = "a0: &a0 [x, x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 30))
    with pytest.raises(DataError, match="too many or too deeply nested values"):
        read_yaml(text)
