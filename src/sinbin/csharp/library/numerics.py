"""The number types and bool."""

import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from sinbin.csharp.exceptions import CsException
from sinbin.csharp.formatting import format_number
from sinbin.csharp.library.comparing import compare_values
from sinbin.csharp.numbers import format_decimal, format_double, format_single, to_single
from sinbin.csharp.parsing import parse_bool, parse_decimal, parse_double, parse_integer
from sinbin.csharp.registry import Implementation, declare
from sinbin.csharp.types import DECIMAL, DOUBLE, FLOAT, INTEGRAL, Type
from sinbin.csharp.values import BOXES, equals

_FULL = {"int": "Int32", "long": "Int64", "short": "Int16", "sbyte": "SByte", "byte": "Byte", "ushort": "UInt16",
         "uint": "UInt32", "ulong": "UInt64"}  # fmt: skip


def attempt(parse: Callable[..., Any], fallback: Any) -> Callable[..., tuple[bool, Any]]:
    """Return the TryParse of a Parse: whether it went well, and the value or `fallback`."""

    def try_parse(*args: Any) -> tuple[bool, Any]:
        try:
            return True, parse(*args)
        except CsException:
            return False, fallback

    return try_parse


def _members(
    kind: Type, parse: Callable[[str | None], Any], zero: Any, text: Implementation
) -> dict[str, Implementation]:
    name = kind.name
    box = BOXES.get(kind, lambda value: value)
    return {
        f"static {name} Parse(string s)": parse,
        f"static bool TryParse(string s, out {name} result)": attempt(parse, zero),
        "string! ToString()": text,
        "string! ToString(string format)": lambda value, form: format_number(value, form, kind),
        f"int CompareTo({name} value)": compare_values,
        f"bool Equals({name} obj)": "({0} == {1})" if kind not in (DOUBLE, FLOAT) else equals,
        "bool Equals(object obj)": lambda value, other: equals(box(value), other),
        "int GetHashCode()": lambda value: hash(value) & 0x7FFFFFFF,
    }


def _parser(kind: Type) -> Callable[[str | None], int]:
    return lambda text: parse_integer(text, kind)


for _kind, (_low, _high) in INTEGRAL.items():
    declare(
        _kind.name,
        f"System.{_FULL[_kind.name]}",
        {
            **_members(_kind, _parser(_kind), 0, "int.__repr__({0})"),
            f"const {_kind.name} MinValue": _low,
            f"const {_kind.name} MaxValue": _high,
        },
        kind="struct",
        bases=f"IComparable; IEquatable<{_kind.name}>; object",
        default=int,
    )
_DOUBLE_TESTS: dict[str, Implementation] = {
    "static bool IsNaN(double d)": math.isnan,
    "static bool IsInfinity(double d)": math.isinf,
    "static bool IsPositiveInfinity(double d)": "({0} == float('inf'))",
    "static bool IsNegativeInfinity(double d)": "({0} == float('-inf'))",
}
declare(
    "double",
    "System.Double",
    {
        **_members(DOUBLE, parse_double, 0.0, format_double),
        **_DOUBLE_TESTS,
        "const double MaxValue": 1.7976931348623157e308,
        "const double MinValue": -1.7976931348623157e308,
        "const double Epsilon": 5e-324,
        "const double NaN": math.nan,
        "const double PositiveInfinity": math.inf,
        "const double NegativeInfinity": -math.inf,
    },
    kind="struct",
    bases="IComparable; IEquatable<double>; object",
    default=float,
)
declare(
    "float",
    "System.Single",
    {
        **_members(FLOAT, lambda text: to_single(parse_double(text)), 0.0, format_single),
        **_DOUBLE_TESTS,
        "const float MaxValue": to_single(3.4028234663852886e38),
        "const float MinValue": to_single(-3.4028234663852886e38),
        "const float Epsilon": to_single(1.401298464324817e-45),
    },
    kind="struct",
    bases="IComparable; IEquatable<float>; object",
    default=float,
)


def _decimal_places(places: int, value: Decimal) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-places)) if -value.as_tuple().exponent > places else value  # type: ignore[operator]


declare(
    "decimal",
    "System.Decimal",
    {
        **_members(DECIMAL, parse_decimal, Decimal(0), format_decimal),
        "static decimal Round(decimal d)": lambda d: _decimal_places(0, d),
        "static decimal Round(decimal d, int decimals)": lambda d, places: _decimal_places(places, d),
        "static decimal Truncate(decimal d)": lambda d: Decimal(int(d)),
        "static decimal Floor(decimal d)": lambda d: Decimal(math.floor(d)),
        "static decimal Ceiling(decimal d)": lambda d: Decimal(math.ceil(d)),
        "static int ToInt32(decimal d)": "int({0})",
        "static decimal MaxValue": Decimal(2**96 - 1),
        "static decimal MinValue": Decimal(-(2**96) + 1),
        "static decimal Zero": Decimal(0),
        "static decimal One": Decimal(1),
        "static decimal MinusOne": Decimal(-1),
    },
    kind="struct",
    bases="IComparable; IEquatable<decimal>; object",
    default=Decimal,
)
declare(
    "bool",
    "System.Boolean",
    {
        "static bool Parse(string value)": parse_bool,
        "static bool TryParse(string value, out bool result)": attempt(parse_bool, fallback=False),
        "string! ToString()": "('True' if {0} else 'False')",
        "int CompareTo(bool value)": "({0} - {1})",
        "bool Equals(bool obj)": "({0} == {1})",
        "bool Equals(object obj)": equals,
        "static string TrueString": "'True'",
        "static string FalseString": "'False'",
        "int GetHashCode()": "int({0})",
    },
    kind="struct",
    bases="IComparable; IEquatable<bool>; object",
    default=lambda: False,
)
declare("IComparable", "System.IComparable", {}, kind="interface")
declare("IEquatable", "System.IEquatable", {}, kind="interface", generics="T")
