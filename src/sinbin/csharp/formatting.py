"""Numbers by format string, and composite formats (`{0,8:N2}`), in the invariant culture.

Source: https://learn.microsoft.com/dotnet/standard/base-types/standard-numeric-format-strings and
.../custom-numeric-format-strings, .../composite-formatting, read 2026-11-29
"""

import math
import re
from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal
from typing import Any

from sinbin.csharp.exceptions import StepsExceededError, argument_null, raised
from sinbin.csharp.numbers import format_single, whole_number
from sinbin.csharp.text_size import checked_size, checked_text
from sinbin.csharp.types import FLOAT, INTEGRAL, Type
from sinbin.csharp.values import Single, to_text, type_of

_WIDE = Context(prec=400, rounding=ROUND_HALF_UP)
_EVEN = Context(prec=400, rounding=ROUND_HALF_EVEN)
_STANDARD = re.compile(r"([A-Za-z])(\d{0,3})")
_LONGEST_FORMAT = 1000
"""Of a custom format, whose placeholders are filled one by one; .NET sets no limit."""
_SPECIFIER = "Format specifier was invalid."


def format_value(value: Any, form: str | None) -> str:
    """Return `value.ToString(form)`; null gives an empty text, and a type without formats ignores `form`."""
    if value is None:
        return ""
    if not form:
        return to_text(value)
    own = getattr(value, "cs_format", None)
    if own is not None:
        text: str = own(form)
        return text
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        return format_number(value, form)
    return to_text(value)


def format_number(value: float | Decimal, form: str | None, kind: Type | None = None) -> str:
    """Return a number by a standard or a custom format; `kind` says its type when the value does not."""
    if not form:
        return format_single(value) if kind == FLOAT and isinstance(value, float) else to_text(value)
    kind = kind or type_of(value)
    if isinstance(value, float) and not math.isfinite(value):
        return to_text(float(value))
    match = _STANDARD.fullmatch(form)
    if match is None:
        if len(form) > _LONGEST_FORMAT:
            raise StepsExceededError(f"a format has more than {_LONGEST_FORMAT:,} characters")
        return _custom(value, form)
    letter, precision = match[1].upper(), int(match[2]) if match[2] else None
    integral = kind in INTEGRAL
    match letter:
        case "D" | "X" | "B":
            if not integral:
                raise raised("FormatException", _SPECIFIER)
            return _integer(int(value), letter, match[1], precision or 0, kind)
        case "G":
            return _general(value, precision, match[1], integral=integral)
        case "R":
            if integral:
                raise raised("FormatException", _SPECIFIER)
            return format_single(float(value)) if kind == FLOAT else to_text(value)
        case "F" | "N" | "C" | "P":
            return _fixed(value, letter, 2 if precision is None else precision)
        case "E":
            return _exponential(_exact(value), 6 if precision is None else precision, match[1], 3)
    raise raised("FormatException", _SPECIFIER)


def _exact(value: float | Decimal) -> Decimal:
    # A double is rounded from its exact binary value, a float from its own too.
    return Decimal(int(value)) if isinstance(value, int) else Decimal(value)


def _integer(value: int, letter: str, written: str, precision: int, kind: Type) -> str:
    if letter == "D":
        return ("-" if value < 0 else "") + str(abs(value)).rjust(precision, "0")
    low, high = INTEGRAL[kind]
    if value < 0:
        value += high - low + 1
    digits = f"{value:{'X' if written == 'X' else 'x'}}" if letter == "X" else f"{value:b}"
    return digits.rjust(precision, "0")


def _rounded(value: Decimal, places: int, context: Context = _WIDE) -> Decimal:
    digits = value.adjusted() + places + 2
    if digits > context.prec:
        context = Context(prec=digits, rounding=context.rounding)
    return value.quantize(Decimal(1).scaleb(-places), context=context)


def _fixed(value: float | Decimal, letter: str, places: int) -> str:
    number = _exact(value)
    if letter == "P":
        number = _WIDE.multiply(number, Decimal(100))
    # Halves of a double go to even (since .NET Core 2.1), those of a decimal away from zero.
    rounded = _rounded(number, places, _EVEN if isinstance(value, float) else _WIDE)
    text = f"{rounded.copy_abs():f}"
    negative = rounded < 0 or (rounded == 0 and isinstance(value, float) and math.copysign(1, value) < 0)
    if letter in "NCP":
        whole, dot, fraction = text.partition(".")
        text = f"{int(whole):,}{dot}{fraction}"
    match letter:
        case "C":
            return f"(¤{text})" if negative else f"¤{text}"
        case "P":
            return f"{'-' if negative else ''}{text} %"
    return f"{'-' if negative else ''}{text}"


def _exponential(number: Decimal, places: int, letter: str, width: int) -> str:
    if number == 0:
        mantissa, exponent = Decimal(0), 0
    else:
        exponent = number.adjusted()
        mantissa = _rounded(number.scaleb(-exponent, context=_WIDE), places)
        if abs(mantissa) >= 10:
            exponent += 1
            mantissa = _rounded(number.scaleb(-exponent, context=_WIDE), places)
    sign = "-" if exponent < 0 else "+"
    return f"{mantissa:.{places}f}{letter}{sign}{abs(exponent):0{width}d}"


def _general(value: float | Decimal, precision: int | None, letter: str, *, integral: bool) -> str:
    if not precision:
        text = to_text(value)
        return text if letter == "G" else text.replace("E", "e")
    number = _exact(value)
    if number == 0:
        return "0" if not (isinstance(value, float) and math.copysign(1, value) < 0) else "-0"
    digits = Context(prec=precision, rounding=ROUND_HALF_UP).plus(number)
    if isinstance(value, float) and precision > (7 if isinstance(value, Single) else 15):
        digits = Context(prec=precision, rounding=ROUND_HALF_EVEN).plus(number)
    exponent = digits.adjusted()
    if exponent >= precision or (exponent < -4 and not isinstance(value, Decimal)) or (exponent < -5):
        mantissa = f"{digits.scaleb(-exponent, context=_WIDE):f}"
        mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
        return f"{mantissa}{'E' if letter == 'G' else 'e'}{'-' if exponent < 0 else '+'}{abs(exponent):02d}"
    del integral
    text = f"{digits:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


_SECTION = re.compile(r"""\\.|'[^']*'|"[^"]*"|[^;]""", re.DOTALL)
_PIECE = re.compile(
    r"""\\(?P<escaped>.)|'(?P<single>[^']*)'|"(?P<double>[^"]*)"|(?P<exp>[eE][+-]?0+)|(?P<one>.)""", re.DOTALL
)


def _sections(form: str) -> list[str]:
    sections = [""]
    at = 0
    while at < len(form):
        match = _SECTION.match(form, at)
        if match is None:
            sections.append("")
            at += 1
        else:
            sections[-1] += match[0]
            at = match.end()
    return sections


def _custom(value: float | Decimal, form: str) -> str:
    sections = _sections(form)
    number = _exact(value) if not isinstance(value, float) else Decimal(repr(float(value)))
    chosen = sections[0]
    sign = number < 0
    if len(sections) > 1 and number < 0 and sections[1]:
        chosen, number, sign = sections[1], number.copy_abs(), False
    elif len(sections) > 2 and number == 0:
        chosen = sections[2]
    text, zero = _custom_section(number.copy_abs(), chosen)
    if len(sections) > 2 and zero and number != 0:
        text, _ = _custom_section(Decimal(0), sections[2])
        sign = False
    return f"-{text}" if sign and (not zero or isinstance(value, float)) else text


def _custom_section(number: Decimal, section: str) -> tuple[str, bool]:
    """Return the text of a number that is not negative, and whether it rounds to zero."""
    pieces: list[tuple[str, str]] = []
    for match in _PIECE.finditer(section):
        if match["one"] is not None and match["one"] in "0#.,%‰":
            pieces.append(("place", match["one"]))
        elif match["exp"]:
            pieces.append(("exp", match["exp"]))
        else:
            pieces.append(("text", match["escaped"] or match["single"] or match["double"] or match["one"] or ""))
    places = [text for kind, text in pieces if kind == "place"]
    number = number.scaleb(2 * places.count("%") + 3 * places.count("‰"), context=_WIDE)
    point = places.index(".") if "." in places else len(places)
    before = [text for text in places[:point] if text in "0#,"]
    scaling = 0
    while before and before[-1] == ",":
        scaling += 1
        before.pop()
    grouping = "," in before
    whole_slots = [text for text in before if text in "0#"]
    fraction_slots = [text for text in places[point + 1 :] if text in "0#"]
    number = number.scaleb(-3 * scaling, context=_WIDE)
    exponent = next((text for kind, text in pieces if kind == "exp"), None)
    power = 0
    if exponent is not None and number:
        power = number.adjusted() - max(len(whole_slots), 1) + 1
        number = number.scaleb(-power, context=_WIDE)
    rounded = _rounded(number, len(fraction_slots))
    whole, _, fraction = f"{rounded:f}".partition(".")
    least = len(whole_slots) - whole_slots.index("0") if "0" in whole_slots else 0
    whole = whole.lstrip("0").rjust(least, "0")
    keep = max((index + 1 for index, slot in enumerate(fraction_slots) if slot == "0"), default=0)
    fraction = fraction[:keep] + fraction[keep:].rstrip("0")
    return _lay_out(pieces, whole, fraction, len(whole_slots), grouping=grouping, power=power), rounded == 0


def _lay_out(
    pieces: list[tuple[str, str]], whole: str, fraction: str, slots: int, *, grouping: bool, power: int
) -> str:
    out: list[str] = []
    seen = used = 0
    after_point = False
    fraction_at = 0
    digits_left = len(whole)
    for kind, text in pieces:
        if kind == "text":
            out.append(text)
        elif kind == "exp":
            sign = "-" if power < 0 else "+" if text[1] == "+" else ""
            out.append(f"{text[0]}{sign}{abs(power):0{text.count('0')}d}")
        elif text == ".":
            after_point = True
            if fraction:
                out.append(".")
        elif text in "%‰":
            out.append(text)
        elif text in "0#" and after_point:
            if fraction_at < len(fraction):
                out.append(fraction[fraction_at])
                fraction_at += 1
        elif text in "0#":
            seen += 1
            take = len(whole) - (slots - seen) - used
            for _ in range(max(take, 0)):
                out.append(whole[used])
                used += 1
                digits_left -= 1
                if grouping and digits_left and digits_left % 3 == 0:
                    out.append(",")
    return "".join(out)


_MOST_PLACES = 1_000_000
_HOLE = re.compile(r"\{\{|\}\}|\{(\d+)\s*(?:,\s*(-?\d+)\s*)?(?::([^{}]*))?\}|[{}]")


def format_composite(form: str | None, values: Sequence[Any] | None) -> str:
    """Return `string.Format(form, values)`.

    Raises:
        CsException: ArgumentNullException, FormatException.
    """
    if form is None:
        raise argument_null("format")
    if values is None:
        raise argument_null("args")

    made = 0

    def fill(match: re.Match[str]) -> str:
        nonlocal made
        if match[0] in {"{{", "}}"}:
            return match[0][0]
        if match[1] is None:
            raise raised("FormatException", "Input string was not in a correct format.")
        place, width = whole_number(match[1]), whole_number(match[2] or "0")
        # .NET takes one digit more once it has read a number below its limit.
        if place >= 10 * _MOST_PLACES or abs(width) >= 10 * _MOST_PLACES:
            raise raised("FormatException", "Input string was not in a correct format.")
        if place >= len(values):
            raise raised(
                "FormatException",
                "Index (zero based) must be greater than or equal to zero and less than the size of the argument list.",  # noqa: E501
            )
        text = format_value(values[place], match[3])
        made += max(len(text), abs(width))
        checked_size(made)
        return text.ljust(-width) if width < 0 else text.rjust(width)

    return checked_text(_HOLE.sub(fill, form))
