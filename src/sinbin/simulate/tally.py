"""What one replication counts: constant memory, however many requests; tallies of replications add up."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from sinbin.simulate.sketch import Sketch

if TYPE_CHECKING:
    from sinbin.simulate.request_source import Request

Key = TypeVar("Key", int, str)

LIMITS = "limits"
"""Why the gateway refused: a cap, a rate, token or quota limit of its own."""
POOL_EMPTY = "pool empty"
"""Why the gateway refused: every region that it may call sits out."""
SLOTS = 300
"""Points of a time series."""


class Series:
    """Events per slot of time; when time runs past the last slot, slots are joined in pairs.

    `counts[i]` holds what happened from `i * width_s` to `(i + 1) * width_s`.
    """

    __slots__ = ("counts", "last_s", "per_second", "width_s")

    def __init__(self, width_s: float) -> None:
        self.width_s = width_s
        self.per_second = 1 / width_s
        self.counts: list[float] = [0] * SLOTS
        self.last_s = 0.0

    def add(self, now: float) -> None:
        """Count one event at `now`."""
        self.last_s = max(self.last_s, now)
        slot = int(now * self.per_second)
        while slot >= SLOTS:
            self.coarsen()
            slot = int(now * self.per_second)
        self.counts[slot] += 1

    def add_span(self, since: float, until: float) -> None:
        """Count the seconds from `since` to `until` in the slots where they fall."""
        while until >= self.width_s * SLOTS:
            self.coarsen()
        width = self.width_s
        for slot in range(int(since / width), int(until / width) + 1):
            self.counts[slot] += min(until, (slot + 1) * width) - max(since, slot * width)

    def coarsen(self) -> None:
        """Make every slot twice as wide."""
        counts = self.counts
        self.counts = [counts[i] + counts[i + 1] for i in range(0, SLOTS, 2)] + [0] * (SLOTS // 2)
        self.width_s *= 2
        self.per_second = 1 / self.width_s

    def clear(self) -> None:
        """Forget every event."""
        self.counts = [0] * SLOTS

    def merge(self, other: "Series") -> None:
        """Count everything that `other` counted; both began with the same width, or one is coarsened to fit."""
        while self.width_s < other.width_s * (1 - 1e-9):
            self.coarsen()
        self.last_s = max(self.last_s, other.last_s)
        ratio = round(self.width_s / other.width_s)
        for slot, count in enumerate(other.counts):
            if count:
                self.counts[slot // ratio] += count


class Cell:
    """Answers of one kind of request by one region.

    The tokens are those of kinds whose requests differ; requests that are all alike are counted only once.
    """

    __slots__ = ("completion_tokens", "counts", "latency", "prompt_tokens")

    def __init__(self) -> None:
        self.latency = Sketch()
        self.counts = self.latency.counts
        self.prompt_tokens = 0
        self.completion_tokens = 0

    def clear(self) -> None:
        """Forget every answer."""
        # Whoever counts holds the list itself.
        self.counts[:] = [0] * len(self.counts)
        self.prompt_tokens = self.completion_tokens = 0


class RegionTally:
    """What one region did."""

    def __init__(self, width_s: float) -> None:
        self.calls = 0
        self.refused_calls = 0
        self.failed_calls = 0
        self.sit_outs = 0
        """How often a gateway instance, or a caller, began to leave it alone."""
        self.answered = Series(width_s)
        self.refused = Series(width_s)
        self.sat_out = Series(width_s)
        """Seconds in the sin bin, of every gateway instance or caller."""

    def clear(self) -> None:
        """Forget everything."""
        self.calls = self.refused_calls = self.failed_calls = self.sit_outs = 0
        for series in (self.answered, self.refused, self.sat_out):
            series.clear()


@dataclass
class KindTally:
    """What became of one kind of request."""

    requests: int = 0
    unanswered: dict[int, int] = field(default_factory=dict)
    """Requests that ended without an answer, by their last status; 0 = no call was made."""
    tokens_each: tuple[int, int] = (0, 0)
    """Prompt and completion tokens of every answer, where all are alike."""
    refused_at_gateway: dict[str, int] = field(default_factory=dict)
    """Requests that ended with a reply of the gateway itself, by the reason."""


class Tally:
    """Everything that one replication, or several merged ones, counted."""

    def __init__(self, regions: Iterable[str], kinds: Iterable[str], width_s: float) -> None:
        self.regions = {name: RegionTally(width_s) for name in regions}
        self.kinds = {name: KindTally() for name in kinds}
        self.cells = {kind: {region: Cell() for region in self.regions} for kind in self.kinds}
        self.unanswered = Series(width_s)
        self.elapsed_s = 0.0
        self.runs = 1

    def clear(self) -> None:
        """Forget everything that has been decided; requests under way stay, to be counted when they end."""
        for name, kind in self.kinds.items():
            kind.requests -= self.answered(kind=name) + sum(kind.unanswered.values())
            kind.unanswered.clear()
            kind.refused_at_gateway.clear()
            for cell in self.cells[name].values():
                cell.clear()
        for region in self.regions.values():
            region.clear()
        self.unanswered.clear()

    def sits_out(self, region: str, since_s: float, until_s: float) -> None:
        """Note that `region` is left alone from `since_s` to `until_s`."""
        tally = self.regions[region]
        tally.sit_outs += 1
        tally.sat_out.add_span(since_s, until_s)

    def fail(self, request: "Request", now: float, status: int) -> None:
        """Note that `request` ended at `now` without an answer; status 0 = no call was made."""
        unanswered = self.kinds[request.kind.name].unanswered
        unanswered[status] = unanswered.get(status, 0) + 1
        self.unanswered.add(now)

    def refuse(self, kind: str, reason: str) -> None:
        """Note that the gateway itself, not a region, ended a request of `kind`."""
        refused = self.kinds[kind].refused_at_gateway
        refused[reason] = refused.get(reason, 0) + 1

    def merge(self, other: "Tally") -> None:
        """Add everything that `other` counted."""
        for name, region in other.regions.items():
            mine = self.regions[name]
            mine.calls += region.calls
            mine.refused_calls += region.refused_calls
            mine.failed_calls += region.failed_calls
            mine.sit_outs += region.sit_outs
            mine.answered.merge(region.answered)
            mine.refused.merge(region.refused)
            mine.sat_out.merge(region.sat_out)
        for name, kind in other.kinds.items():
            self.kinds[name].requests += kind.requests
            self.kinds[name].tokens_each = kind.tokens_each
            _add(self.kinds[name].unanswered, kind.unanswered)
            _add(self.kinds[name].refused_at_gateway, kind.refused_at_gateway)
            for region_name, cell in other.cells[name].items():
                total = self.cells[name][region_name]
                total.latency.merge(cell.latency)
                total.prompt_tokens += cell.prompt_tokens
                total.completion_tokens += cell.completion_tokens
        self.unanswered.merge(other.unanswered)
        self.elapsed_s += other.elapsed_s
        self.runs += other.runs

    @property
    def requests(self) -> int:
        """Requests in all."""
        return sum(kind.requests for kind in self.kinds.values())

    @property
    def calls(self) -> int:
        """Calls that reached a region."""
        return sum(region.calls for region in self.regions.values())

    @property
    def refused_calls(self) -> int:
        """Calls that a region answered 429."""
        return sum(region.refused_calls for region in self.regions.values())

    @property
    def failed_calls(self) -> int:
        """Calls that a region answered with a fault."""
        return sum(region.failed_calls for region in self.regions.values())

    @property
    def sit_out_count(self) -> int:
        """How often any region was left alone."""
        return sum(region.sit_outs for region in self.regions.values())

    def unanswered_by_status(self) -> dict[int, int]:
        """Return the requests without an answer by their last status; 0 = no call was made."""
        total: dict[int, int] = {}
        for kind in self.kinds.values():
            _add(total, kind.unanswered)
        return total

    @property
    def refused_at_gateway(self) -> dict[str, int]:
        """Requests that ended with a reply of the gateway itself, by the reason."""
        total: dict[str, int] = {}
        for kind in self.kinds.values():
            _add(total, kind.refused_at_gateway)
        return total

    def latency(self, kind: str | None = None, region: str | None = None) -> Sketch:
        """Return the latencies of the answered requests, of one kind or region if named."""
        merged = Sketch()
        for kind_name, cells in self.cells.items():
            for region_name, cell in cells.items():
                if kind in (None, kind_name) and region in (None, region_name):
                    merged.merge(cell.latency)
        return merged

    def answered(self, kind: str | None = None, region: str | None = None) -> int:
        """Return how many requests were answered, of one kind or by one region if named."""
        return len(self.latency(kind, region))

    def tokens(self, region: str) -> tuple[int, int]:
        """Return the prompt and completion tokens that `region` was paid for."""
        prompt = completion = 0
        for name, kind in self.kinds.items():
            cell = self.cells[name][region]
            answered = len(cell.latency)
            prompt += cell.prompt_tokens + answered * kind.tokens_each[0]
            completion += cell.completion_tokens + answered * kind.tokens_each[1]
        return prompt, completion


def _add(total: dict[Key, int], counts: Mapping[Key, int]) -> None:
    for key, count in counts.items():
        total[key] = total.get(key, 0) + count


def slot_width(duration_s: float | None) -> float:
    """Return the width (s) of a time slot for a run of `duration_s`; None = not known before it has run."""
    # A few per cent of room for what is still under way when the load ends.
    return max(1.07 * duration_s / SLOTS, 0.01) if duration_s is not None and math.isfinite(duration_s) else 0.05
