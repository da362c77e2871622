"""System.IO.StringReader and StringWriter.

Source: https://learn.microsoft.com/dotnet/api/system.io.stringreader and .../system.io.stringwriter, read 2026-11-30
"""

from typing import Any, ClassVar

from sinbin.csharp.exceptions import argument_null
from sinbin.csharp.formatting import format_composite
from sinbin.csharp.library.chars import StringBuilder
from sinbin.csharp.registry import Linear, declare
from sinbin.csharp.types import Type
from sinbin.csharp.values import CsObject, to_text


class StringReader(CsObject):
    """A text that is read from its start to its end."""

    __slots__ = ("_at", "_text")
    cs_type: ClassVar[Type] = Type("StringReader")

    def __init__(self, text: str | None) -> None:
        if text is None:
            raise argument_null("s")
        self._text = text
        self._at = 0

    def peek(self) -> int:
        """Return the next code unit, or -1 at the end."""
        return ord(self._text[self._at]) if self._at < len(self._text) else -1

    def read(self) -> int:
        """Return the next code unit and go on, or -1 at the end."""
        found = self.peek()
        self._at += found >= 0
        return found

    def line(self) -> str | None:
        """Return the rest of the line, or null at the end."""
        text, start = self._text, self._at
        if start >= len(text):
            return None
        end = start
        while end < len(text) and text[end] not in "\r\n":
            end += 1
        self._at = end + (2 if text[end : end + 2] == "\r\n" else 1)
        return text[start:end]

    def rest(self) -> str:
        """Return all that is left."""
        found, self._at = self._text[self._at :], len(self._text)
        return found


class StringWriter(CsObject):
    """A text that is written piece by piece."""

    __slots__ = ("builder",)
    cs_type: ClassVar[Type] = Type("StringWriter")

    def __init__(self, builder: StringBuilder | None = None) -> None:
        self.builder = StringBuilder() if builder is None else builder

    def cs_text(self) -> str:
        """Return what has been written."""
        return self.builder.cs_text()


def _write(end: str) -> Any:
    def write(writer: StringWriter, value: Any = "") -> None:
        writer.builder.append(to_text(value) + end)

    return write


def _write_format(end: str) -> Any:
    def write(writer: StringWriter, form: str, values: Any) -> None:
        writer.builder.append(format_composite(form, values) + end)

    return write


_READS = {
    "int Peek()": "{0}.peek()",
    "int Read()": "{0}.read()",
    "string ReadLine()": Linear("{0}.line()"),
    "string! ReadToEnd()": Linear("{0}.rest()"),
}
_CLOSES = {"void Close()": "None", "void Dispose()": "None"}
_WRITES = {
    f"void {name}({takes} value)": _write(end)
    for name, end in (("Write", ""), ("WriteLine", "\n"))
    for takes in ("string", "char", "bool", "int", "long", "double", "decimal", "object")
}
declare(
    "StringReader",
    "System.IO.StringReader",
    {"new(string s)": StringReader, **_READS, **_CLOSES},
    bases="IDisposable; object",
)
declare(
    "StringWriter",
    "System.IO.StringWriter",
    {
        "new()": StringWriter,
        "new(StringBuilder sb)": StringWriter,
        **_WRITES,
        "void WriteLine()": _write("\n"),
        "void Write(string format, params object[] arg)": _write_format(""),
        "void WriteLine(string format, params object[] arg)": _write_format("\n"),
        "void Flush()": "None",
        "StringBuilder! GetStringBuilder()": "{0}.builder",
        "string! ToString()": "{0}.cs_text()",
        **_CLOSES,
    },
    bases="IDisposable; object",
)
