"""Arithmetic of .NET: integers that wrap, truncate and overflow, and numbers as text.

Source: C# specification 12.10 (arithmetic operators);
https://learn.microsoft.com/dotnet/standard/base-types/standard-numeric-format-strings, read 2026-11-29;
double.ToString gives the shortest text that reads back (since .NET Core 3.0).
"""

import decimal
import math
import struct
from decimal import Decimal

from sinbin.csharp.exceptions import raised
from sinbin.csharp.types import INTEGRAL, Type

_DECIMAL_MAX = 2**96 - 1
_DECIMAL_SCALE = 28
_WIDE = decimal.Context(prec=80, rounding=decimal.ROUND_HALF_EVEN)
"""Room for every digit of an intermediate result of decimals."""
_MOST_DIGITS = 400
"""More than any number of .NET keeps, BigInteger apart, and fewer than Python is willing to read."""
_BEYOND = 10**_MOST_DIGITS
_AN = {
    "int": "an Int32", "long": "an Int64", "short": "an Int16", "sbyte": "a signed byte", "byte": "an unsigned byte",  # noqa: E501
    "ushort": "a UInt16", "uint": "a UInt32", "ulong": "a UInt64",
}  # fmt: skip


def whole_number(text: str) -> int:
    """Return the integer in `text`, a sign and digits; of one that no type holds only that it is large."""
    digits = text.lstrip("+-").lstrip("0") or "0"
    value = int(digits) if len(digits) <= _MOST_DIGITS else _BEYOND
    return -value if text.startswith("-") else value


def wrap(value: int, kind: Type) -> int:
    """Return `value` cut to the width of the integral type `kind`, as unchecked arithmetic does."""
    low, high = INTEGRAL[kind]
    return (value - low) % (high - low + 1) + low


def within(value: int, kind: Type) -> int:
    """Return `value` if it fits into the integral type `kind`.

    Raises:
        CsException: OverflowException.
    """
    low, high = INTEGRAL[kind]
    if low <= value <= high:
        return value
    raise raised("OverflowException")


def divide_integer(left: int, right: int, low: int) -> int:
    """Return left / right toward zero; `low` is the type's smallest value, which -1 does not divide."""
    if right == 0:
        raise raised("DivideByZeroException")
    if right == -1 and left == low and low:
        raise raised("OverflowException")
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def remainder_integer(left: int, right: int, low: int) -> int:
    """Return left % right with the sign of `left`."""
    if right == 0:
        raise raised("DivideByZeroException")
    if right == -1 and left == low and low:
        raise raised("OverflowException")
    rest = abs(left) % abs(right)
    return -rest if left < 0 else rest


def divide_double(left: float, right: float) -> float:
    """Return left / right as IEEE 754 says: no exception, infinities and NaN."""
    try:
        return left / right
    except ZeroDivisionError:
        if left == 0 or math.isnan(left):
            return math.nan
        return math.copysign(math.inf, left) * math.copysign(1.0, right)


def remainder_double(left: float, right: float) -> float:
    """Return left % right with the sign of `left`, NaN for a zero divisor."""
    if right == 0 or math.isinf(left) or math.isnan(left) or math.isnan(right):
        return math.nan
    return math.fmod(left, right)


def to_single(value: float) -> float:
    """Return `value` rounded to a float (32 bits)."""
    if math.isnan(value) or math.isinf(value):
        return value
    try:
        rounded: float = struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return rounded


def truncate(value: float, kind: Type) -> int:
    """Return a double cut to the integral type `kind`; out of range wraps through 64 bits as .NET Core does."""
    low, high = INTEGRAL[kind]
    if math.isnan(value) or not -(2.0**63) <= value < 2.0**64:
        return low or 0
    whole = int(value)
    if low <= whole <= high:
        return whole
    return low if kind.name == "int" else wrap(whole, kind)


def truncate_checked(value: float | Decimal, kind: Type) -> int:
    """Return a double or decimal cut to the integral type `kind`.

    Raises:
        CsException: OverflowException.
    """
    if not math.isfinite(value):
        raise raised("OverflowException")
    try:
        return within(int(value), kind)
    except Exception:
        if isinstance(value, Decimal):
            raise raised(
                "OverflowException", f"Value was either too large or too small for {_AN[kind.name]}."
            ) from None
        raise


def to_decimal(value: Decimal) -> Decimal:
    """Return `value` within the range and scale of System.Decimal (96 bits, 28 places, banker's rounding).

    Raises:
        CsException: OverflowException.
    """
    _sign, _digits, exponent = value.as_tuple()
    if not isinstance(exponent, int):
        raise raised("OverflowException", "Value was either too large or too small for a Decimal.")
    if value and value.adjusted() > _DECIMAL_SCALE:
        raise raised("OverflowException", "Value was either too large or too small for a Decimal.")
    if exponent > 0:
        value = value.quantize(Decimal(1), context=decimal.Context(prec=60))
        exponent = 0
    scale = min(-exponent, _DECIMAL_SCALE)
    while True:
        rounded = value.quantize(Decimal(1).scaleb(-scale), context=_WIDE)
        if abs(int(rounded.scaleb(scale, context=_WIDE))) <= _DECIMAL_MAX:
            return rounded
        if scale == 0:
            raise raised("OverflowException", "Value was either too large or too small for a Decimal.")
        scale -= 1


def decimal_binary(operator: str, left: Decimal, right: Decimal) -> Decimal:
    """Return `left operator right` for decimals; the scale grows as in .NET (`1.0m * 2.00m` is 2.000)."""
    match operator:
        case "+":
            return to_decimal(_WIDE.add(left, right))
        case "-":
            return to_decimal(_WIDE.subtract(left, right))
        case "*":
            return to_decimal(_WIDE.multiply(left, right))
    if right == 0:
        raise raised("DivideByZeroException")
    if operator == "%" and abs(left) < abs(right):
        return left
    if operator == "%":
        return to_decimal(_WIDE.remainder(left, right))
    quotient = to_decimal(_WIDE.divide(left, right))
    # A division keeps no more trailing zeros than its operands bring along.
    least = max(0, -_exponent(left) + _exponent(right))
    while -_exponent(quotient) > least and quotient == quotient.quantize(
        Decimal(1).scaleb(_exponent(quotient) + 1)
    ):
        quotient = quotient.quantize(Decimal(1).scaleb(_exponent(quotient) + 1))
    return quotient


def _exponent(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0


def format_decimal(value: Decimal) -> str:
    """Return decimal.ToString(): plain digits, trailing zeros kept."""
    return f"{value:f}" if value else f"{abs(value):f}"


def format_double(value: float) -> str:
    """Return double.ToString() of .NET Core 3.0 and later, invariant culture."""
    return _format_shortest(value, repr(value))


def format_single(value: float) -> str:
    """Return float.ToString(): the shortest digits that read back to the same 32 bits."""
    if math.isfinite(value):
        for digits in range(1, 10):
            text = f"{value:.{digits}g}"
            if to_single(float(text)) == value:
                return _format_shortest(value, text, 7)
    return _format_shortest(value, repr(value))


def _format_shortest(value: float, text: str, exponent_from: int = 15) -> str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    sign = "-" if text.startswith("-") else ""
    mantissa, _, power = text.lstrip("-").partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(power or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    if not digits:
        return f"{sign}0"
    if point > max(len(digits), exponent_from) or point < -3:
        tail = f".{digits[1:]}" if len(digits) > 1 else ""
        exponent = point - 1
        return f"{sign}{digits[0]}{tail}E{'-' if exponent < 0 else '+'}{abs(exponent):02d}"
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    return f"{sign}{digits[:point].ljust(point, '0')}" + (f".{digits[point:]}" if len(digits) > point else "")
