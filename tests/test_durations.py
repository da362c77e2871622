"""Durations as Azure writes them."""

import pytest

from sinbin.durations import format_duration, parse_duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("PT1M", 60), ("PT30S", 30), ("PT1H30M", 5400), ("P1D", 86_400), ("P1DT0.5S", 86_400.5)],
)
def test_a_duration_is_read_and_written_back(text, seconds):
    assert parse_duration(text) == seconds
    assert format_duration(seconds) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("60", '"60" is no ISO 8601 duration; write PT60S for 60 seconds'),
        ("1m", '"1m" is no ISO 8601 duration; write PT1M'),
        ("P1M", '"P1M" is no ISO 8601 duration; P…M counts calendar months, write PT1M for minutes'),
        ("PT0S", '"PT0S" lasts no time at all; write for example PT1M for one minute'),
        ("P", '"P" is no ISO 8601 duration; write for example PT1M for one minute, PT30S for thirty seconds'),
    ],
)
def test_what_is_no_duration_is_refused_with_advice(text, message):
    with pytest.raises(ValueError) as caught:
        parse_duration(text)
    assert str(caught.value) == message
