"""Why a measurement and its prediction may differ, where something speaks for it."""

from collections.abc import Iterator, Mapping
from typing import Any

from sinbin.loadtest.target import Target
from sinbin.simulate.results import Result

_LESS = 0.95
"""A measured rate below this share of the predicted one was not sent as it ought to be."""


def sitting_out(gateway: Mapping[str, Any]) -> tuple[str, ...]:
    """Return a sentence for each region that sits out at a local gateway, by what that says of itself."""
    return tuple(
        f"{name} sat out when the test began, for {breaker['secondsLeft']:.0f} s more; a prediction begins with "
        "every region ready: wait, and measure again"
        for instance in gateway["instances"]
        for name, breaker in instance["breakers"].items()
        if breaker["open"]
    )


def differences(measured: Result, simulated: Result, target: Target) -> Iterator[str]:
    """Yield what may make `measured` differ from `simulated`, one sentence each."""
    yield from target.begins
    sent, wanted = measured.total["throughput_rps"].mean, simulated.total["throughput_rps"].mean
    if sent < _LESS * wanted:
        rates = f"{sent:.2f} requests a second were sent, {wanted:.2f} ought to be"
        yield f"{rates}: this machine or --callers is the limit"
    slower = measured.total["median_ms"].mean - simulated.total["median_ms"].high
    if target.speed > 1 and slower > target.speed:
        speed = f"{target.speed:g}"
        yield (
            f"at {speed} times the wall's clock every millisecond of this machine counts {speed} ms, and it has "
            f"{target.speed * sent:.0f} requests a second to answer: measure latencies at speed 1"
        )
