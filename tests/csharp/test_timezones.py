"""Time zones by the names that Windows, and so Azure, gives them."""

import json
from importlib import resources
from zoneinfo import available_timezones

import pytest

from sinbin.csharp.compiler import CsException, compile_source
from sinbin.csharp.context import Context
from sinbin.csharp.results import to_json

SUMMER = 1_720_000_000.0  # 2024-07-03 09:46:40 UTC


def evaluate(source):
    return to_json(compile_source(source, "expression").evaluate(Context(now=SUMMER)))


@pytest.mark.parametrize(
    ("name", "time"),
    [
        ("W. Europe Standard Time", "11:46:40"),
        ("Eastern Standard Time", "05:46:40"),
        ("India Standard Time", "15:16:40"),
        ("gmt standard time", "10:46:40"),
        ("UTC", "09:46:40"),
    ],
)
def test_a_zone_of_windows_is_found_whatever_the_case(name, time):
    found = f'TimeZoneInfo.ConvertTimeFromUtc(DateTime.UtcNow, TimeZoneInfo.FindSystemTimeZoneById("{name}"))'
    assert evaluate(f'{found}.ToString("HH:mm:ss")') == time
    by_id = f'TimeZoneInfo.ConvertTimeBySystemTimeZoneId(DateTime.UtcNow, "{name}").ToString("HH:mm:ss")'
    assert evaluate(by_id) == time


def test_every_zone_of_the_table_is_in_the_database():
    text = resources.files("sinbin.csharp").joinpath("windows_zones.json").read_text("utf-8")
    assert set(json.loads(text)["zones"].values()) - available_timezones() == set()


@pytest.mark.parametrize(
    "name",
    [
        "",
        "Nowhere",
        "../../etc/passwd",
        "/etc/passwd",
        "Europe",
        "posixrules\\0",
        "posixrules",
        "posix/Europe/Berlin",
    ],
)
def test_what_is_no_zone_is_not_found(name):
    with pytest.raises(CsException) as caught:
        evaluate(f'TimeZoneInfo.FindSystemTimeZoneById("{name}").Id')
    assert caught.value.type_name == "System.TimeZoneNotFoundException"
