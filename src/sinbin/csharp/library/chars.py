"""System.Char and StringBuilder."""

import unicodedata
from typing import Any

from sinbin.csharp.exceptions import out_of_range, raised
from sinbin.csharp.formatting import format_composite
from sinbin.csharp.library.strings import join, lower, upper
from sinbin.csharp.registry import Linear, declare
from sinbin.csharp.splitting import WHITE
from sinbin.csharp.text_size import MAX_TEXT, checked_text
from sinbin.csharp.types import Type
from sinbin.csharp.values import Char, CsObject, equals, to_text


def _category(*prefixes: str) -> Any:
    return lambda c: unicodedata.category(c).startswith(prefixes)


def _numeric(character: str) -> float:
    return float(unicodedata.numeric(character, -1.0))


def _parse(text: str | None) -> str:
    if text is None or len(text) != 1:
        raise raised("FormatException", "String must be exactly one character long.")
    return text


_AT = {
    "IsDigit": _category("Nd"),
    "IsLetter": _category("L"),
    "IsLetterOrDigit": _category("L", "Nd"),
    "IsNumber": _category("N"),
    "IsUpper": _category("Lu"),
    "IsLower": _category("Ll"),
    "IsPunctuation": _category("P"),
    "IsSymbol": _category("S"),
    "IsControl": _category("Cc"),
    "IsWhiteSpace": lambda c: c in WHITE,
}


def _at(test: Any) -> Any:
    return lambda text, index: test(text[index])


declare(
    "char",
    "System.Char",
    {
        **{f"static bool {name}(char c)": test for name, test in _AT.items()},
        **{f"static bool {name}(string s, int index)": _at(test) for name, test in _AT.items()},
        "static char ToUpper(char c)": upper,
        "static char ToLower(char c)": lower,
        "static char ToUpperInvariant(char c)": upper,
        "static char ToLowerInvariant(char c)": lower,
        "static double GetNumericValue(char c)": _numeric,
        "static char Parse(string s)": _parse,
        "static string! ToString(char c)": "{0}",
        "string! ToString()": "{0}",
        "int CompareTo(char value)": "(ord({0}) - ord({1}))",
        "bool Equals(char obj)": "({0} == {1})",
        "bool Equals(object obj)": lambda c, other: equals(Char(c), other),
        "int GetHashCode()": lambda c: ord(c) | ord(c) << 16,
        "static char MaxValue": "'\\uffff'",
        "static char MinValue": "'\\0'",
    },
    kind="struct",
    bases="IComparable; object",
    default=lambda: "\0",
)


class StringBuilder(CsObject):
    """A text that grows."""

    __slots__ = ("parts", "size")
    cs_type = Type("StringBuilder")

    def __init__(self, text: str | None = None) -> None:
        self.parts = [text] if text else []
        self.size = len(text or "")

    def append(self, text: str | None) -> "StringBuilder":
        """Add a text at the end."""
        if text:
            self.parts.append(text)
            self.size += len(text)
            if self.size > MAX_TEXT:
                raise raised("OutOfMemoryException")
        return self

    def cs_text(self) -> str:
        """Return the whole text."""
        if len(self.parts) > 1:
            self.parts = ["".join(self.parts)]
        return self.parts[0] if self.parts else ""

    def become(self, text: str) -> "StringBuilder":
        """Take another text."""
        self.parts, self.size = [checked_text(text)], len(text)
        return self


def _insert(builder: StringBuilder, index: int, value: Any) -> StringBuilder:
    text = builder.cs_text()
    if not 0 <= index <= len(text):
        raise out_of_range("index")
    return builder.become(text[:index] + to_text(value) + text[index:])


def _remove(builder: StringBuilder, start: int, length: int) -> StringBuilder:
    text = builder.cs_text()
    if length < 0 or start < 0 or start + length > len(text):
        raise out_of_range("length" if start >= 0 else "startIndex")
    return builder.become(text[:start] + text[start + length :])


def _replace(builder: StringBuilder, old: str, new: str | None) -> StringBuilder:
    return builder.become(builder.cs_text().replace(old, new or ""))


def _append_repeated(builder: StringBuilder, character: str, count: int) -> StringBuilder:
    if count < 0:
        raise out_of_range("repeatCount", "Non-negative number required.")
    if builder.size + count > MAX_TEXT:
        raise raised("OutOfMemoryException")
    return builder.append(character * count)


def _char(builder: StringBuilder, index: int) -> str:
    text = builder.cs_text()
    if 0 <= index < len(text):
        return text[index]
    raise raised("IndexOutOfRangeException")


def _set_length(builder: StringBuilder, length: int) -> int:
    if length > MAX_TEXT:
        raise raised("OutOfMemoryException")
    builder.become(builder.cs_text()[:length].ljust(length, "\0"))
    return length


declare(
    "StringBuilder",
    "System.Text.StringBuilder",
    {
        "new()": StringBuilder,
        "new(int capacity)": lambda capacity: StringBuilder(),
        "new(string value)": StringBuilder,
        "int Length": "{0}.size",
        "set int Length": _set_length,
        "char this[int index]": _char,
        "StringBuilder! Append(string value)": "{0}.append({1})",
        "StringBuilder! Append(char value)": "{0}.append({1})",
        "StringBuilder! Append(char value, int repeatCount)": _append_repeated,
        "StringBuilder! Append(object value)": lambda builder, value: builder.append(to_text(value)),
        "StringBuilder! Append(string value, int startIndex, int count)": lambda b, t, s, n: b.append(
            t[s : s + n]
        ),
        "StringBuilder! AppendLine()": "{0}.append('\\n')",
        "StringBuilder! AppendLine(string value)": "{0}.append({1}).append('\\n')",
        "StringBuilder! AppendFormat(string format, params object[] args)": lambda b, f, a: b.append(
            format_composite(f, a)
        ),
        "StringBuilder! AppendJoin<T>(string separator, IEnumerable<T> values)": lambda b, s, v: b.append(
            join(s, v)
        ),
        "StringBuilder! Insert(int index, string value)": _insert,
        "StringBuilder! Insert(int index, object value)": _insert,
        "StringBuilder! Remove(int startIndex, int length)": _remove,
        "StringBuilder! Replace(string oldValue, string newValue)": _replace,
        "StringBuilder! Replace(char oldChar, char newChar)": _replace,
        "StringBuilder! Clear()": "{0}.become('')",
        "string! ToString()": Linear("{0}.cs_text()"),
        "string! ToString(int startIndex, int length)": lambda b, s, n: b.cs_text()[s : s + n],
    },
    bases="object",
)
