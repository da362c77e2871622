"""Text as dates and lengths of time, invariant culture."""

import re

from sinbin.csharp.date_formats import DAYS, MONTHS
from sinbin.csharp.dates import (
    LOCAL,
    MAX_OFFSET,
    MAX_TICKS,
    TICKS_PER_DAY,
    TICKS_PER_HOUR,
    TICKS_PER_MINUTE,
    TICKS_PER_SECOND,
    UNSPECIFIED,
    UTC,
    DateTime,
    DateTimeOffset,
    TimeSpan,
    make_ticks,
)
from sinbin.csharp.exceptions import CsException, argument_null, raised
from sinbin.csharp.numbers import whole_number

_MONTH = "|".join(f"{name}|{name[:3]}" for name in MONTHS)
_WEEKDAY = "|".join(f"{name}|{name[:3]}" for name in DAYS)
_TIME = (
    r"(?P<hour>\d{1,2}):(?P<minute>\d{1,2})(?::(?P<second>\d{1,2})(?:[.,](?P<fraction>\d+))?)?"
    r"(?:\s*(?P<half>AM|PM))?"
)
_ZONE = r"(?P<zone>Z|GMT|UTC|[+-]\d{1,2}(?::?\d{2})?)"
_DATES = (
    r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})",
    r"(?P<month>\d{1,2})[-/](?P<day>\d{1,2})[-/](?P<year>\d{4}|\d{2})",
    rf"(?:(?:{_WEEKDAY}),?\s+)?(?P<day>\d{{1,2}})[-\s]+(?P<name>{_MONTH})\.?,?[-\s]+(?P<year>\d{{4}})",
    rf"(?:(?:{_WEEKDAY}),?\s+)?(?P<name>{_MONTH})\s+(?P<day>\d{{1,2}}),?\s+(?P<year>\d{{4}})",
)
_PATTERNS = tuple(re.compile(rf"{date}(?:(?:T|\s+|,\s*)\s*{_TIME})?\s*{_ZONE}?", re.IGNORECASE) for date in _DATES)
_SPAN = re.compile(
    r"(?P<sign>-)?(?:(?P<only>\d+)|(?:(?P<days>\d+)[.:])??(?P<hours>\d{1,2}):(?P<minutes>\d{1,2})"
    r"(?::(?P<seconds>\d{1,2})(?:\.(?P<fraction>\d{1,7}))?)?)"
)


_WORDS = re.compile(rf"{_MONTH}|{_WEEKDAY}|AM|PM|GMT|UTC|[TZ]", re.IGNORECASE)


def not_a_date(text: str) -> CsException:
    """Return the complaint of DateTime.Parse."""
    for word in re.finditer(r"[^\W\d_]+", text):
        if not _WORDS.fullmatch(word[0]):
            return raised(
                "FormatException",
                f"The string '{text}' was not recognized as a valid DateTime. "
                f"There is an unknown word starting at index '{word.start()}'.",
            )
    return raised("FormatException", f"String '{text}' was not recognized as a valid DateTime.")


def _read(text: str | None, parameter: str = "s") -> tuple[int, int | None]:
    """Return ticks on the wall clock, and the offset in ticks when the text names one."""
    if text is None:
        raise argument_null(parameter)
    stripped = text.strip()
    match = next((found for pattern in _PATTERNS if (found := pattern.fullmatch(stripped))), None)
    if match is None:
        raise not_a_date(text)
    parts = match.groupdict()
    name = parts.get("name")
    month = [m[:3].lower() for m in MONTHS].index(name[:3].lower()) + 1 if name else int(parts["month"])
    year = int(parts["year"])
    if len(parts["year"]) == 2:
        year += 2000 if year <= 49 else 1900
    hour = int(parts["hour"] or 0)
    if parts["half"]:
        hour = hour % 12 + (12 if parts["half"].upper() == "PM" else 0)
    fraction = round(float(f"0.{parts['fraction'] or 0}") * TICKS_PER_SECOND)
    try:
        ticks = make_ticks(
            year, month, int(parts["day"]), hour, int(parts["minute"] or 0), int(parts["second"] or 0)
        )
    except CsException:
        raise not_a_date(text) from None
    return ticks + fraction, _offset(parts["zone"], text)


def _offset(zone: str | None, text: str) -> int | None:
    if zone is None:
        return None
    if zone[0] not in "+-":
        return 0
    hours, minutes = zone[1:].replace(":", "")[:-2] or zone[1:], zone[-2:]
    if len(zone) <= 3:
        hours, minutes = zone[1:], "0"
    if int(minutes) > 59:
        raise not_a_date(text)
    ticks = int(hours) * TICKS_PER_HOUR + int(minutes) * TICKS_PER_MINUTE
    if ticks > MAX_OFFSET:
        raise raised(
            "FormatException", f"The time zone offset of string '{text}' must be within plus or minus 14 hours."
        )
    return -ticks if zone[0] == "-" else ticks


def parse_date(text: str | None) -> DateTime:
    """Return `DateTime.Parse(text)`: a time with an offset becomes local time, which is UTC here.

    Raises:
        CsException: FormatException, ArgumentNullException.
    """
    ticks, offset = _read(text)
    if offset is None:
        return DateTime(ticks)
    utc = ticks - offset
    if utc < 0:
        utc += TICKS_PER_DAY  # .NET takes the first day for a mere time of day
    if utc > MAX_TICKS:
        raise raised("FormatException", f"The DateTime represented by the string '{text}' is out of range.")
    return DateTime(utc, LOCAL)


def parse_offset(text: str | None) -> DateTimeOffset:
    """Return `DateTimeOffset.Parse(text)`.

    Raises:
        CsException: FormatException, ArgumentNullException.
    """
    ticks, offset = _read(text, "input")
    if not 0 <= ticks - (offset or 0) <= MAX_TICKS:
        raise raised(
            "FormatException",
            f"The UTC representation of the date '{text}' falls outside the year range 1-9999.",
        )
    return DateTimeOffset(DateTime(ticks), offset or 0)


def parse_roundtrip(text: str) -> DateTime:
    """Return a date of JSON: its kind says what the text says of its zone."""
    ticks, offset = _read(text)
    if offset is None:
        return DateTime(ticks, UNSPECIFIED)
    return DateTime(ticks, UTC) if text.endswith(("Z", "z")) else DateTime(ticks - offset, LOCAL)


def parse_span(text: str | None) -> TimeSpan:
    """Return `TimeSpan.Parse(text)`.

    Raises:
        CsException: FormatException, OverflowException, ArgumentNullException.
    """
    if text is None:
        raise argument_null("input")
    match = _SPAN.fullmatch(text.strip())
    if match is None:
        raise raised("FormatException", f"String '{text}' was not recognized as a valid TimeSpan.")
    parts = match.groupdict()
    if parts["only"] is not None:
        ticks = whole_number(parts["only"]) * TICKS_PER_DAY
    else:
        hours, minutes, seconds = (int(parts[name] or 0) for name in ("hours", "minutes", "seconds"))
        if hours > 23 or minutes > 59 or seconds > 59:
            raise _too_long(text)
        ticks = (
            whole_number(parts["days"] or "0") * TICKS_PER_DAY
            + hours * TICKS_PER_HOUR
            + minutes * TICKS_PER_MINUTE
        )
        ticks += seconds * TICKS_PER_SECOND + int((parts["fraction"] or "0").ljust(7, "0"))
    try:
        return TimeSpan(-ticks if parts["sign"] else ticks)
    except CsException:
        raise _too_long(text) from None


def _too_long(text: str) -> CsException:
    return raised(
        "OverflowException",
        f"The TimeSpan string '{text}' could not be parsed because at least one of the numeric components is "
        "out of range or contains too many digits.",
    )
