"""Text as numbers and bools, invariant culture.

Source: https://learn.microsoft.com/dotnet/api/system.int32.parse and its like, read 2026-11-29
"""

import math
import re
from decimal import Decimal, InvalidOperation

from sinbin.csharp.exceptions import argument_null, raised
from sinbin.csharp.numbers import to_decimal, whole_number
from sinbin.csharp.types import INTEGRAL, Type

BAD_FORMAT = "Input string was not in a correct format."
_SPACE = " \t\n\v\f\r"
_INTEGER = re.compile(r"[+-]?[0-9]+")
_REAL = re.compile(r"[+-]?(?:[0-9][0-9,]*)?(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?")


def too_large(kind: Type) -> str:
    """Return the message of an overflow in `kind`, as .NET words it."""
    words = {"sbyte": "a signed byte", "byte": "an unsigned byte", "short": "an Int16", "ushort": "a UInt16",
             "int": "an Int32", "uint": "a UInt32", "long": "an Int64", "ulong": "a UInt64"}  # fmt: skip
    return f"Value was either too large or too small for {words[kind.name]}."


def parse_integer(text: str | None, kind: Type) -> int:
    """Return the integer in `text`.

    Raises:
        CsException: ArgumentNullException, FormatException, OverflowException.
    """
    if text is None:
        raise argument_null("s")
    stripped = text.rstrip("\0").strip(_SPACE)
    if not _INTEGER.fullmatch(stripped):
        raise raised("FormatException", BAD_FORMAT)
    value = whole_number(stripped)
    low, high = INTEGRAL[kind]
    if not low <= value <= high:
        raise raised("OverflowException", too_large(kind))
    return value


def parse_double(text: str | None) -> float:
    """Return the double in `text`: thousands separators and an exponent are taken.

    Raises:
        CsException: ArgumentNullException, FormatException.
    """
    if text is None:
        raise argument_null("s")
    stripped = text.rstrip("\0").strip(_SPACE)
    word = stripped.lstrip("+-").lower()
    if word in {"infinity", "nan", "∞"}:
        value = math.nan if word == "nan" else math.inf
        return -value if stripped.startswith("-") else value
    if not _REAL.fullmatch(stripped) or not any(c.isdigit() for c in stripped.lower().partition("e")[0]):
        raise raised("FormatException", BAD_FORMAT)
    return float(stripped.replace(",", ""))


def parse_decimal(text: str | None) -> Decimal:
    """Return the decimal in `text`.

    Raises:
        CsException: ArgumentNullException, FormatException, OverflowException.
    """
    if text is None:
        raise argument_null("s")
    stripped = text.rstrip("\0").strip(_SPACE)
    if stripped.endswith("-"):
        stripped = f"-{stripped[:-1].strip(_SPACE)}"
    if not _REAL.fullmatch(stripped) or "e" in stripped.lower():
        raise raised("FormatException", BAD_FORMAT)
    try:
        return to_decimal(Decimal(stripped.replace(",", "")))
    except InvalidOperation:
        raise raised("FormatException", BAD_FORMAT) from None


def parse_bool(text: str | None) -> bool:
    """Return True or False from its name, in any case.

    Raises:
        CsException: ArgumentNullException, FormatException.
    """
    if text is None:
        raise argument_null("value")
    word = text.strip(_SPACE + "\0").lower()
    if word not in {"true", "false"}:
        raise raised("FormatException", f"String '{text}' was not recognized as a valid Boolean.")
    return word == "true"
