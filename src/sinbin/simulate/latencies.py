"""How long regions take, as measured: `latencies.json`."""

import json
from importlib import resources

from sinbin.simulate.scenario import Latency


def measured_latency(region: str) -> Latency:
    """Return how long `region` takes through a gateway, of an unmeasured one what is typical."""
    known = json.loads((resources.files("sinbin.simulate") / "latencies.json").read_text("utf-8"))
    return Latency.model_validate(known["regions"].get(region, known["otherRegions"]))


def is_measured(region: str) -> bool:
    """Return whether the latency of `region` was measured."""
    known = json.loads((resources.files("sinbin.simulate") / "latencies.json").read_text("utf-8"))
    return region in known["regions"]
