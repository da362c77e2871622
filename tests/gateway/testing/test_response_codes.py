"""The response-code table: what the gateway does against what is written down."""

from pathlib import Path

import pytest

from sinbin.gateway.testing.response_codes import ANSWERS, rows

DATA = Path(__file__).with_name("response_codes.txt")
"""One line per row: setup | answer | status, Retry-After | calls | who sits out for how long."""


def line(row):
    setup = f"{row.breaker}, {'retry' if row.retry else 'no retry'}, {'one healthy' if row.healthy_remains else 'none healthy'}"
    out = " ".join(f"{name}:{seconds:g}" for name, seconds in row.sits_out)
    return " | ".join(
        (setup, row.answer, f"{row.status} {row.retry_after or '-'}", " ".join(row.calls), out or "-")
    )


ROWS = list(rows())


def test_the_table_is_complete():
    assert len(ROWS) == 3 * 2 * 2 * len(ANSWERS)
    assert [line(row) for row in ROWS] == DATA.read_text("utf-8").splitlines()


@pytest.mark.parametrize("row", ROWS, ids=line)
def test_what_holds_in_every_row(row):
    """Check each row against rules of its own, so that the data cannot simply repeat a mistake."""
    missing = row.answer.startswith("no reply")
    status = 0 if missing else int(row.answer[:3])
    counted = status == 429 or status >= 500
    trips = row.breaker != "no breaker" and (counted or (missing and row.breaker == "breaker"))
    again = row.retry and (counted or missing)
    if not again:
        assert row.calls == ("a",)
        assert row.status == (500 if missing else status)
    elif not trips:
        assert row.calls == ("a", "a", "a")
        assert row.status == (500 if missing else status)
    else:
        assert row.calls == ("a", "b")
        assert row.status == (200 if row.healthy_remains else 503)
    seconds = 20 if "Retry-After" in row.answer else 60
    sits_out = {"a": seconds} if trips else {}
    if trips and again and not row.healthy_remains:
        sits_out["b"] = seconds
    assert {name: round(left) for name, left in row.sits_out} == {
        # A missing reply takes a second to be noticed, during which the first trip goes on.
        name: left
        - (
            1
            if missing and "timeout" in row.answer and name == "a" and "b" in row.calls and not row.healthy_remains
            else 0
        )
        for name, left in sits_out.items()
    }
