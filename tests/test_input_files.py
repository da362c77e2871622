"""Whatever a user names is read, or refused with one message; nothing waits for ever."""

import os
import re

import pytest

from sinbin.input_files import InputFileError, parse_json, read_json, read_text, read_yaml


def refusal(read, path):
    with pytest.raises(InputFileError) as refused:
        read(path)
    return str(refused.value)


def test_text_is_utf_8_with_or_without_a_mark(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("\ufeffgrün\r\n".encode())
    assert read_text(path) == "grün\r\n"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: None, "there is no such file"),
        (lambda path: path.mkdir(), "is no ordinary file; name one"),
        (os.mkfifo, "is no ordinary file; name one"),
        (lambda path: path.symlink_to("/dev/zero"), "is no ordinary file; name one"),
        (lambda path: path.write_bytes(b"a\xff"), "byte 1 is no UTF-8; save the file as UTF-8 text"),
        (lambda path: (path.touch(), os.truncate(path, 2**30)), "1,073,741,824 bytes are too many to read (at most 67,108,864)"),
    ],
    ids=["missing", "folder", "pipe", "device", "encoding", "size"],
)  # fmt: skip
def test_what_cannot_be_read_is_told(tmp_path, make, message):
    path = tmp_path / "input"
    make(path)
    assert refusal(read_text, path) == f"{path}: {message}"


def test_a_name_that_no_file_can_have_is_told(tmp_path):
    path = tmp_path / "a\0b"
    assert refusal(read_text, path) == f"{path}: cannot be read: embedded null byte"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", ":1:2: is no JSON: Expecting property name enclosed in double quotes"),
        ("[" * 100_000, ": is nested too deeply"),
        ("9" * 5_000, ": holds an integer of more than 4,300 digits"),
    ],
    ids=["syntax", "depth", "digits"],
)
def test_what_is_no_json_is_told(tmp_path, text, message):
    path = tmp_path / "a.json"
    path.write_text(text)
    assert re.fullmatch(re.escape(str(path)) + message, refusal(read_json, path))
    assert re.fullmatch("line 3" + message, refusal(lambda text: parse_json(text, "line 3"), text))


def test_yaml_is_plain_data(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("a: &x [1, 2.5, true, null, text]\nb: *x\nc: {<<: {d: 1}}\n")
    assert read_yaml(path) == {
        "a": [1, 2.5, True, None, "text"],
        "b": [1, 2.5, True, None, "text"],
        "c": {"d": 1},
    }
    path.write_text("")
    assert read_yaml(path) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [\n", ":2:1: is no YAML: did not find expected node content"),
        ("a: 1\nb: {c: 1, c: 2}\n", ':2:11: "c" is given twice'),
        ("? [1, 2]\n: 3\n", ":1:3: a key has to be text"),
        ("2020-01-01: a\n", ':1:1: the key "2020-01-01" is read as timestamp; put it in quotes'),
        ("a: {on: b}\n", ':1:5: the key "on" is read as bool; put it in quotes'),
        ("a: 2024-13-45\n", ':1:4: "2024-13-45" is no timestamp; put it in quotes if it is text'),
        ("a: !!int x\n", ':1:4: "x" is no int; put it in quotes if it is text'),
        ("a: !!bool x\n", ':1:4: "x" is no bool; put it in quotes if it is text'),
        ("a: 0x_\n", ':1:4: "0x_" is no int; put it in quotes if it is text'),
        (f"a: {'9' * 5_000}\n", f':1:4: "{"9" * 40}" is no int; put it in quotes if it is text'),
        ("a: !!set [a]\n", ":1:4: set is not read here; write a list or a mapping"),
        ("a: !!set {a}\n", ":1:4: set is not read here; write a list or a mapping"),
        ("a: !!python/object/apply:os.system [ls]\n", ":1:4: is no YAML: could not determine a constructor for the tag 'tag:yaml.org,2002:python/object/apply:os.system'"),
        ("[" * 100_000, ":1:1001: is no YAML: exceeded maximum nesting depth"),
        ("a: *b\n", ":1:4: is no YAML: found undefined alias"),
    ],
)  # fmt: skip
def test_what_is_no_yaml_is_told_with_its_place(tmp_path, text, message):
    path = tmp_path / "a.yaml"
    path.write_text(text)
    assert refusal(read_yaml, path) == f"{path}{message}"
