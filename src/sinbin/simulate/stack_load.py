"""The load and the faults that a command line describes for a stack."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from sinbin.errors import UsageError

Command = TypeVar("Command", bound=Callable[..., Any])
_POSITIVE = click.FloatRange(min=0, min_open=True)
_COUNT = click.IntRange(min=1)

_OPTIONS = (
    click.option("--rps", type=_POSITIVE, help="Requests per second."),
    click.option("--duration", type=_POSITIVE, default=300.0, show_default=True, help="Seconds."),
    click.option("--prompt-tokens", type=_COUNT, default=200, show_default=True, help="Of a request."),
    click.option("--completion-tokens", type=_COUNT, default=50, show_default=True, help="Of a reply."),
    click.option("--max-tokens", type=_COUNT, help="What callers name as the most; nothing unless given."),
    click.option("--alias", help="The alias that is called; the first unless named."),
)


def load_options(command: Command) -> Command:
    """Add the options that describe a load on a stack."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def load_of(options: dict[str, Any]) -> dict[str, Any]:
    """Return the load (as in a scenario file) that the options describe.

    Raises:
        UsageError: no rate is given.
    """
    if options["rps"] is None:
        raise UsageError("-s ENV needs a load: say how many requests a second with --rps")
    load = {
        "kind": "poisson",
        "requestsPerSecond": options["rps"],
        "durationSeconds": options["duration"],
        "promptTokens": options["prompt_tokens"],
        "completionTokens": options["completion_tokens"],
    }
    return load if options["max_tokens"] is None else load | {"maxTokens": options["max_tokens"]}


def fault_of(text: str) -> dict[str, Any]:
    """Return the fault (as in a scenario file) that `KIND:REGION:FROM:TO[:VALUE]` describes.

    Raises:
        UsageError: it describes none.
    """
    parts = text.split(":")
    values = {"outage": "status", "quota": "share", "slow": "factor"}
    try:
        kind, region, begin, end = parts[:4]
        fault: dict[str, Any] = {
            "kind": kind,
            "region": region,
            "fromSeconds": float(begin),
            "toSeconds": float(end),
        }
        if len(parts) > 4:
            [value] = parts[4:]
            fault[values[kind]] = int(value) if kind == "outage" else float(value)
    except (ValueError, KeyError) as error:
        raise UsageError(
            f'fault "{text}": is none; write KIND:REGION:FROM:TO[:VALUE] with KIND outage (VALUE a status), quota '
            "(VALUE the share that is left) or slow (VALUE a factor), for example outage:uksouth:120:240"
        ) from error
    return fault


def spread_faults(faults: Sequence[dict[str, Any]], backends: Callable[[str], list[str]]) -> list[dict[str, Any]]:
    """Return `faults` with each Azure region replaced by the backends in it, one fault for each."""
    return [fault | {"region": name} for fault in faults for name in backends(fault["region"])]
