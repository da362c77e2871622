"""The text of one policy file, and where a character of it stands."""

import re
from bisect import bisect_right
from typing import NamedTuple

_LINE_BREAK = re.compile(r"\r\n|\n|\r")
_BYTE_ORDER_MARKS = (("utf-8", b"\xef\xbb\xbf"), ("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff"))


class Position(NamedTuple):
    """A place in a file: `line` and `column` count from 1, the column in characters (a tab is one)."""

    line: int
    column: int


class Source:
    """One file's text; offsets count its characters from 0, after the byte-order mark.

    `code` is what the parser reads: `text` itself, save that merge markers and the side of a conflict that is
    not judged are blanked out, character by character, so that every offset is true to `text`.
    """

    __slots__ = ("_line_starts", "code", "encoding", "mark", "path", "text")

    def __init__(self, path: str, text: str, encoding: str = "utf-8", mark: bytes = b"") -> None:
        self.path = path
        self.text = text
        self.code = text
        self.encoding = encoding
        self.mark = mark
        self._line_starts: list[int] | None = None

    @classmethod
    def from_text(cls, text: str, path: str = "policy.xml") -> "Source":
        """Return the source of `text`; a leading byte-order mark is set aside."""
        if text.startswith("\ufeff"):
            return cls(path, text[1:], mark=_BYTE_ORDER_MARKS[0][1])
        return cls(path, text)

    @classmethod
    def from_bytes(cls, data: bytes, path: str = "policy.xml") -> "Source":
        """Return the source of `data`: UTF-8, or UTF-16 with a byte-order mark.

        Bytes that are no text of that encoding survive as lone surrogates, so that nothing is lost when the
        text is written again; the parser reports the first of them.
        """
        for encoding, mark in _BYTE_ORDER_MARKS:
            if data.startswith(mark):
                body = data[len(mark) :]
                if encoding == "utf-8" or len(body) % 2 == 0:
                    errors = "surrogateescape" if encoding == "utf-8" else "surrogatepass"
                    try:
                        return cls(path, body.decode(encoding, errors), encoding, mark)
                    except UnicodeDecodeError:
                        break
        return cls(path, data.decode("utf-8", "surrogateescape"))

    def to_bytes(self, text: str | None = None) -> bytes:
        """Return `text` (by default the whole file) as the bytes it was read from, byte-order mark included."""
        errors = "surrogateescape" if self.encoding == "utf-8" else "surrogatepass"
        return self.mark + (self.text if text is None else text).encode(self.encoding, errors)

    @property
    def line_starts(self) -> list[int]:
        """Offset of the first character of each line; lines end in LF, CRLF or CR."""
        if self._line_starts is None:
            self._line_starts = [0, *(match.end() for match in _LINE_BREAK.finditer(self.text))]
        return self._line_starts

    def position(self, offset: int) -> Position:
        """Return line and column of the character at `offset`."""
        line = bisect_right(self.line_starts, offset)
        return Position(line, offset - self.line_starts[line - 1] + 1)

    def line(self, number: int) -> str:
        """Return line `number` (from 1) without its line break."""
        starts = self.line_starts
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r\n")
