"""System.String.

Source: https://learn.microsoft.com/dotnet/api/system.string, read 2026-11-29
"""

from collections.abc import Iterable
from typing import Any
from zlib import crc32

from sinbin.csharp.exceptions import argument_null, out_of_range, raised
from sinbin.csharp.formatting import format_composite
from sinbin.csharp.library.comparing import COMPARERS, compare_culture, compare_ordinal, declare_enum
from sinbin.csharp.registry import Linear, constant_time, declare
from sinbin.csharp.splitting import WHITE, split
from sinbin.csharp.text_size import MAX_TEXT, checked_size
from sinbin.csharp.types import CHAR, STRING
from sinbin.csharp.values import Array, to_text

_LENGTH = "Index and length must refer to a location within the string."
_NEGATIVE = "Length cannot be less than zero."
_BELOW = "StartIndex cannot be less than zero."
_BEYOND = "startIndex cannot be larger than length of string."


@constant_time
def _char_at(text: str, index: int) -> str:
    if 0 <= index < len(text):
        return text[index]
    raise raised("IndexOutOfRangeException")


def _substring(text: str, start: int, length: int | None = None) -> str:
    if start < 0:
        raise out_of_range("startIndex", _BELOW)
    if start > len(text):
        raise out_of_range("startIndex", _BEYOND)
    if length is None:
        return text[start:]
    if length < 0:
        raise out_of_range("length", _NEGATIVE)
    if start + length > len(text):
        raise out_of_range("length", _LENGTH)
    return text[start : start + length]


def _given(value: str | None, parameter: str = "value") -> str:
    if value is None:
        raise argument_null(parameter)
    return value


def upper(text: str) -> str:
    """Return ToUpperInvariant: code unit by code unit, so that `ß` stays."""
    return text.upper() if text.isascii() else "".join(c.upper() if len(c.upper()) == 1 else c for c in text)


def lower(text: str) -> str:
    """Return ToLowerInvariant, code unit by code unit."""
    return text.lower() if text.isascii() else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _in(kind: Any, text: str) -> str:
    return COMPARERS[kind].key(text)


# The overloads without a StringComparison compare character by character: by ordinal, or in the invariant culture.
def _contains(text: str, value: str | None) -> bool:
    return _given(value) in text


def _starts(text: str, value: str | None) -> bool:
    return text.startswith(_given(value))


def _ends(text: str, value: str | None) -> bool:
    return text.endswith(_given(value))


def _contains_by(text: str, value: str | None, kind: Any) -> bool:
    return _in(kind, _given(value)) in _in(kind, text)


def _starts_by(text: str, value: str | None, kind: Any) -> bool:
    return _in(kind, text).startswith(_in(kind, _given(value)))


def _ends_by(text: str, value: str | None, kind: Any) -> bool:
    return _in(kind, text).endswith(_in(kind, _given(value)))


def _index(text: str, value: str | None, start: int = 0, kind: Any = 4) -> int:
    value = _given(value)
    if not 0 <= start <= len(text):
        raise out_of_range(
            "startIndex", "Index was out of range. Must be non-negative and less than the size of the collection."
        )
    return _in(kind, text).find(_in(kind, value), start)


def _last_index(text: str, value: str | None, kind: Any = 4) -> int:
    value = _given(value)
    return _in(kind, text).rfind(_in(kind, value))


def _index_any(text: str, any_of: list[str]) -> int:
    return next((index for index, c in enumerate(text) if c in any_of), -1)


def _replace(text: str, old: str | None, new: str | None) -> str:
    if old is None:
        raise argument_null("oldValue")
    if not old:
        raise raised("ArgumentException", "String cannot be of zero length. (Parameter 'oldValue')")
    if len(new or "") > len(old) and len(text) * len(new or "") > MAX_TEXT:
        checked_size(len(text) + text.count(old) * (len(new or "") - len(old)))
    return text.replace(old, new or "")


def _trim(text: str, chars: list[str] | None = None) -> str:
    return text.strip("".join(chars) if chars else WHITE)


def _trim_start(text: str, chars: list[str] | None = None) -> str:
    return text.lstrip("".join(chars) if chars else WHITE)


def _trim_end(text: str, chars: list[str] | None = None) -> str:
    return text.rstrip("".join(chars) if chars else WHITE)


def _pad(text: str, width: int, filler: str, *, left: bool) -> str:
    if width < 0:
        raise out_of_range("totalWidth", "Non-negative number required.")
    if width > MAX_TEXT:
        raise raised("OutOfMemoryException")
    return text.rjust(width, filler) if left else text.ljust(width, filler)


StringSplitOptions = declare_enum(
    "StringSplitOptions", "System.StringSplitOptions", {"None": 0, "RemoveEmptyEntries": 1}, flags=True
)


def _split_one(text: str, separator: str | None, options: int = 0) -> Array:
    if separator and not options:
        return Array(text.split(separator), STRING)
    return split(text, [separator] if separator else [""], options=options)


def join(separator: str | None, values: Iterable[Any] | None) -> str:
    """Return `string.Join(separator, values)`."""
    if values is None:
        raise argument_null("values")
    texts = list(map(to_text, values))
    checked_size(sum(map(len, texts)) + len(separator or "") * max(len(texts) - 1, 0))
    return (separator or "").join(texts)


def _concat(values: Iterable[Any] | None) -> str:
    if values is None:
        raise argument_null("values")
    return join("", values)


def _compare(a: str | None, b: str | None, kind: Any = 0) -> int:
    return COMPARERS[kind].compare(a, b)  # type: ignore[arg-type]


def _insert(text: str, start: int, value: str | None) -> str:
    value = _given(value)
    if not 0 <= start <= len(text):
        raise out_of_range("startIndex")
    return text[:start] + value + text[start:]


def _remove(text: str, start: int, count: int | None = None) -> str:
    if start < 0:
        raise out_of_range("startIndex", _BELOW)
    if count is None:
        if start >= len(text):
            raise out_of_range("startIndex", "startIndex must be less than length of string.")
        return text[:start]
    if count < 0:
        raise out_of_range("count", "Non-negative number required.")
    if start + count > len(text):
        raise out_of_range("count", "Index and count must refer to a location within the string.")
    return text[:start] + text[start + count :]


def _repeat(character: str, count: int) -> str:
    if count < 0:
        raise out_of_range("count", "Count cannot be less than zero.")
    if count > MAX_TEXT:
        raise raised("OutOfMemoryException")
    return character * count


def hash_text(text: str) -> int:
    """Return a hash code; .NET's own changes from run to run, so that only its being the same counts."""
    code = crc32(text.encode("utf-16-le", "surrogatepass"))
    return code - 2**32 if code >= 2**31 else code


declare(
    "string",
    "System.String",
    {
        "int Length": "len({0})",
        "char this[int index]": _char_at,
        "new(char c, int count)": _repeat,
        "new(char[] value)": lambda chars: "".join(chars or ()),
        "new(char[] value, int startIndex, int length)": lambda chars, start, length: "".join(
            chars[start : start + length]
        ),
        "static string! Empty": "''",
        "string! ToString()": "{0}",
        "string! ToUpper()": upper,
        "string! ToLower()": lower,
        "string! ToUpperInvariant()": upper,
        "string! ToLowerInvariant()": lower,
        "string! Trim()": _trim,
        "string! Trim(params char[] trimChars)": _trim,
        "string! TrimStart()": _trim_start,
        "string! TrimStart(params char[] trimChars)": _trim_start,
        "string! TrimEnd()": _trim_end,
        "string! TrimEnd(params char[] trimChars)": _trim_end,
        "string! PadLeft(int totalWidth)": lambda t, w: _pad(t, w, " ", left=True),
        "string! PadLeft(int totalWidth, char paddingChar)": lambda t, w, c: _pad(t, w, c, left=True),
        "string! PadRight(int totalWidth)": lambda t, w: _pad(t, w, " ", left=False),
        "string! PadRight(int totalWidth, char paddingChar)": lambda t, w, c: _pad(t, w, c, left=False),
        "string! Substring(int startIndex)": _substring,
        "string! Substring(int startIndex, int length)": _substring,
        "bool Contains(string value)": _contains,
        "bool Contains(char value)": Linear("({1} in {0})"),
        "bool Contains(string value, StringComparison comparisonType)": _contains_by,
        "bool StartsWith(string value)": _starts,
        "bool StartsWith(char value)": "{0}.startswith({1})",
        "bool StartsWith(string value, StringComparison comparisonType)": _starts_by,
        "bool EndsWith(string value)": _ends,
        "bool EndsWith(char value)": "{0}.endswith({1})",
        "bool EndsWith(string value, StringComparison comparisonType)": _ends_by,
        "int IndexOf(string value)": _index,
        "int IndexOf(char value)": Linear("{0}.find({1})"),
        "int IndexOf(string value, int startIndex)": _index,
        "int IndexOf(char value, int startIndex)": _index,
        "int IndexOf(string value, StringComparison comparisonType)": lambda t, v, k: _index(t, v, 0, k),
        "int IndexOf(string value, int startIndex, StringComparison comparisonType)": _index,
        "int LastIndexOf(string value)": _last_index,
        "int LastIndexOf(char value)": Linear("{0}.rfind({1})"),
        "int LastIndexOf(string value, StringComparison comparisonType)": _last_index,
        "int IndexOfAny(char[] anyOf)": _index_any,
        "string! Replace(string oldValue, string newValue)": _replace,
        "string! Replace(char oldChar, char newChar)": Linear("{0}.replace({1}, {2})"),
        "string! Insert(int startIndex, string value)": _insert,
        "string! Remove(int startIndex)": _remove,
        "string! Remove(int startIndex, int count)": _remove,
        "string[]! Split(params char[] separator)": split,
        "string[]! Split(char separator, StringSplitOptions options = 0)": _split_one,
        "string[]! Split(char separator, int count, StringSplitOptions options = 0)": lambda t, s, n, o: split(
            t, [s], n, o
        ),
        "string[]! Split(string separator, StringSplitOptions options = 0)": _split_one,
        "string[]! Split(char[] separator, int count)": split,
        "string[]! Split(char[] separator, StringSplitOptions options)": lambda t, s, o: split(t, s, options=o),
        "string[]! Split(string[] separator, StringSplitOptions options)": lambda t, s, o: split(t, s, options=o),
        "string[]! Split(char[] separator, int count, StringSplitOptions options)": split,
        "string[]! Split(string[] separator, int count, StringSplitOptions options)": split,
        "char[]! ToCharArray()": lambda text: Array(text, CHAR),
        "int CompareTo(string strB)": compare_culture,
        "bool Equals(string value)": Linear("({0} == {1})"),
        "bool Equals(object obj)": lambda text, other: type(other) is str and text == other,
        "bool Equals(string value, StringComparison comparisonType)": lambda a, b, k: COMPARERS[k].equal(a, b),
        "int GetHashCode()": hash_text,
        "static bool Equals(string a, string b)": Linear("({0} == {1})"),
        "static bool Equals(string a, string b, StringComparison comparisonType)": lambda a, b, k: COMPARERS[
            k
        ].equal(a, b),
        "static int Compare(string strA, string strB)": compare_culture,
        "static int Compare(string strA, string strB, bool ignoreCase)": lambda a, b, i: compare_culture(
            a, b, ignore_case=i
        ),
        "static int Compare(string strA, string strB, StringComparison comparisonType)": _compare,
        "static int CompareOrdinal(string strA, string strB)": compare_ordinal,
        "static bool IsNullOrEmpty(string value)": "(not {0})",
        "static bool IsNullOrWhiteSpace(string value)": lambda text: text is None or not text.strip(WHITE),
        "static string! Join(string separator, params string[] value)": join,
        "static string! Join(string separator, params object[] values)": join,
        "static string! Join<T>(string separator, IEnumerable<T> values)": join,
        "static string! Join(char separator, params string[] value)": join,
        "static string! Join(char separator, params object[] values)": join,
        "static string! Join<T>(char separator, IEnumerable<T> values)": join,
        "static string! Concat(params string[] values)": _concat,
        "static string! Concat(params object[] args)": _concat,
        "static string! Concat<T>(IEnumerable<T> values)": _concat,
        "static string! Format(string format, params object[] args)": format_composite,
        "static string Copy(string str)": "{0}",
    },
    bases="IEnumerable<char>; IComparable; object",
)
