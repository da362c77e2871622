"""JSON text as tokens, as lenient as Json.NET is, with its messages.

Ordinary JSON goes through Python's own parser; what that refuses is read again by the `Reader`.
"""

import json
import re
from collections.abc import Callable
from typing import Any

from sinbin.csharp.exceptions import argument_null, raised
from sinbin.csharp.jsonnet.containers import wrap
from sinbin.csharp.jsonnet.lenient_reader import Reader
from sinbin.csharp.jsonnet.tokens import JToken
from sinbin.csharp.utf16 import to_utf16

_DATE = re.compile(r'T(?<="\d{4}-\d\d-\d\dT)')
"""Begins with a letter because Python looks for that first, as fast as for a single character."""
_ASTRAL = re.compile("[\U00010000-\U0010ffff]|\\\\u[dD][89abAB]")
_STARTS = {dict: "StartObject", list: "StartArray", str: "String", int: "Integer", float: "Float", bool: "Boolean",
           type(None): "Null"}  # fmt: skip


def parse(text: str | None, wanted: str = "JToken", parameter: str = "s") -> JToken:
    """Return the token in `text`; `wanted` is the type that parses: JToken, JObject, JArray.

    Raises:
        CsException: JsonReaderException with the message of Json.NET, ArgumentNullException.
    """
    if text is None:
        raise argument_null(parameter)
    try:
        raw, end = _SCAN(text, 0)
    except (StopIteration, ValueError, RecursionError):
        end = -1
    if end != len(text):
        # White space around it, or no JSON as Python's parser knows it.
        try:
            raw = _DECODER.decode(text)
        except (ValueError, RecursionError):
            raw = Reader(text, wanted).document()
    if wanted != "JToken":
        _expect(raw, wanted, text)
    plain = text.isascii() and "\\u" not in text
    if _DATE.search(text) or "\\/Date(" in text or not (plain or _ASTRAL.search(text) is None):
        raw = _settle(raw)
    return wrap(raw)


def _constant(name: str) -> float:
    return float(name.replace("Infinity", "inf"))


_DECODER = json.JSONDecoder(parse_constant=_constant)
_SCAN: Callable[[str, int], tuple[Any, int]] = _DECODER.scan_once  # type: ignore[attr-defined]


def _expect(raw: Any, wanted: str, text: str) -> None:
    kind = dict if wanted == "JObject" else list
    if not isinstance(raw, kind):
        what = "an object" if wanted == "JObject" else "an array"
        start = _STARTS[type(raw)]
        stripped = text.lstrip(" \t\r\n")
        skipped = text[: len(text) - len(stripped)]
        line = skipped.count("\n") + 1
        length = 1 if isinstance(raw, dict | list) else len(stripped.rstrip())
        column = len(skipped) - (skipped.rfind("\n") + 1) + length
        raise raised(
            "JsonReaderException",
            f"Error reading {wanted} from JsonReader. Current JsonReader item is not {what}: {start}. "
            f"Path '', line {line}, position {column}.",
        )


def _settle(raw: Any) -> Any:
    """Make dates of the texts that Json.NET takes for dates, and UTF-16 of the others."""
    if isinstance(raw, dict):
        return {to_utf16(name): _settle(value) for name, value in raw.items()}
    if isinstance(raw, list):
        return [_settle(value) for value in raw]
    if isinstance(raw, str):
        from sinbin.csharp.jsonnet.dates import date_token  # noqa: PLC0415

        return date_token(raw) or to_utf16(raw)
    return raw
