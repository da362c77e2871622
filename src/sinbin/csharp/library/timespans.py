"""TimeSpan."""

from typing import Any

from sinbin.csharp.date_parsing import parse_span
from sinbin.csharp.dates import (
    TICKS_PER_DAY,
    TICKS_PER_HOUR,
    TICKS_PER_MINUTE,
    TICKS_PER_MS,
    TICKS_PER_SECOND,
    TimeSpan,
)
from sinbin.csharp.exceptions import CsException, raised
from sinbin.csharp.formatting import format_value
from sinbin.csharp.library.comparing import compare_values
from sinbin.csharp.library.datetimes import comparisons
from sinbin.csharp.library.numerics import attempt
from sinbin.csharp.registry import declare

ZERO = TimeSpan(0)
MIN = TimeSpan(-(2**63))
_NO_LENGTH = (
    "The duration cannot be returned for TimeSpan.MinValue because the absolute value of TimeSpan.MinValue exceeds "
    "the value of TimeSpan.MaxValue."
)
_UNITS = {"Days": TICKS_PER_DAY, "Hours": TICKS_PER_HOUR, "Minutes": TICKS_PER_MINUTE, "Seconds": TICKS_PER_SECOND,
          "Milliseconds": TICKS_PER_MS}  # fmt: skip
_WITHIN = {"Days": 0, "Hours": 24, "Minutes": 60, "Seconds": 60, "Milliseconds": 1000}


def _of(unit: int) -> Any:
    return lambda value: TimeSpan.of(value, unit)


def _make(*parts: int) -> TimeSpan:
    if len(parts) == 3:
        parts = (0, *parts)
    days, hours, minutes, seconds, *millis = parts
    ticks = days * TICKS_PER_DAY + hours * TICKS_PER_HOUR + minutes * TICKS_PER_MINUTE + seconds * TICKS_PER_SECOND
    try:
        return TimeSpan(ticks + (millis[0] if millis else 0) * TICKS_PER_MS)
    except CsException as error:
        raise raised("ArgumentOutOfRangeException", error.message) from None


def _negated(value: TimeSpan) -> TimeSpan:
    if value == MIN:
        raise raised("OverflowException", "Negating the minimum value of a twos complement number is invalid.")
    return TimeSpan(-value.ticks)


def _length(value: TimeSpan) -> TimeSpan:
    if value == MIN:
        raise raised("OverflowException", _NO_LENGTH)
    return TimeSpan(abs(value.ticks))


declare(
    "TimeSpan",
    "System.TimeSpan",
    {
        "new(long ticks)": TimeSpan,
        "new(int hours, int minutes, int seconds)": _make,
        "new(int days, int hours, int minutes, int seconds)": _make,
        "new(int days, int hours, int minutes, int seconds, int milliseconds)": _make,
        **{f"static TimeSpan! From{name}(double value)": _of(unit) for name, unit in _UNITS.items()},
        "static TimeSpan! FromTicks(long value)": TimeSpan,
        **{f"int {name}": f"{{0}}.part({unit}, {_WITHIN[name]})" for name, unit in _UNITS.items()},
        **{f"double Total{name}": f"({{0}}.ticks / {unit})" for name, unit in _UNITS.items()},
        **{f"const long TicksPer{name[:-1]}": unit for name, unit in _UNITS.items()},
        "long Ticks": "{0}.ticks",
        "static TimeSpan Zero": ZERO,
        "static TimeSpan MaxValue": TimeSpan(2**63 - 1),
        "static TimeSpan MinValue": MIN,
        "static TimeSpan! Parse(string s)": parse_span,
        "static bool TryParse(string s, out TimeSpan result)": attempt(parse_span, ZERO),
        "TimeSpan! Add(TimeSpan ts)": lambda a, b: TimeSpan(a.ticks + b.ticks),
        "TimeSpan! Subtract(TimeSpan ts)": lambda a, b: TimeSpan(a.ticks - b.ticks),
        "TimeSpan! Negate()": _negated,
        "TimeSpan! Duration()": _length,
        "int CompareTo(TimeSpan value)": compare_values,
        "bool Equals(TimeSpan obj)": "({0} == {1})",
        "string! ToString()": "{0}.cs_text()",
        "string! ToString(string format)": format_value,
        "static TimeSpan operator +(TimeSpan a, TimeSpan b)": lambda a, b: TimeSpan(a.ticks + b.ticks),
        "static TimeSpan operator -(TimeSpan a, TimeSpan b)": lambda a, b: TimeSpan(a.ticks - b.ticks),
        "static TimeSpan operator -(TimeSpan a)": _negated,
        **comparisons("TimeSpan"),
    },
    kind="struct",
    bases="IComparable; object",
    default=lambda: ZERO,
)
