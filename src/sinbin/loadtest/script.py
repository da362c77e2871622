"""What k6 is told: which script, and the file that the script reads."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from sinbin.errors import SinbinError
from sinbin.loadtest.target import Target
from sinbin.simulate.loads import BurstLoad, Load, SteadyLoad, TokenCount, Tokens, Traffic
from sinbin.simulate.scenario import Scenario
from sinbin.simulate.token_counts import token_spread

_LEAST_S = 1
"""What k6 asks of an open-loop load, on the wall."""
_TIMEOUT_S = 60
_GRACE_S = 30
_MOST_BURST_S = 3600
_LATENCY_S = 10
"""Callers are enough for answers that take this long; k6 makes the later ones only when it needs them."""
_MOST_CALLERS = 5000
_EARLY_S = 2
"""Callers that are there when a run begins are enough for answers that take this long."""


def script_of(load: Load) -> str:
    """Return the script for `load`.

    Raises:
        SinbinError: k6 does not send such a load here.
    """
    if isinstance(load, SteadyLoad):
        return "steady.js"
    if isinstance(load, BurstLoad):
        return "burst.js"
    raise SinbinError(f'a load test sends loads of kind "steady" and "burst", not "{load.kind}"')


def config_of(scenario: Scenario, target: Target, thresholds: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return what the script for the load of `scenario` reads; no secret is in it.

    Raises:
        SinbinError: k6 does not send such a load here, or it is too short.
    """
    load = scenario.load
    config: dict[str, Any] = {
        "url": target.url,
        "model": target.model,
        "headers": dict(target.headers),
        "speed": target.speed,
        "regions": list(scenario.regions),
        "kinds": [_kind(one) for one in load.traffic() if one.share],
        "thresholds": {name: list(expressions) for name, expressions in thresholds.items()},
        "timeoutSeconds": _TIMEOUT_S,
        "graceSeconds": _GRACE_S,
        "callers": load.callers,
        "client": _client(scenario, target),
    }
    if isinstance(load, BurstLoad):
        return config | {"requests": load.requests, "mostSeconds": _MOST_BURST_S}
    if isinstance(load, SteadyLoad):
        rate = load.requests_per_second
        least = _LEAST_S * target.speed
        if load.duration_seconds < least:
            raise SinbinError(
                f"a load of {load.duration_seconds:g} s is too short: at {target.speed:g} times the speed of the "
                f"wall's clock it must last {least:g} s, a second on the wall; lengthen it with --duration"
            )
        if scenario.client.cool_down_seconds is not None:
            # Each caller remembers for itself, so there are exactly as many as the scenario has.
            return config | {
                "rate": rate, "durationSeconds": load.duration_seconds, "mostCallers": load.callers
            }  # fmt: skip
        # Callers are as many whatever the speed: faster arrivals are answered as much sooner.
        return config | {
            "rate": rate,
            "durationSeconds": load.duration_seconds,
            "callers": min(max(load.callers, math.ceil(rate * _EARLY_S)), _MOST_CALLERS),
            "mostCallers": min(max(load.callers, math.ceil(rate * _LATENCY_S)), _MOST_CALLERS),
        }
    raise AssertionError(script_of(load))


def _client(scenario: Scenario, target: Target) -> dict[str, Any]:
    """Return how callers behave; the regions are those that a client knows, in its order."""
    client = scenario.client
    told = client.model_dump(by_alias=True, include={"pick", "attempts", "pause", "max_retry_after_seconds"})
    told |= client.model_dump(by_alias=True, include={"cool_down_seconds", "when_all_cooling"})
    told["retryOn"] = [
        [int(low), int(high or low)] for low, _, high in (one.partition("-") for one in client.retry_on)
    ]
    if target.regions:
        weights, urls = client.weights or {}, dict(target.regions)
        names = list(client.order or urls) if client.pick == "in-order" else list(urls)
        places = [{"name": name, "url": urls[name], "weight": weights.get(name, 1)} for name in names]
        told["regions"] = [place for place in places if client.pick != "weighted" or place["weight"]]
    return told


def _kind(traffic: Traffic) -> dict[str, Any]:
    return {
        "name": traffic.name,
        "share": traffic.share,
        "stream": traffic.stream,
        "promptTokens": _tokens(traffic.prompt_tokens),
        "maxTokens": traffic.max_tokens,
    }


def _tokens(count: TokenCount) -> int | dict[str, float]:
    return {"median": count.median, "sigma": token_spread(count)} if isinstance(count, Tokens) else count
