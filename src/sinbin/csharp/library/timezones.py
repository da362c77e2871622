"""System.TimeZoneInfo: the clocks of places. The gateway's own clock is UTC.

Zones are found by the names of Windows, as in Azure, and by those of the IANA database.
Source: https://learn.microsoft.com/dotnet/api/system.timezoneinfo, read 2026-11-30
"""

import json
from datetime import UTC as PYTHON_UTC
from datetime import datetime, timedelta, tzinfo
from functools import cache
from importlib import resources
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from sinbin.csharp.dates import (
    LOCAL,
    MAX_TICKS,
    TICKS_PER_DAY,
    TICKS_PER_MINUTE,
    UNSPECIFIED,
    UTC,
    DateTime,
    DateTimeOffset,
    TimeSpan,
    from_unix,
)
from sinbin.csharp.exceptions import CsException, argument_null, raised
from sinbin.csharp.registry import declare, with_runtime
from sinbin.csharp.types import Type
from sinbin.csharp.values import CsObject

_FIRST = datetime(1, 1, 1)  # noqa: DTZ001 (clocks of places are moments without a zone)
_SAMPLE = datetime(2024, 1, 1)  # noqa: DTZ001
"""A year of today's rules."""
_WRONG_KIND = (
    "The conversion could not be completed because the supplied DateTime did not have the Kind property set "
    "correctly.  For example, when the Kind property is DateTimeKind.Local, the source time zone must be "
    "TimeZoneInfo.Local. (Parameter 'sourceTimeZone')"
)
_SKIPPED = (
    "The supplied DateTime represents an invalid time.  For example, when the clock is adjusted forward, any time "
    "in the period that is skipped is invalid. (Parameter 'dateTime')"
)

_NO_ZONES = frozenset({"posixrules", "localtime"})
"""Files that lie beside the zones on some systems."""
_NO_FOLDERS = ("posix/", "right/")


class Zone(CsObject):
    """A time zone under the name by which it was asked for."""

    __slots__ = ("id", "rules")
    cs_type: ClassVar[Type] = Type("TimeZoneInfo")

    def __init__(self, name: str, rules: tzinfo) -> None:
        self.id = name
        self.rules = rules

    def offset_at(self, utc_ticks: int) -> int:
        """Return how far its clocks are ahead of UTC (ticks) at a moment in UTC."""
        # Python cannot say what the clocks show beyond the years 1 to 9999; no clocks change on their ends' days.
        inside = min(max(utc_ticks, TICKS_PER_DAY), MAX_TICKS - TICKS_PER_DAY)
        moment = (_FIRST + timedelta(microseconds=inside // 10)).replace(tzinfo=PYTHON_UTC)
        return self._whole(moment.astimezone(self.rules))

    def offset_of(self, local_ticks: int) -> int:
        """Return the same when its clocks show this time; a time that is shown twice is the later, standard one."""
        shown = _FIRST + timedelta(microseconds=local_ticks // 10)
        return self._whole(shown.replace(tzinfo=self.rules, fold=1))

    def _whole(self, moment: datetime) -> int:
        """Return the offset at a moment, in whole minutes: .NET cuts the rest towards the zone's standard time."""
        offset = moment.utcoffset() or timedelta(0)
        minutes, rest = divmod(offset, timedelta(minutes=1))
        if rest:
            winter, summer = (_SAMPLE.replace(month=month, tzinfo=self.rules).utcoffset() for month in (1, 7))
            standard = min(winter or timedelta(0), summer or timedelta(0))
            minutes += offset < standard
        return minutes * TICKS_PER_MINUTE

    def to_utc(self, local_ticks: int) -> int:
        """Return the moment (ticks) at which its clocks show this time; it may lie beyond what a DateTime holds.

        Raises:
            CsException: ArgumentException: they never do.
        """
        utc = local_ticks - self.offset_of(local_ticks)
        if utc + self.offset_at(utc) != local_ticks:
            raise raised("ArgumentException", _SKIPPED)
        return utc

    def base(self, now: float) -> int:
        """Return the offset of its standard time in the year of `now` (ticks)."""
        year = from_unix(now).ticks
        return min(self.offset_at(year), self.offset_at(year + 182 * TICKS_PER_DAY))


UTC_ZONE = Zone("UTC", PYTHON_UTC)
LOCAL_ZONE = Zone("UTC", PYTHON_UTC)


@cache
def _windows() -> dict[str, str]:
    text = resources.files("sinbin.csharp").joinpath("windows_zones.json").read_text("utf-8")
    zones: dict[str, str] = json.loads(text)["zones"]
    return {name.lower(): zone for name, zone in zones.items()}


def _find(name: str | None) -> Zone:
    if name is None:
        raise argument_null("id")
    if name.upper() == "UTC":
        return UTC_ZONE
    if name in _NO_ZONES or name.startswith(_NO_FOLDERS):
        raise _unknown(name)
    try:
        return Zone(name, ZoneInfo(_windows().get(name.lower(), name)))
    except (ValueError, OSError, LookupError):  # an unknown name, a folder, a name that is no path
        raise _unknown(name) from None


def _unknown(name: str) -> CsException:
    return raised("TimeZoneNotFoundException", f"The time zone ID '{name}' was not found on the local computer.")


def _source(moment: DateTime) -> Zone:
    return UTC_ZONE if moment.kind == UTC else LOCAL_ZONE


def _convert(moment: DateTime, source: Zone, target: Zone) -> DateTime:
    if (moment.kind == UTC and source is not UTC_ZONE) or (moment.kind == LOCAL and source is not LOCAL_ZONE):
        raise raised("ArgumentException", _WRONG_KIND)
    utc = source.to_utc(moment.ticks)
    kind = UTC if target is UTC_ZONE else LOCAL if target is LOCAL_ZONE else UNSPECIFIED
    return DateTime(min(max(utc + target.offset_at(utc), 0), MAX_TICKS), kind)


def _from_utc(moment: DateTime, target: Zone) -> DateTime:
    return _convert(moment, UTC_ZONE, target)


def _to_utc(moment: DateTime, source: Zone | None = None) -> DateTime:
    return _convert(moment, _source(moment) if source is None else source, UTC_ZONE)


def _move(moment: DateTimeOffset, target: Zone) -> DateTimeOffset:
    offset = target.offset_at(moment.ticks)
    shown = moment.ticks + offset
    if not 0 <= shown <= MAX_TICKS:
        return DateTimeOffset(DateTime(min(max(shown, 0), MAX_TICKS)))
    return DateTimeOffset(DateTime(shown), offset)


def _offset(zone: Zone, moment: DateTime) -> int:
    if moment.kind == UTC or (moment.kind == LOCAL and zone is not LOCAL_ZONE):
        return zone.offset_at(moment.ticks)
    return zone.offset_of(moment.ticks)


@with_runtime
def _is_daylight_saving(rt: Any, zone: Zone, moment: DateTime) -> bool:
    return _offset(zone, moment) != zone.base(rt.now)


@with_runtime
def _base_offset(rt: Any, zone: Zone) -> TimeSpan:
    return TimeSpan(zone.base(rt.now))


declare(
    "TimeZoneInfo",
    "System.TimeZoneInfo",
    {
        "static TimeZoneInfo! Utc": UTC_ZONE,
        "static TimeZoneInfo! Local": LOCAL_ZONE,
        "static TimeZoneInfo! FindSystemTimeZoneById(string id)": _find,
        "static DateTime ConvertTimeFromUtc(DateTime dateTime, TimeZoneInfo destinationTimeZone)": _from_utc,
        "static DateTime ConvertTimeToUtc(DateTime dateTime)": _to_utc,
        "static DateTime ConvertTimeToUtc(DateTime dateTime, TimeZoneInfo sourceTimeZone)": _to_utc,
        "static DateTime ConvertTime(DateTime dateTime, TimeZoneInfo destinationTimeZone)":
            lambda moment, target: _convert(moment, _source(moment), target),
        "static DateTime ConvertTime(DateTime dateTime, TimeZoneInfo sourceTimeZone, TimeZoneInfo destinationTimeZone)":
            _convert,
        "static DateTimeOffset ConvertTime(DateTimeOffset dateTimeOffset, TimeZoneInfo destinationTimeZone)": _move,
        "static DateTime ConvertTimeBySystemTimeZoneId(DateTime dateTime, string destinationTimeZoneId)":
            lambda moment, target: _convert(moment, _source(moment), _find(target)),
        "static DateTime ConvertTimeBySystemTimeZoneId(DateTime dateTime, string sourceTimeZoneId, string destinationTimeZoneId)":
            lambda moment, source, target: _convert(moment, _find(source), _find(target)),
        "static DateTimeOffset ConvertTimeBySystemTimeZoneId(DateTimeOffset dateTimeOffset, string destinationTimeZoneId)":
            lambda moment, target: _move(moment, _find(target)),
        "string! Id": "{0}.id",
        "TimeSpan BaseUtcOffset": _base_offset,
        "TimeSpan GetUtcOffset(DateTime dateTime)": lambda zone, moment: TimeSpan(_offset(zone, moment)),
        "TimeSpan GetUtcOffset(DateTimeOffset dateTimeOffset)": lambda zone, moment: TimeSpan(
            zone.offset_at(moment.ticks)
        ),
        "bool IsDaylightSavingTime(DateTime dateTime)": _is_daylight_saving,
    },
    bases="object",
)  # fmt: skip
