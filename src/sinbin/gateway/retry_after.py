"""Retry-After: how long the one who refused wants to be left alone."""

from email.utils import parsedate_to_datetime


def retry_after_seconds(value: str | None, unix_now: float) -> float | None:
    """Return the seconds that a Retry-After header asks for, None when it is absent or unreadable.

    Args:
        value: delta seconds, or an HTTP date.
        unix_now: seconds since 1970 (UTC), what a date is compared with; a date that has passed asks for 0.

    Source: RFC 9110 section 10.2.3; that API Management reads the date form too is assumed.
    """
    if value is None:
        return None
    text = value.strip()
    try:
        return max(0.0, float(text)) if text[:1].isdigit() else max(0.0, _date(text) - unix_now)
    except ValueError:
        return None


def _date(text: str) -> float:
    # The standard library's parser raises TypeError for some texts that are no date at all.
    try:
        return parsedate_to_datetime(text).timestamp()
    except TypeError as error:
        raise ValueError(text) from error
