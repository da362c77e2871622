"""Texts that Json.NET takes for dates while it reads."""

import re

from sinbin.csharp.date_parsing import parse_roundtrip
from sinbin.csharp.dates import UTC, DateTime, from_unix
from sinbin.csharp.exceptions import CsException
from sinbin.csharp.jsonnet.tokens import DATE, JValue
from sinbin.csharp.numbers import whole_number

_ISO = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?")
_MOST_MS = 10**14
"""About the year 5100. A later one, which Json.NET reads too, stays the text that it is."""
_MICROSOFT = re.compile(r"/Date\((-?\d+)(?:[+-]\d{4})?\)/")


def date_token(text: str) -> JValue | None:
    """Return a date token when `text` is an ISO 8601 date with a time, or `/Date(ms)/`."""
    match = _MICROSOFT.fullmatch(text)
    if match:
        milliseconds = whole_number(match[1])
        if abs(milliseconds) > _MOST_MS:
            return None
        return JValue(DateTime(from_unix(milliseconds / 1000).ticks, UTC), DATE)
    if not _ISO.fullmatch(text):
        return None
    try:
        return JValue(parse_roundtrip(text), DATE)
    except CsException:
        return None
