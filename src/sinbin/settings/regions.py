"""Azure regions that offer Foundry models, with their data zone and availability zones."""

import difflib
import json
from dataclasses import dataclass
from functools import cache
from importlib import resources


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """A region; `segment` is its data zone, or its geography where it belongs to no data zone."""

    name: str
    geography: str
    data_zone: str | None
    availability_zones: bool

    @property
    def segment(self) -> str:
        """The part of the world that segmented routing keeps a request in."""
        return self.data_zone or self.geography


@cache
def known_regions() -> dict[str, Region]:
    """Return every known region by name; `data/regions.json` holds them with source and date."""
    document = json.loads(resources.files("sinbin.data").joinpath("regions.json").read_text("utf-8"))
    return {
        name: Region(
            name=name,
            geography=facts["geography"],
            data_zone=facts["dataZone"],
            availability_zones=facts["availabilityZones"],
        )
        for name, facts in document["regions"].items()
    }


def offered(name: str) -> str:
    """Return `name`, which has to be a known region.

    Raises:
        ValueError: it is none; says which one may be meant, or all of them.
    """
    known = known_regions()
    if name not in known:
        close = difflib.get_close_matches(name, known, n=1)
        advice = f"did you mean {close[0]}?" if close else f"known: {', '.join(known)}"
        raise ValueError(f"is no region that offers Foundry models; {advice}")
    return name
