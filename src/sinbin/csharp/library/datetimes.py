"""DateTime and DateTimeOffset.

API Management lists the members of DateTime that it allows (allowed.json), so no others are here.
"""

from typing import Any

from sinbin.csharp.date_parsing import parse_date, parse_offset
from sinbin.csharp.dates import (
    LOCAL,
    MAX_TICKS,
    TICKS_PER_DAY,
    TICKS_PER_HOUR,
    TICKS_PER_MINUTE,
    TICKS_PER_MS,
    TICKS_PER_SECOND,
    UNIX_EPOCH_TICKS,
    UTC,
    DateTime,
    DateTimeKind,
    DateTimeOffset,
    TimeSpan,
    days_in_month,
    from_unix,
    make_ticks,
)
from sinbin.csharp.exceptions import out_of_range, raised
from sinbin.csharp.formatting import format_value
from sinbin.csharp.library.comparing import compare_values, declare_enum
from sinbin.csharp.library.numerics import attempt
from sinbin.csharp.registry import declare, with_runtime

DayOfWeek = declare_enum(
    "DayOfWeek",
    "System.DayOfWeek",
    {
        name: number
        for number, name in enumerate(
            ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
        )
    },
)
declare(
    "DateTimeKind",
    "System.DateTimeKind",
    {"static DateTimeKind Utc": UTC},
    kind="enum",
    bases="Enum",
    default=lambda: DateTimeKind(0),
)
MIN = DateTime(0)


def _make(*parts: int) -> DateTime:
    return DateTime(make_ticks(*parts))


def _make_kind(*parts: Any) -> DateTime:
    return DateTime(make_ticks(*parts[:-1]), parts[-1])


@with_runtime
def _utc_now(rt: Any) -> DateTime:
    return from_unix(rt.now)


@with_runtime
def _now(rt: Any) -> DateTime:
    return DateTime(from_unix(rt.now).ticks, LOCAL)


@with_runtime
def _today(rt: Any) -> DateTime:
    ticks = from_unix(rt.now).ticks
    return DateTime(ticks - ticks % TICKS_PER_DAY, LOCAL)


def _leap(year: int) -> bool:
    if not 1 <= year <= 9999:
        raise out_of_range("year", "Year must be between 1 and 9999.")
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _weekday(value: DateTime) -> Any:
    return DayOfWeek(value.date.isoweekday() % 7)


def _units(unit: int) -> Any:
    return lambda value, count: value.plus_units(count, unit)


_COMPARE = {
    f"static bool operator {sign}({{0}} a, {{0}} b)": f"({{0}} {sign} {{1}})"
    for sign in ("<", "<=", ">", ">=", "==", "!=")
}


def comparisons(name: str) -> dict[str, str]:
    """Return the declarations of the six comparison operators of a type."""
    return {signature.replace("{0}", name): code for signature, code in _COMPARE.items()}


_PARTS = "int year, int month, int day"
_TIME = f"{_PARTS}, int hour, int minute, int second"
declare(
    "DateTime",
    "System.DateTime",
    {
        "new(long ticks)": DateTime,
        f"new({_PARTS})": _make,
        f"new({_TIME})": _make,
        f"new({_TIME}, int millisecond)": _make,
        f"new({_TIME}, DateTimeKind kind)": _make_kind,
        f"new({_TIME}, int millisecond, DateTimeKind kind)": _make_kind,
        "static DateTime! UtcNow": _utc_now,
        "static DateTime! Now": _now,
        "static DateTime! Today": _today,
        "static DateTime MinValue": MIN,
        "static DateTime MaxValue": DateTime(MAX_TICKS),
        "static DateTime! Parse(string s)": parse_date,
        "static int DaysInMonth(int year, int month)": days_in_month,
        "static bool IsLeapYear(int year)": _leap,
        "DateTime! Add(TimeSpan value)": "{0}.plus({1}.ticks)",
        "DateTime! AddDays(double value)": _units(TICKS_PER_DAY),
        "DateTime! AddHours(double value)": _units(TICKS_PER_HOUR),
        "DateTime! AddMinutes(double value)": _units(TICKS_PER_MINUTE),
        "DateTime! AddSeconds(double value)": _units(TICKS_PER_SECOND),
        "DateTime! AddMilliseconds(double value)": _units(TICKS_PER_MS),
        "DateTime! AddTicks(long value)": "{0}.plus({1})",
        "DateTime! AddMonths(int months)": "{0}.plus_months({1})",
        "DateTime! AddYears(int value)": "{0}.plus_years({1})",
        "TimeSpan! Subtract(DateTime value)": lambda a, b: TimeSpan(a.ticks - b.ticks),
        "DateTime! Subtract(TimeSpan value)": "{0}.plus(-{1}.ticks)",
        "DateTime! Date": lambda value: value.plus(-(value.ticks % TICKS_PER_DAY)),
        "int Year": "{0}.date.year",
        "int Month": "{0}.date.month",
        "int Day": "{0}.date.day",
        "int Hour": f"{{0}}.part({TICKS_PER_HOUR}, 24)",
        "int Minute": f"{{0}}.part({TICKS_PER_MINUTE}, 60)",
        "int Second": f"{{0}}.part({TICKS_PER_SECOND}, 60)",
        "int Millisecond": f"{{0}}.part({TICKS_PER_MS}, 1000)",
        "long Ticks": "{0}.ticks",
        "DayOfWeek! DayOfWeek": _weekday,
        "int DayOfYear": lambda value: value.date.timetuple().tm_yday,
        "TimeSpan! TimeOfDay": lambda value: TimeSpan(value.ticks % TICKS_PER_DAY),
        "bool IsDaylightSavingTime()": "False",
        "string! ToString()": "{0}.cs_text()",
        "string! ToString(string format)": format_value,
        "static DateTime operator +(DateTime d, TimeSpan t)": "{0}.plus({1}.ticks, 't')",
        "static DateTime operator -(DateTime d, TimeSpan t)": "{0}.plus(-{1}.ticks, 't')",
        "static TimeSpan operator -(DateTime d1, DateTime d2)": lambda a, b: TimeSpan(a.ticks - b.ticks),
        **comparisons("DateTime"),
    },
    kind="struct",
    bases="IComparable; object",
    default=lambda: MIN,
)


_NOT_LOCAL = (
    "The UTC Offset of the local dateTime parameter does not match the offset argument. (Parameter 'offset')"
)


def _offset_from(value: DateTime, offset: TimeSpan | None = None) -> DateTimeOffset:
    if offset is not None and offset.ticks and value.kind == UTC:
        raise raised(
            "ArgumentException", "The UTC Offset for Utc DateTime instances must be 0. (Parameter 'offset')"
        )
    if offset is not None and offset.ticks and value.kind == LOCAL:
        raise raised("ArgumentException", _NOT_LOCAL)
    return DateTimeOffset(value, 0 if offset is None else offset.ticks)


def _from_seconds(seconds: int) -> DateTimeOffset:
    if not -62_135_596_800 <= seconds <= 253_402_300_799:
        raise out_of_range("seconds", "Valid values are between -62135596800 and 253402300799, inclusive.")
    return DateTimeOffset(DateTime(UNIX_EPOCH_TICKS + seconds * TICKS_PER_SECOND))


def _from_millis(millis: int) -> DateTimeOffset:
    if not -62_135_596_800_000 <= millis <= 253_402_300_799_999:
        raise out_of_range(
            "milliseconds", "Valid values are between -62135596800000 and 253402300799999, inclusive."
        )
    return DateTimeOffset(DateTime(UNIX_EPOCH_TICKS + millis * TICKS_PER_MS))


@with_runtime
def _offset_now(rt: Any) -> DateTimeOffset:
    return DateTimeOffset(from_unix(rt.now))


def _clock(make: Any) -> Any:
    return lambda value, *args: value.moved(make(value.clock, *args))


declare(
    "DateTimeOffset",
    "System.DateTimeOffset",
    {
        "new(DateTime dateTime)": _offset_from,
        "new(DateTime dateTime, TimeSpan offset)": _offset_from,
        f"new({_TIME}, TimeSpan offset)": lambda *parts: _offset_from(_make(*parts[:-1]), parts[-1]),
        "static DateTimeOffset! UtcNow": _offset_now,
        "static DateTimeOffset! Now": _offset_now,
        "static DateTimeOffset MinValue": DateTimeOffset(MIN),
        "static DateTimeOffset MaxValue": DateTimeOffset(DateTime(MAX_TICKS)),
        "static DateTimeOffset! Parse(string input)": parse_offset,
        "static bool TryParse(string input, out DateTimeOffset result)": attempt(
            parse_offset, DateTimeOffset(MIN)
        ),
        "static DateTimeOffset! FromUnixTimeSeconds(long seconds)": _from_seconds,
        "static DateTimeOffset! FromUnixTimeMilliseconds(long milliseconds)": _from_millis,
        "long ToUnixTimeSeconds()": f"(({{0}}.ticks - {UNIX_EPOCH_TICKS}) // {TICKS_PER_SECOND})",
        "long ToUnixTimeMilliseconds()": f"(({{0}}.ticks - {UNIX_EPOCH_TICKS}) // {TICKS_PER_MS})",
        "DateTimeOffset! Add(TimeSpan timeSpan)": lambda value, span: value.moved(value.clock.plus(span.ticks)),
        "TimeSpan! Subtract(DateTimeOffset value)": lambda a, b: TimeSpan(a.ticks - b.ticks),
        "DateTimeOffset! Subtract(TimeSpan value)": lambda value, span: value.moved(value.clock.plus(-span.ticks)),
        "DateTimeOffset! AddDays(double days)": _clock(_units(TICKS_PER_DAY)),
        "DateTimeOffset! AddHours(double hours)": _clock(_units(TICKS_PER_HOUR)),
        "DateTimeOffset! AddMinutes(double minutes)": _clock(_units(TICKS_PER_MINUTE)),
        "DateTimeOffset! AddSeconds(double seconds)": _clock(_units(TICKS_PER_SECOND)),
        "DateTimeOffset! AddMilliseconds(double milliseconds)": _clock(_units(TICKS_PER_MS)),
        "DateTimeOffset! AddMonths(int months)": _clock(DateTime.plus_months),
        "DateTimeOffset! AddYears(int years)": _clock(DateTime.plus_years),
        "DateTime! DateTime": "{0}.clock",
        "DateTime! UtcDateTime": lambda value: DateTime(value.ticks, UTC),
        "DateTime! Date": lambda value: value.clock.plus(-(value.clock.ticks % TICKS_PER_DAY)),
        "DateTimeOffset! ToUniversalTime()": lambda value: DateTimeOffset(DateTime(value.ticks)),
        "DateTimeOffset! ToLocalTime()": lambda value: DateTimeOffset(DateTime(value.ticks)),
        "DateTimeOffset! ToOffset(TimeSpan offset)": lambda v, o: DateTimeOffset(
            DateTime(v.ticks).plus(o.ticks, "t"), o.ticks
        ),
        "TimeSpan! Offset": lambda value: TimeSpan(value.offset),
        "long Ticks": "{0}.clock.ticks",
        "long UtcTicks": "{0}.ticks",
        "int Year": "{0}.clock.date.year",
        "int Month": "{0}.clock.date.month",
        "int Day": "{0}.clock.date.day",
        "int Hour": f"{{0}}.clock.part({TICKS_PER_HOUR}, 24)",
        "int Minute": f"{{0}}.clock.part({TICKS_PER_MINUTE}, 60)",
        "int Second": f"{{0}}.clock.part({TICKS_PER_SECOND}, 60)",
        "int Millisecond": f"{{0}}.clock.part({TICKS_PER_MS}, 1000)",
        "DayOfWeek! DayOfWeek": lambda value: _weekday(value.clock),
        "int CompareTo(DateTimeOffset other)": compare_values,
        "string! ToString()": "{0}.cs_text()",
        "string! ToString(string format)": format_value,
        "implicit DateTimeOffset(DateTime dateTime)": _offset_from,
        "static DateTimeOffset operator +(DateTimeOffset d, TimeSpan t)": lambda d, t: d.moved(
            d.clock.plus(t.ticks, "t")
        ),
        "static DateTimeOffset operator -(DateTimeOffset d, TimeSpan t)": lambda d, t: d.moved(
            d.clock.plus(-t.ticks, "t")
        ),
        "static TimeSpan operator -(DateTimeOffset a, DateTimeOffset b)": lambda a, b: TimeSpan(a.ticks - b.ticks),
        **comparisons("DateTimeOffset"),
    },
    kind="struct",
    bases="IComparable; object",
    default=lambda: DateTimeOffset(MIN),
)
