"""System.Convert."""

import base64
import binascii
from typing import Any

from sinbin.csharp.conversion import change_type
from sinbin.csharp.exceptions import argument_null, raised
from sinbin.csharp.numbers import whole_number, wrap
from sinbin.csharp.registry import Implementation, declare
from sinbin.csharp.runtime_types import RuntimeType
from sinbin.csharp.types import BYTE, INTEGRAL, Type, parse_type
from sinbin.csharp.values import Array

_TARGETS = {"Int32": "int", "Int64": "long", "Int16": "short", "SByte": "sbyte", "Byte": "byte", "UInt16": "ushort",
            "UInt32": "uint", "UInt64": "ulong", "Double": "double", "Single": "float", "Decimal": "decimal",
            "Boolean": "bool", "Char": "char", "String": "string", "DateTime": "DateTime"}  # fmt: skip
_NULLS: dict[str, Any] = {"string": "", "bool": False, "double": 0.0, "float": 0.0}


def _converter(kind: Type) -> Any:
    def convert(value: Any) -> Any:
        if value is None:
            if kind.name in {"char", "DateTime"}:
                raise raised("InvalidCastException", "Null object cannot be converted to a value type.")
            return _NULLS.get(kind.name, change_type(0, kind))
        return change_type(value, kind)

    return convert


def _from_base(text: str, base: int, kind: Type) -> int:
    if base not in {2, 8, 10, 16}:
        raise raised("ArgumentException", "Invalid Base.")
    if not text:
        raise raised(
            "ArgumentOutOfRangeException",
            "Index was out of range. Must be non-negative and less than the size of the collection. (Parameter 'startIndex')",
        )
    digits = text.lower().removeprefix("0x") if base == 16 else text
    try:
        value = whole_number(digits) if base == 10 and digits.isascii() and digits.isdigit() else int(digits, base)
    except ValueError:
        raise raised("FormatException", "Could not find any recognizable digits.") from None
    low, high = INTEGRAL[kind]
    if value > high - low:
        name = "UInt32" if high - low < 2**33 else "UInt64"
        raise raised("OverflowException", f"Value was either too large or too small for a {name}.")
    return value if base == 10 else wrap(value, kind)


def _to_base(value: int, base: int, kind: Type) -> str:
    low, high = INTEGRAL[kind]
    if base == 10:
        return str(value)
    if base not in {2, 8, 16}:
        raise raised("ArgumentException", "Invalid Base.")
    return f"{value % (high - low + 1):{ {2: 'b', 8: 'o', 16: 'x'}[base] }}"


def to_base64(data: list[int] | None, options: int = 0) -> str:
    """Return `Convert.ToBase64String(data)`."""
    del options
    if data is None:
        raise argument_null("inArray")
    return base64.b64encode(bytes(data)).decode("ascii")


def from_base64(text: str | None) -> Array:
    """Return `Convert.FromBase64String(text)`.

    Raises:
        CsException: FormatException, ArgumentNullException.
    """
    if text is None:
        raise argument_null("s")
    try:
        return Array(base64.b64decode("".join(text.split()), validate=True), BYTE)
    except (binascii.Error, ValueError):
        raise raised(
            "FormatException",
            "The input is not a valid Base-64 string as it contains a non-base 64 character, more than two padding "
            "characters, or an illegal character among the padding characters.",
        ) from None


def _change(value: Any, kind: RuntimeType) -> Any:
    return _converter(kind.kind)(value)


_members: dict[str, Implementation] = {}
for _name, _target in _TARGETS.items():
    _kind = parse_type(_target)
    _members[f"static {_target} To{_name}(object value)"] = _converter(_kind)
    if _kind in INTEGRAL:
        _members[f"static {_target} To{_name}(string value, int fromBase)"] = (
            lambda text, base, kind=_kind: _from_base(text, base, kind)
        )  # fmt: skip
for _target in ("int", "long", "short", "byte"):
    _kind = parse_type(_target)
    _members[f"static string ToString({_target} value, int toBase)"] = (
        lambda value, base, kind=_kind: _to_base(value, base, kind)
    )  # fmt: skip
declare(
    "Convert",
    "System.Convert",
    {
        **_members,
        "static string ToString(string value)": "{0}",
        "static string! ToBase64String(byte[] inArray)": to_base64,
        "static byte[]! FromBase64String(string s)": from_base64,
        "static object ChangeType(object value, Type conversionType)": _change,
    },
    bases="object",
)
