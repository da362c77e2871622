"""The load and the faults that a command line describes for a stack."""

from collections.abc import Callable, Sequence
from typing import Any

from sinbin.errors import UsageError
from sinbin.simulate.bounds import MOST_REQUESTS


def load_of(options: dict[str, Any]) -> dict[str, Any]:
    """Return the load (as in a scenario file) that the options describe.

    Raises:
        UsageError: no rate is given, or more requests in a run than are simulated.
    """
    if options["rps"] is None:
        raise UsageError("-s ENV needs a load: say how many requests a second with --rps")
    rps, duration = options["rps"], options["duration"]
    requests = rps * duration
    if requests > MOST_REQUESTS:
        raise UsageError(
            f"--rps {rps:g} for --duration {duration:g} s: makes about {requests:.3g} requests "
            f"in a run, allowed are {MOST_REQUESTS:,}; lower one of them"
        )
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
