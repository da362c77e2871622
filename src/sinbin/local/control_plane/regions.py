"""The regions that the control plane knows, from `sinbin/data/regions.json`."""

import json
from importlib import resources

REGIONS: frozenset[str] = frozenset(
    json.loads(resources.files("sinbin.data").joinpath("regions.json").read_text("utf-8"))["regions"]
)


def normalise(location: str) -> str:
    """Return a region's name as ARM keeps it: `UK South` → `uksouth`."""
    return location.lower().replace(" ", "")
