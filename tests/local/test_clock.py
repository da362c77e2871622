"""The clock of a local Azure."""

import asyncio
import time

import pytest

from sinbin.local.clock import Clock


def test_a_clock_begins_at_the_time_of_the_wall():
    assert abs(Clock(60).now() - time.time()) < 1


def test_a_clock_may_begin_at_another_time():
    assert 30 <= Clock(begins=30).now() < 31


def test_a_faster_clock_passes_faster_and_sleeps_shorter():
    clock = Clock(100)
    began, wall = clock.now(), time.monotonic()
    asyncio.run(clock.sleep(10))
    assert clock.now() - began >= 10
    assert time.monotonic() - wall < 5
    assert clock.wall_s(10) == 0.1


def test_a_clock_that_stands_still_is_refused():
    with pytest.raises(ValueError, match="a clock needs a speed above 0, not 0"):
        Clock(0)
