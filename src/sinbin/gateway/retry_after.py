"""Retry-After: how long the one who refused wants to be left alone."""

import re
from email.utils import parsedate_to_datetime

_DELTA = re.compile("[0-9]{1,10}")
"""What .NET reads as delta seconds: an Int32 without sign, so no more digits than it has."""
_MOST_DELTA = 2**31 - 1
MOST_S = 86_400.0
"""A day. What asks for more is taken for a mistake of the backend, which must not keep it out for ever."""


def retry_after_seconds(value: str | None, unix_now: float) -> float | None:
    """Return the seconds that a Retry-After header asks for, None when it is absent or unreadable.

    Args:
        value: delta seconds, or an HTTP date.
        unix_now: seconds since 1970 (UTC), what a date is compared with; a date that has passed asks for 0.

    Source: RFC 9110 section 10.2.3; that API Management reads the date form too, and that nothing keeps a backend
    out for more than a day (`MOST_S`), is assumed.
    """
    if value is None:
        return None
    text = value.strip()
    try:
        if _DELTA.fullmatch(text):
            seconds = float(text)
            return None if seconds > _MOST_DELTA else min(seconds, MOST_S)
        return min(max(0.0, _date(text) - unix_now), MOST_S)
    except (ValueError, OverflowError):
        return None


def _date(text: str) -> float:
    # The standard library's parser raises TypeError for some texts that are no date at all.
    try:
        return parsedate_to_datetime(text).timestamp()
    except TypeError as error:
        raise ValueError(text) from error
