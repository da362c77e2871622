"""System.Convert: between simple types by value, with checks.

Source: https://learn.microsoft.com/dotnet/api/system.convert, read 2026-11-29
"""

import math
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

from sinbin.csharp.date_parsing import parse_date, parse_offset, parse_span
from sinbin.csharp.dates import DateTime, DateTimeOffset
from sinbin.csharp.exceptions import raised
from sinbin.csharp.guids import parse_guid
from sinbin.csharp.numbers import to_decimal, to_single
from sinbin.csharp.parsing import parse_bool, parse_decimal, parse_double, parse_integer, too_large
from sinbin.csharp.types import BOOL, CHAR, DECIMAL, DOUBLE, FLOAT, INTEGRAL, OBJECT, STRING, Type
from sinbin.csharp.uris import Uri
from sinbin.csharp.values import BOXES, Char, full_name, to_text, type_of


def change_type(value: Any, kind: Type, *, from_json: bool = False) -> Any:
    """Return `value` (boxed, not null) as `kind`, as Convert.ChangeType and Convert.ToX do.

    Raises:
        CsException: FormatException, OverflowException, InvalidCastException.
    """
    if kind == OBJECT:
        return value
    if kind == STRING:
        return to_text(value)
    if kind in INTEGRAL:
        return to_integral(value, kind)
    if kind == DOUBLE:
        return to_real(value)
    if kind == FLOAT:
        return to_single(to_real(value))
    if kind == DECIMAL:
        return to_exact(value)
    if kind == BOOL:
        return to_bool(value)
    if kind == CHAR:
        return to_char(value)
    return _to_other(value, kind, from_json=from_json)


def _to_other(value: Any, kind: Type, *, from_json: bool) -> Any:
    if type_of(value) == kind:
        return value
    match kind.name:
        case "DateTime":
            if isinstance(value, DateTimeOffset):
                return value.clock
            if isinstance(value, str) and type(value) is str:
                return parse_date(value)
        case "DateTimeOffset":
            if isinstance(value, DateTime):
                return DateTimeOffset(value)
            if isinstance(value, str):
                return parse_offset(value)
        case "TimeSpan" if from_json or isinstance(value, str):
            return parse_span(to_text(value))
        case "Guid" if from_json or isinstance(value, str):
            return parse_guid(to_text(value))
        case "Uri" if from_json or isinstance(value, str):
            return Uri(to_text(value))
    raise _bad(value, kind)


def _bad(value: Any, kind: Type) -> Exception:
    source = full_name(type_of(value)).rpartition(".")[2]
    target = full_name(kind).rpartition(".")[2]
    return raised("InvalidCastException", f"Invalid cast from '{source}' to '{target}'.")


def to_integral(value: Any, kind: Type) -> int:
    """Return an integer; a fraction is rounded, halves to even."""
    low, high = INTEGRAL[kind]
    if isinstance(value, Char):
        whole = ord(value)
    elif isinstance(value, str):
        return parse_integer(value, kind)
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise raised("OverflowException", too_large(kind))
        whole = round(value)
    elif isinstance(value, Decimal):
        whole = int(value.quantize(Decimal(1), rounding=ROUND_HALF_EVEN))
    elif isinstance(value, int):
        whole = int(value)
    else:
        raise _bad(value, kind)
    if not low <= whole <= high:
        raise raised("OverflowException", too_large(kind))
    return whole


def to_real(value: Any) -> float:
    """Return a double."""
    if isinstance(value, Char):
        raise _bad(value, DOUBLE)
    if isinstance(value, str):
        return parse_double(value)
    if isinstance(value, int | float | Decimal):
        try:
            return float(value)
        except OverflowError:  # a BigInteger of JSON
            return math.inf if value > 0 else -math.inf
    raise _bad(value, DOUBLE)


def to_exact(value: Any) -> Decimal:
    """Return a decimal; of a double, 15 significant digits."""
    if isinstance(value, Char):
        raise _bad(value, DECIMAL)
    if isinstance(value, str):
        return parse_decimal(value)
    if isinstance(value, float):
        if not math.isfinite(value) or abs(value) >= 7.9228162514264338e28:
            raise raised("OverflowException", "Value was either too large or too small for a Decimal.")
        return to_decimal(Decimal(f"{Decimal(f'{value:.15g}').normalize():f}"))
    if isinstance(value, int | Decimal):
        return to_decimal(Decimal(int(value))) if isinstance(value, int) else value
    raise _bad(value, DECIMAL)


def to_bool(value: Any) -> bool:
    """Return a bool: any number but zero is true."""
    if isinstance(value, Char):
        raise _bad(value, BOOL)
    if isinstance(value, str):
        return parse_bool(value)
    if isinstance(value, int | float | Decimal):
        return bool(value)
    raise _bad(value, BOOL)


def to_char(value: Any) -> str:
    """Return a char."""
    if isinstance(value, Char):
        return str(value)
    if isinstance(value, str):
        if len(value) != 1:
            raise raised("FormatException", "String must be exactly one character long.")
        return value
    if isinstance(value, bool) or not isinstance(value, int):
        raise _bad(value, CHAR)
    if not 0 <= value <= 0xFFFF:
        raise raised("OverflowException", "Value was either too large or too small for a character.")
    return chr(value)


def box(value: Any, kind: Type) -> Any:
    """Return a value of static type `kind` in its box."""
    make = BOXES.get(kind)
    return value if make is None or value is None else make(value)
