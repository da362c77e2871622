"""DateTime, DateTimeOffset and TimeSpan: ticks of 100 nanoseconds since 0001-01-01.

Source: https://learn.microsoft.com/dotnet/api/system.datetime and system.timespan, read 2026-11-29. The time zone
is UTC: local time and UTC are the same here.
"""

import datetime as dt
import math
from typing import Any, ClassVar

from sinbin.csharp.exceptions import out_of_range, raised
from sinbin.csharp.types import Type
from sinbin.csharp.values import CsObject, EnumValue

TICKS_PER_MS, TICKS_PER_SECOND = 10_000, 10_000_000
TICKS_PER_MINUTE, TICKS_PER_HOUR, TICKS_PER_DAY = 600_000_000, 36_000_000_000, 864_000_000_000
MAX_TICKS = 3_155_378_975_999_999_999
UNIX_EPOCH_TICKS = 621_355_968_000_000_000
MAX_OFFSET = 14 * TICKS_PER_HOUR
"""How far a clock may be from UTC (ticks)."""
_MAX_SPAN, _MIN_SPAN = 2**63 - 1, -(2**63)

DateTimeKind = EnumValue.define("DateTimeKind", {"Unspecified": 0, "Utc": 1, "Local": 2})
UNSPECIFIED, UTC, LOCAL = DateTimeKind(0), DateTimeKind(1), DateTimeKind(2)

_UTC_RANGE = "The UTC time represented when the offset is applied must be between year 0 and 10,000."
_RANGE = "The added or subtracted value results in an un-representable DateTime."


class Ticks(CsObject):
    """A value that is a number of ticks: ordered and equal by it."""

    __slots__ = ("ticks",)

    def __init__(self, ticks: int) -> None:
        self.ticks = ticks

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.ticks == other.ticks

    def __hash__(self) -> int:
        return hash(self.ticks)

    def __lt__(self, other: Any) -> bool:
        return bool(self.ticks < other.ticks)

    def __le__(self, other: Any) -> bool:
        return bool(self.ticks <= other.ticks)

    def __gt__(self, other: Any) -> bool:
        return bool(self.ticks > other.ticks)

    def __ge__(self, other: Any) -> bool:
        return bool(self.ticks >= other.ticks)


class TimeSpan(Ticks):
    """A length of time."""

    __slots__ = ()
    cs_type: ClassVar[Type] = Type("TimeSpan")

    def __init__(self, ticks: int) -> None:
        if not _MIN_SPAN <= ticks <= _MAX_SPAN:
            raise raised("OverflowException", "TimeSpan overflowed because the duration is too long.")
        super().__init__(ticks)

    @classmethod
    def of(cls, value: float, unit: int) -> "TimeSpan":
        """Return `value` units of `unit` ticks, rounded to a millisecond as .NET before 7 did not: to a tick.

        Raises:
            CsException: ArgumentException for NaN, OverflowException.
        """
        if math.isnan(value):
            raise raised("ArgumentException", "TimeSpan does not accept floating point Not-a-Number values.")
        ticks = value * unit
        if not _MIN_SPAN <= ticks <= _MAX_SPAN:
            raise raised("OverflowException", "TimeSpan overflowed because the duration is too long.")
        return cls(int(ticks))

    def part(self, unit: int, count: int) -> int:
        """Return a component: whole units within the next larger one, toward zero."""
        whole = abs(self.ticks) // unit
        whole = whole % count if count else whole
        return -whole if self.ticks < 0 else whole

    def cs_text(self) -> str:
        """Return the "c" format: [-][d.]hh:mm:ss[.fffffff]."""
        rest = abs(self.ticks)
        days, rest = divmod(rest, TICKS_PER_DAY)
        hours, rest = divmod(rest, TICKS_PER_HOUR)
        minutes, rest = divmod(rest, TICKS_PER_MINUTE)
        seconds, fraction = divmod(rest, TICKS_PER_SECOND)
        text = f"{'-' if self.ticks < 0 else ''}{f'{days}.' if days else ''}{hours:02}:{minutes:02}:{seconds:02}"
        return f"{text}.{fraction:07}" if fraction else text

    def cs_format(self, form: str) -> str:
        """Return the text in a format."""
        from sinbin.csharp.date_formats import format_span  # noqa: PLC0415

        return format_span(self, form)


class DateTime(Ticks):
    """A point in time of one kind."""

    __slots__ = ("kind",)
    cs_type: ClassVar[Type] = Type("DateTime")

    def __init__(self, ticks: int, kind: EnumValue = UNSPECIFIED) -> None:
        if not 0 <= ticks <= MAX_TICKS:
            raise out_of_range("value", _RANGE)
        super().__init__(ticks)
        self.kind = kind

    def plus(self, ticks: int, parameter: str = "value") -> "DateTime":
        """Return the time `ticks` later, of the same kind; a complaint names `parameter`."""
        moved = self.ticks + ticks
        if not 0 <= moved <= MAX_TICKS:
            raise out_of_range(parameter, _RANGE)
        return DateTime(moved, self.kind)

    def plus_units(self, value: float, unit: int) -> "DateTime":
        """Return the time `value` units of `unit` ticks later; .NET before 7 rounds to a millisecond.

        Raises:
            CsException: ArgumentOutOfRangeException.
        """
        if math.isnan(value) or abs(value) * unit > MAX_TICKS:
            raise out_of_range("value", "Value to add was out of range.")
        millis = value * (unit / TICKS_PER_MS) + (0.5 if value >= 0 else -0.5)
        return self.plus(int(millis) * TICKS_PER_MS)

    def plus_years(self, years: int) -> "DateTime":
        """Return the time `years` later.

        Raises:
            CsException: ArgumentOutOfRangeException.
        """
        if not -10_000 <= years <= 10_000:
            raise out_of_range("years", "Years value must be between +/-10000.")
        return self.plus_months(years * 12)

    def plus_months(self, months: int) -> "DateTime":
        """Return the time `months` later; a day beyond the month's end becomes its last.

        Raises:
            CsException: ArgumentOutOfRangeException.
        """
        if not -120_000 <= months <= 120_000:
            raise out_of_range("months", "Months value must be between +/-120000.")
        day = self.date
        total = day.year * 12 + day.month - 1 + months
        year, month = divmod(total, 12)
        if not 1 <= year <= 9999:
            raise out_of_range("months", _RANGE)
        last = days_in_month(year, month + 1)
        moved = dt.date(year, month + 1, min(day.day, last))
        return DateTime((moved.toordinal() - 1) * TICKS_PER_DAY + self.ticks % TICKS_PER_DAY, self.kind)

    @property
    def date(self) -> dt.date:
        """The day."""
        return dt.date.fromordinal(self.ticks // TICKS_PER_DAY + 1)

    def part(self, unit: int, count: int) -> int:
        """Return a component of the time of day."""
        return self.ticks // unit % count

    def cs_text(self) -> str:
        """Return MM/dd/yyyy HH:mm:ss."""
        return self.cs_format("G")

    def cs_format(self, form: str) -> str:
        """Return the text in a format."""
        from sinbin.csharp.date_formats import format_date  # noqa: PLC0415

        return format_date(self, form)

    def cs_json(self) -> str:
        """Return the JSON string that Json.NET writes."""
        from sinbin.csharp.date_formats import json_date  # noqa: PLC0415

        return f'"{json_date(self)}"'


class DateTimeOffset(Ticks):
    """A point in time with its distance from UTC; equal and ordered by the point in UTC (`ticks`).

    Making one raises ArgumentException for a distance of part of a minute, and ArgumentOutOfRangeException for
    one of more than 14 hours and for a point beyond the years 1 to 9999 in UTC.
    """

    __slots__ = ("offset",)
    cs_type: ClassVar[Type] = Type("DateTimeOffset")

    def __init__(self, clock: DateTime, offset: int = 0) -> None:
        utc = clock.ticks - offset
        if offset % TICKS_PER_MINUTE:
            raise raised("ArgumentException", "Offset must be specified in whole minutes. (Parameter 'offset')")
        if abs(offset) > MAX_OFFSET:
            raise out_of_range("offset", "Offset must be within plus or minus 14 hours.")
        if not 0 <= utc <= MAX_TICKS:
            raise out_of_range("offset", _UTC_RANGE)
        super().__init__(utc)
        self.offset = offset

    @property
    def clock(self) -> DateTime:
        """The time on the wall where it was noted."""
        return DateTime(self.ticks + self.offset)

    def moved(self, clock: DateTime) -> "DateTimeOffset":
        """Return another wall clock time with the same offset."""
        return DateTimeOffset(clock, self.offset)

    def cs_text(self) -> str:
        """Return MM/dd/yyyy HH:mm:ss zzz."""
        return self.cs_format("")

    def cs_format(self, form: str) -> str:
        """Return the text in a format."""
        from sinbin.csharp.date_formats import format_offset  # noqa: PLC0415

        return format_offset(self, form)

    def cs_json(self) -> str:
        """Return the JSON string that Json.NET writes."""
        from sinbin.csharp.date_formats import json_offset  # noqa: PLC0415

        return f'"{json_offset(self)}"'


def days_in_month(year: int, month: int) -> int:
    """Return the number of days of a month.

    Raises:
        CsException: ArgumentOutOfRangeException.
    """
    if not 1 <= month <= 12:
        raise out_of_range("month", "Month must be between one and twelve.")
    if not 1 <= year <= 9999:
        raise out_of_range("year", "Year must be between 1 and 9999.")
    following = dt.date(year + month // 12, month % 12 + 1, 1) if (year, month) != (9999, 12) else None
    return 31 if following is None else (following - dt.timedelta(days=1)).day


def make_ticks(
    year: int, month: int, day: int, hour: int = 0, minute: int = 0, second: int = 0, milli: int = 0
) -> int:
    """Return the ticks of a date and time.

    Raises:
        CsException: ArgumentOutOfRangeException.
    """
    timely = 0 <= hour < 24 and 0 <= minute < 60 and 0 <= second < 60
    try:
        ordinal = dt.date(year, month, day).toordinal() if timely else 0
    except (ValueError, OverflowError):
        ordinal = 0
    if not ordinal:
        what = "Year, Month, and Day" if timely else "Hour, Minute, and Second"
        raise raised("ArgumentOutOfRangeException", f"{what} parameters describe an un-representable DateTime.")
    if not 0 <= milli < 1000:
        raise out_of_range("millisecond", "Valid values are between 0 and 999, inclusive.")
    return (
        (ordinal - 1) * TICKS_PER_DAY + hour * TICKS_PER_HOUR + minute * TICKS_PER_MINUTE
        + second * TICKS_PER_SECOND + milli * TICKS_PER_MS
    )  # fmt: skip


def from_unix(seconds: float) -> DateTime:
    """Return seconds since 1970-01-01 UTC as a DateTime of kind Utc."""
    return DateTime(UNIX_EPOCH_TICKS + round(seconds * 1_000_000) * 10, UTC)
