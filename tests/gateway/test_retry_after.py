"""What a Retry-After asks for."""

import pytest

from sinbin.gateway.retry_after import retry_after_seconds

NOW = 1_800_000_000.0


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None),
        ("0", 0.0),
        (" 20 ", 20.0),
        ("86400", 86_400.0),
        ("86401", 86_400.0),
        ("2147483647", 86_400.0),
        ("2147483648", None),
        ("9" * 5000, None),
        ("1e400", None),
        ("1.5", None),
        ("-1", None),
        ("+1", None),
        ("\u0662", None),
        ("inf", None),
        ("Infinity", None),
        ("soon", None),
        ("Fri, 15 Jan 2027 08:00:30 GMT", 30.0),
        ("Fri, 15 Jan 2027 07:00:00 GMT", 0.0),
        ("Fri, 15 Jan 2100 08:00:30 GMT", 86_400.0),
        ("Fri, 99 Jan 99999999999999999999 08:00:30 GMT", None),
    ],
)
def test_only_whole_seconds_or_a_date_count_and_a_day_at_most(value, seconds):
    assert retry_after_seconds(value, NOW) == seconds
