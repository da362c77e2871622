"""JSON with positions: every value knows the characters that it was written with.

The standard library's reader forgets positions. This one also takes what Azure's own tools take in an ARM
template: comments and a byte-order mark.
"""

import re
from typing import NoReturn

from sinbin.lint.nodes import Lines, Node, Scalar, join

MAX_DEPTH = 100
"""Deeper files are refused: ARM allows 20 levels, and reading is recursive."""

_SPACE = re.compile(r"(?:[ \t\r\n\ufeff]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"((?:[^"\\\x00-\x1f]|\\.|[\t\r\n])*)"')
_LONGEST_NUMBER = 1_000
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")
_WORDS: dict[str, Scalar] = {"true": True, "false": False, "null": None}
_WORD = re.compile(r"[A-Za-z]+")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_ESCAPED = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class DataError(Exception):
    """A JSON or YAML file that cannot be read."""

    def __init__(self, message: str, line: int, column: int) -> None:
        self.message = message
        self.line = line
        self.column = column
        super().__init__(f"{line}:{column}: {message}")


def read_json(text: str) -> Node:
    """Return the value in `text`.

    Raises:
        DataError: `text` is no JSON, or nested too deep.
    """
    return _Reader(text).document()


def unescape(raw: str) -> str:
    """Return what the characters between two quotes stand for; a wrong escape stands for itself."""
    if "\\" not in raw:
        return raw
    text = _ESCAPE.sub(lambda match: chr(int(match[1], 16)) if match[1] else _ESCAPED.get(match[2], match[0]), raw)
    # A character outside the basic plane is written as two escapes.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if "\\u" in raw else text


def source_offsets(raw: str, start: int) -> list[int]:
    """Return for every character that `raw` stands for where it is written, if `raw` begins at `start`.

    One more offset follows: the end. Used to find a place of a policy text inside a JSON string.
    """
    offsets: list[int] = []
    at = 0
    for match in _ESCAPE.finditer(raw):
        offsets.extend(range(start + at, start + match.start()))
        offsets.append(start + match.start())
        at = match.end()
    offsets.extend(range(start + at, start + len(raw) + 1))
    return offsets


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def document(self) -> Node:
        self._skip()
        node = self._value("", 0)
        self._skip()
        if self.at < len(self.text):
            self._fail("something follows the end of the document")
        return node

    def _skip(self) -> str:
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.text[self.at : self.at + 1]

    def _fail(self, message: str) -> NoReturn:
        raise DataError(message, *Lines(self.text).position(self.at))

    def _value(self, path: str, depth: int) -> Node:
        if depth > MAX_DEPTH:
            self._fail(f"nested more than {MAX_DEPTH} levels deep")
        start = self.at
        opening = self.text[start : start + 1]
        value: Scalar | dict[str, Node] | list[Node]
        if opening == "{":
            value = self._mapping(path, depth)
        elif opening == "[":
            value = self._list(path, depth)
        elif opening == '"':
            value = self._string()
        else:
            value = self._scalar()
        return Node(value, start, self.at, path)

    def _string(self) -> str:
        match = _STRING.match(self.text, self.at)
        if match is None:
            self._fail(
                "the string is not closed on its line" if '"' in self.text[self.at + 1 :] else "unclosed string"
            )
        self.at = match.end()
        return unescape(match[1])

    def _scalar(self) -> Scalar:
        if match := _NUMBER.match(self.text, self.at):
            self.at = match.end()
            if len(match[0]) > _LONGEST_NUMBER:
                self._fail(f"a number of {len(match[0]):,} characters is no number of anything")
            return float(match[0]) if match[1] or match[2] else int(match[0])
        match = _WORD.match(self.text, self.at)
        if match is None or match[0] not in _WORDS:
            self._fail(f"expected a value, found {self._found()}")
        self.at = match.end()
        return _WORDS[match[0]]

    def _found(self) -> str:
        return f"`{self.text[self.at]}`" if self.at < len(self.text) else "the end of the file"

    def _mapping(self, path: str, depth: int) -> dict[str, Node]:
        members: dict[str, Node] = {}
        self.at += 1
        while (char := self._skip()) != "}":
            if members:
                if char != ",":
                    self._fail(f"expected `,` or `}}`, found {self._found()}")
                self.at += 1
                char = self._skip()
                if char == "}":
                    break  # ARM's reader takes a trailing comma too
            if char != '"':
                self._fail(f"expected a name in double quotes, found {self._found()}")
            key_start = self.at
            key = self._string()
            key_end = self.at
            if self._skip() != ":":
                self._fail(f"expected `:` behind the name `{key}`, found {self._found()}")
            self.at += 1
            self._skip()
            node = self._value(join(path, key), depth + 1)
            node.key = (key_start, key_end)
            members[key] = node
        self.at += 1
        return members

    def _list(self, path: str, depth: int) -> list[Node]:
        entries: list[Node] = []
        self.at += 1
        while (char := self._skip()) != "]":
            if entries:
                if char != ",":
                    self._fail(f"expected `,` or `]`, found {self._found()}")
                self.at += 1
                if self._skip() == "]":
                    break
            entries.append(self._value(join(path, str(len(entries))), depth + 1))
        self.at += 1
        return entries
