"""ISO 8601 durations, as Azure writes them (`PT1M`): inside sinbin a duration is a number of seconds."""

import re

_DURATION = re.compile(
    r"P(?!$)(?:(?P<days>\d+)D)?"
    r"(?:T(?=\d)(?:(?P<hours>\d+)H)?(?:(?P<minutes>\d+)M)?(?:(?P<seconds>\d+(?:\.\d+)?)S)?)?"
)


def parse_duration(text: str) -> float:
    """Return the seconds in `text`.

    Years, months and weeks are refused: `P1M` is a calendar month, and nobody who writes it for a breaker
    means one.

    Raises:
        ValueError: `text` is no duration of days, hours, minutes and seconds, or its length is zero.
    """
    match = _DURATION.fullmatch(text)
    if match is None:
        raise ValueError(f'"{text}" is no ISO 8601 duration; {_advice(text)}')
    parts = {unit: float(value) for unit, value in match.groupdict(default="0").items()}
    seconds = parts["days"] * 86_400 + parts["hours"] * 3_600 + parts["minutes"] * 60 + parts["seconds"]
    if seconds == 0:
        raise ValueError(f'"{text}" lasts no time at all; write for example PT1M for one minute')
    return seconds


def format_duration(seconds: float) -> str:
    """Return `seconds` (above 0) as the shortest ISO 8601 duration: 60 → `PT1M`, 5400 → `PT1H30M`."""
    days, rest = divmod(seconds, 86_400)
    hours, rest = divmod(rest, 3_600)
    minutes, rest = divmod(rest, 60)
    time = "".join(f"{value:g}{unit}" for value, unit in ((hours, "H"), (minutes, "M"), (rest, "S")) if value)
    return f"P{f'{days:g}D' if days else ''}{f'T{time}' if time else ''}"


def _advice(text: str) -> str:
    if re.fullmatch(r"\d+", text):
        return f"write PT{text}S for {text} seconds"
    if re.fullmatch(r"P\d+M", text):
        return f"P…M counts calendar months, write PT{text[1:]} for minutes"
    short = re.fullmatch(r"(\d+)\s*([smh])", text, re.IGNORECASE)
    if short:
        return f"write PT{short[1]}{short[2].upper()}"
    return "write for example PT1M for one minute, PT30S for thirty seconds"
