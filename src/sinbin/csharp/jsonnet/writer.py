"""Tokens as JSON text, as Json.NET writes it."""

import base64
import re
from decimal import Decimal
from typing import Any

from sinbin.csharp.jsonnet.containers import JArray, JObject, JProperty
from sinbin.csharp.jsonnet.tokens import JToken, JValue
from sinbin.csharp.numbers import format_decimal
from sinbin.csharp.values import Array, to_text

_ESCAPED = re.compile('[\x00-\x1f"\\\\\x85\u2028\u2029]')
_SHORT = {"\t": "\\t", "\n": "\\n", "\r": "\\r", "\f": "\\f", "\b": "\\b", '"': '\\"', "\\": "\\\\"}


def quote(text: str, mark: str = '"') -> str:
    """Return a JSON string."""
    return f"{mark}{_ESCAPED.sub(_escape, text)}{mark}"


def _escape(match: re.Match[str]) -> str:
    return _SHORT.get(match[0]) or f"\\u{ord(match[0]):04x}"


def write(token: JToken, *, indented: bool) -> str:
    """Return a token as JSON."""
    out: list[str] = []
    _write(token, out, "\n" if indented else "")
    return "".join(out)


def _write(value: Any, out: list[str], line: str) -> None:
    if isinstance(value, (JObject, JArray)):
        value = value.raw
    if isinstance(value, dict):
        _write_all(
            [(f"{quote(name)}:{' ' if line else ''}", inner) for name, inner in value.items()], out, line, "{}"
        )
    elif isinstance(value, list):
        _write_all([("", inner) for inner in value], out, line, "[]")
    elif isinstance(value, JProperty):
        out.append(f"{quote(value.name)}:{' ' if line else ''}")
        _write(value.value, out, line)
    else:
        out.append(write_value(value))


def _write_all(entries: list[tuple[str, Any]], out: list[str], line: str, brackets: str) -> None:
    if not entries:
        out.append(brackets)
        return
    inner = f"{line}  " if line else ""
    out.append(brackets[0])
    for index, (label, value) in enumerate(entries):
        out.append(f"{',' if index else ''}{inner}{label}")
        _write(value, out, inner)
    out.append(f"{line}{brackets[1]}")


def write_value(value: Any) -> str:
    """Return a single value as JSON."""
    if isinstance(value, JValue):
        value = value.value
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        text = to_text(value)
        if text in {"NaN", "Infinity", "-Infinity"}:
            return f'"{text}"'
        return text if "." in text or "E" in text else f"{text}.0"
    if isinstance(value, Decimal):
        text = format_decimal(value)
        return text if "." in text else f"{text}.0"
    if isinstance(value, Array):
        return quote(base64.b64encode(bytes(value)).decode("ascii"))
    own = getattr(value, "cs_json", None)
    return quote(to_text(value)) if own is None else str(own())
