"""System.Math and MidpointRounding."""

import math
from collections.abc import Callable
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from typing import Any

from sinbin.csharp.exceptions import out_of_range, raised
from sinbin.csharp.library.comparing import declare_enum
from sinbin.csharp.numbers import divide_double
from sinbin.csharp.registry import Implementation, declare
from sinbin.csharp.types import INTEGRAL, Type

MidpointRounding = declare_enum("MidpointRounding", "System.MidpointRounding", {"ToEven": 0, "AwayFromZero": 1})
_MODES = (ROUND_HALF_EVEN, ROUND_HALF_UP)


def _round(value: float, digits: int = 0, mode: int = 0) -> float:
    if not 0 <= digits <= 15:
        raise out_of_range("digits", "Rounding digits must be between 0 and 15, inclusive.")
    if not math.isfinite(value) or abs(value) >= 1e16:
        return value
    # .NET scales by a power of ten, rounds, and scales back: halves are those of the scaled double.
    power = 10.0**digits
    scaled = value * power
    if mode == 0:
        rounded = float(round(scaled))
    else:
        whole = math.trunc(scaled)
        rounded = float(whole + (math.copysign(1, scaled) if abs(scaled - whole) >= 0.5 else 0))
    return math.copysign(rounded / power, value)


def _round_decimal(value: Decimal, digits: int = 0, mode: int = 0) -> Decimal:
    if not 0 <= digits <= 28:
        raise out_of_range("decimals", "Decimal can only round to between 0 and 28 digits of precision.")
    exponent = value.as_tuple().exponent
    if isinstance(exponent, int) and -exponent <= digits:
        return value
    return value.quantize(Decimal(1).scaleb(-digits), rounding=_MODES[mode])


def _ieee(function: Callable[..., float]) -> Callable[..., float]:
    """Return a function of math that answers NaN or an infinity instead of raising."""

    def guarded(*args: float) -> float:
        try:
            return function(*args)
        except ValueError:
            return math.nan
        except OverflowError:
            return math.inf

    return guarded


def _pow(base: float, exponent: float) -> float:
    try:
        return math.pow(base, exponent)
    except ValueError:
        return math.inf if base == 0 else math.nan
    except OverflowError:
        return -math.inf if base < 0 and exponent % 2 == 1 else math.inf


def _log(value: float, base: float = math.e) -> float:
    if math.isnan(value) or value < 0:
        return math.nan
    if value == 0:
        return -math.inf
    if math.isinf(value):
        return math.inf
    if base == math.e:
        return math.log(value)
    if base == 1 or base <= 0:
        return math.nan
    return divide_double(math.log(value), math.log(base))


def _abs(kind: Type) -> Callable[[int], int]:
    low = INTEGRAL[kind][0]

    def absolute(value: int) -> int:
        if value == low and low:
            raise raised("OverflowException", "Negating the minimum value of a twos complement number is invalid.")
        return abs(value)

    return absolute


def _sign(value: Any) -> int:
    if value != value:
        raise raised("ArithmeticException", "Function does not accept floating point Not-a-Number values.")
    return int(value > 0) - int(value < 0)


def _clamp(value: Any, low: Any, high: Any) -> Any:
    if low > high:
        raise raised("ArgumentException", f"'{low}' cannot be greater than {high}.")
    return min(max(value, low), high)


def _extreme(pick: Callable[..., Any]) -> Callable[[float, float], float]:
    return lambda a, b: math.nan if a != a or b != b else pick(a, b)


def _whole(function: Callable[[float], int]) -> Callable[[float], float]:
    return lambda value: value if not math.isfinite(value) else math.copysign(float(function(value)), value)


def _div_rem(a: int, b: int) -> tuple[int, int]:
    if b == 0:
        raise raised("DivideByZeroException")
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return quotient, a - quotient * b


_members: dict[str, Implementation] = {
    "const double PI": math.pi,
    "const double E": math.e,
    "static double Floor(double d)": _whole(math.floor),
    "static decimal Floor(decimal d)": lambda d: Decimal(math.floor(d)),
    "static double Ceiling(double a)": _whole(math.ceil),
    "static decimal Ceiling(decimal d)": lambda d: Decimal(math.ceil(d)),
    "static double Truncate(double d)": _whole(math.trunc),
    "static decimal Truncate(decimal d)": lambda d: Decimal(math.trunc(d)),
    "static double Round(double a)": _round,
    "static double Round(double value, int digits)": _round,
    "static double Round(double value, MidpointRounding mode)": lambda value, mode: _round(value, 0, mode),
    "static double Round(double value, int digits, MidpointRounding mode)": _round,
    "static decimal Round(decimal d)": _round_decimal,
    "static decimal Round(decimal d, int decimals)": _round_decimal,
    "static decimal Round(decimal d, MidpointRounding mode)": lambda value, mode: _round_decimal(value, 0, mode),
    "static decimal Round(decimal d, int decimals, MidpointRounding mode)": _round_decimal,
    "static double Sqrt(double d)": _ieee(math.sqrt),
    "static double Cbrt(double d)": lambda d: math.copysign(abs(d) ** (1 / 3), d),
    "static double Pow(double x, double y)": _pow,
    "static double Exp(double d)": _ieee(math.exp),
    "static double Log(double d)": _log,
    "static double Log(double a, double newBase)": _log,
    "static double Log10(double d)": lambda d: math.log10(d) if d > 0 and math.isfinite(d) else _log(d),
    "static double Sin(double a)": _ieee(math.sin),
    "static double Cos(double d)": _ieee(math.cos),
    "static double Tan(double a)": _ieee(math.tan),
    "static double Asin(double d)": _ieee(math.asin),
    "static double Acos(double d)": _ieee(math.acos),
    "static double Atan(double d)": math.atan,
    "static double Atan2(double y, double x)": math.atan2,
    "static int DivRem(int a, int b, out int result)": _div_rem,
    "static long BigMul(int a, int b)": "({0} * {1})",
}


for _kind in ("int", "long", "uint", "ulong", "short", "byte", "double", "float", "decimal"):
    _real = _kind in {"double", "float"}
    _members[f"static {_kind} Max({_kind} val1, {_kind} val2)"] = _extreme(max) if _real else "max({0}, {1})"
    _members[f"static {_kind} Min({_kind} val1, {_kind} val2)"] = _extreme(min) if _real else "min({0}, {1})"
    _members[f"static {_kind} Clamp({_kind} value, {_kind} min, {_kind} max)"] = _clamp
for _kind in ("int", "long", "short", "double", "float", "decimal"):
    _integral = Type(_kind) in INTEGRAL
    _members[f"static {_kind} Abs({_kind} value)"] = _abs(Type(_kind)) if _integral else "abs({0})"
    _members[f"static int Sign({_kind} value)"] = _sign
declare("Math", "System.Math", _members, bases="object")
