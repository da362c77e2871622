"""Dates and lengths of time as text, invariant culture.

Source: https://learn.microsoft.com/dotnet/standard/base-types/standard-date-and-time-format-strings and its
custom and TimeSpan counterparts, read 2026-11-29
"""

import re

from sinbin.csharp.dates import (
    LOCAL,
    TICKS_PER_DAY,
    TICKS_PER_HOUR,
    TICKS_PER_MINUTE,
    TICKS_PER_SECOND,
    UNSPECIFIED,
    UTC,
    DateTime,
    DateTimeOffset,
    TimeSpan,
)
from sinbin.csharp.exceptions import raised

DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",  # noqa: E501
          "December")  # fmt: skip
_STANDARD = {
    "d": "MM/dd/yyyy", "D": "dddd, dd MMMM yyyy", "f": "dddd, dd MMMM yyyy HH:mm", "F": "dddd, dd MMMM yyyy HH:mm:ss",  # noqa: E501
    "g": "MM/dd/yyyy HH:mm", "G": "MM/dd/yyyy HH:mm:ss", "M": "MMMM dd", "m": "MMMM dd",
    "o": "yyyy'-'MM'-'dd'T'HH':'mm':'ss'.'fffffffK", "O": "yyyy'-'MM'-'dd'T'HH':'mm':'ss'.'fffffffK",
    "R": "ddd, dd MMM yyyy HH':'mm':'ss 'GMT'", "r": "ddd, dd MMM yyyy HH':'mm':'ss 'GMT'",
    "s": "yyyy'-'MM'-'dd'T'HH':'mm':'ss", "t": "HH:mm", "T": "HH:mm:ss", "u": "yyyy'-'MM'-'dd HH':'mm':'ss'Z'",
    "U": "dddd, dd MMMM yyyy HH:mm:ss", "y": "yyyy MMMM", "Y": "yyyy MMMM",
}  # fmt: skip
_PIECE = re.compile(
    r"""(d+|M+|y+|h+|H+|m+|s+|f+|F+|t+|z+|g+)|(K)|\\(.)|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|%(.)|(.)""",
    re.DOTALL,
)
_BAD = "Input string was not in a correct format."


def format_date(value: DateTime, form: str) -> str:
    """Return `value.ToString(form)`."""
    if len(form) == 1:
        if form not in _STANDARD:
            raise raised("FormatException", _BAD)
        form = _STANDARD[form]
    zone = {UTC: "Z", LOCAL: "+00:00", UNSPECIFIED: ""}[value.kind]
    return _format(value, form, zone, 0)


def format_offset(value: DateTimeOffset, form: str) -> str:
    """Return `value.ToString(form)`."""
    clock = value.clock
    if not form:
        form = "MM/dd/yyyy HH:mm:ss zzz"
    elif form in {"R", "r", "u"}:
        return format_date(DateTime(value.ticks), form)
    elif len(form) == 1:
        if form not in _STANDARD or form == "U":
            raise raised("FormatException", _BAD)
        form = _STANDARD[form]
    return _format(clock, form, _offset_text(value.offset), value.offset)


def _offset_text(offset: int) -> str:
    minutes = abs(offset) // TICKS_PER_MINUTE
    return f"{'-' if offset < 0 else '+'}{minutes // 60:02}:{minutes % 60:02}"


def _format(value: DateTime, form: str, zone: str, offset: int) -> str:
    out: list[str] = []
    at = 0
    while at < len(form):
        match = _PIECE.match(form, at)
        if match is None:
            raise raised("FormatException", _BAD)
        at = match.end()
        run, kind, escaped, single, double, percent, literal = match.groups()
        if percent is not None:
            known = percent in "dMyhHmsfFtzgK"
            out.append(_field(value, percent, zone, offset, out) if known else percent)
        elif run is not None or kind is not None:
            out.append(_field(value, run or kind, zone, offset, out))
        elif literal is not None:
            if literal in "'\"\\":
                raise raised("FormatException", _BAD)
            out.append(literal)
        else:
            out.append(escaped or re.sub(r"\\(.)", r"\1", single if single is not None else double or ""))
    return "".join(out)


def _field(value: DateTime, run: str, zone: str, offset: int, out: list[str]) -> str:
    letter, size = run[0], len(run)
    day = value.date
    hour = value.part(TICKS_PER_HOUR, 24)
    fraction = f"{value.ticks % TICKS_PER_SECOND:07}"
    match letter:
        case "d":
            weekday = DAYS[day.isoweekday() % 7]
            return f"{day.day:0{size}}" if size <= 2 else weekday[:3] if size == 3 else weekday
        case "M":
            name = MONTHS[day.month - 1]
            return f"{day.month:0{size}}" if size <= 2 else name[:3] if size == 3 else name
        case "y":
            return f"{day.year % 100:0{size}}" if size <= 2 else f"{day.year:0{size}}"
        case "h":
            return f"{hour % 12 or 12:0{min(size, 2)}}"
        case "H":
            return f"{hour:0{min(size, 2)}}"
        case "m":
            return f"{value.part(TICKS_PER_MINUTE, 60):0{min(size, 2)}}"
        case "s":
            return f"{value.part(TICKS_PER_SECOND, 60):0{min(size, 2)}}"
        case "f" | "F":
            if size > 7:
                raise raised("FormatException", _BAD)
            if letter == "f":
                return fraction[:size]
            kept = fraction[:size].rstrip("0")
            if not kept and out and out[-1] == ".":
                out.pop()
            return kept
        case "t":
            return ("AM" if hour < 12 else "PM")[: min(size, 2)]
        case "z":
            text = _offset_text(offset)
            return text if size >= 3 else text[:3] if size == 2 else text[0] + str(int(text[1:3]))
        case "K":
            return zone
    return "A.D."


def json_date(value: DateTime) -> str:
    """Return a date as Json.NET writes it: ISO 8601, no more digits than needed."""
    zone = {UTC: "Z", LOCAL: "+00:00", UNSPECIFIED: ""}[value.kind]
    return _format(value, "yyyy'-'MM'-'dd'T'HH':'mm':'ss.FFFFFFF", "", 0) + zone


def json_offset(value: DateTimeOffset) -> str:
    """Return a date with an offset as Json.NET writes it."""
    return _format(value.clock, "yyyy'-'MM'-'dd'T'HH':'mm':'ss.FFFFFFF", "", 0) + _offset_text(value.offset)


_SPAN_PIECE = re.compile(r"""(d+|h+|m+|s+|f+|F+)|\\(.)|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|%(.)""", re.DOTALL)


def format_span(value: TimeSpan, form: str) -> str:
    """Return `value.ToString(form)` for a TimeSpan: c, g, G, or a custom format."""
    if form in {"c", "t", "T"}:
        return value.cs_text()
    ticks = abs(value.ticks)
    sign = "-" if value.ticks < 0 else ""
    days, hours = ticks // TICKS_PER_DAY, ticks // TICKS_PER_HOUR % 24
    minutes, seconds = ticks // TICKS_PER_MINUTE % 60, ticks // TICKS_PER_SECOND % 60
    fraction = f"{ticks % TICKS_PER_SECOND:07}"
    if form == "g":
        kept = fraction.rstrip("0")
        return f"{sign}{f'{days}:' if days else ''}{hours}:{minutes:02}:{seconds:02}{f'.{kept}' if kept else ''}"
    if form == "G":
        return f"{sign}{days}:{hours:02}:{minutes:02}:{seconds:02}.{fraction}"
    out: list[str] = []
    at = 0
    if len(form) == 1:
        raise raised("FormatException", _BAD)
    while at < len(form):
        match = _SPAN_PIECE.match(form, at)
        if match is None:
            raise raised("FormatException", _BAD)
        at = match.end()
        run = match[1] or match[5]
        if run is None:
            out.append(match[2] or match[3] or match[4] or "")
            continue
        size = len(run)
        number = {"d": days, "h": hours, "m": minutes, "s": seconds}.get(run[0])
        if number is not None:
            if run[0] != "d" and size > 2:
                raise raised("FormatException", _BAD)
            out.append(f"{number:0{size}}")
        elif run[0] == "f":
            out.append(fraction[:size])
        else:
            out.append(fraction[:size].rstrip("0"))
    return "".join(out)
