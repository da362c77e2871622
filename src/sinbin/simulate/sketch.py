"""A sketch of latencies: quantiles within a stated relative error, in constant memory, mergeable.

Counts in buckets that grow geometrically, so a quantile is known up to the width of its bucket. Merging is
addition, so the merged sketch of many replications is the sketch of all their latencies, in whatever order.

Source: Masson, Rim, Lee, "DDSketch: a fast and fully-mergeable quantile sketch with relative-error guarantees",
VLDB 2019.
"""

import math
from collections.abc import Iterator
from math import log

RELATIVE_ERROR = 0.005
_LOWEST_S = 1e-4
_HIGHEST_S = 1e5
_GROWTH = (1 + RELATIVE_ERROR) / (1 - RELATIVE_ERROR)

SCALE = 1 / math.log(_GROWTH)
"""Bucket of a latency: `int(log(seconds) * SCALE) + OFFSET`, between 0 and `BUCKETS` - 1."""
OFFSET = -math.floor(math.log(_LOWEST_S) * SCALE)
BUCKETS = math.ceil(math.log(_HIGHEST_S) * SCALE) + OFFSET + 1


def bucket(seconds: float) -> int:
    """Return the bucket of a latency; below 0.1 ms and above a day there is one bucket each."""
    if seconds <= _LOWEST_S:
        return 0
    index = int(log(seconds) * SCALE + OFFSET)
    return index if index < BUCKETS else BUCKETS - 1


class Sketch:
    """Latencies in seconds, by bucket."""

    __slots__ = ("counts",)

    def __init__(self) -> None:
        self.counts = [0] * BUCKETS

    def add(self, seconds: float) -> None:
        """Count one latency."""
        self.counts[bucket(seconds)] += 1

    def merge(self, other: "Sketch") -> None:
        """Count everything that `other` counted."""
        mine = self.counts
        for index, count in enumerate(other.counts):
            if count:
                mine[index] += count

    def __len__(self) -> int:
        return sum(self.counts)

    def quantile(self, share: float) -> float:
        """Return the latency (s) below which `share` (0 to 1) of all lie, within `RELATIVE_ERROR`; nan if none."""
        rank = share * (len(self) - 1)
        seen = 0
        for index, count in enumerate(self.counts):
            seen += count
            if count and seen > rank:
                return _middle(index)
        return math.nan

    def bars(self) -> Iterator[tuple[float, float, int]]:
        """Yield (from s, to s, count) of every bucket from the first to the last that holds something."""
        filled = [index for index, count in enumerate(self.counts) if count]
        for index in range(filled[0], filled[-1] + 1) if filled else ():
            yield _edge(index), _edge(index + 1), self.counts[index]


def _edge(index: int) -> float:
    return math.exp((index - OFFSET) / SCALE)


def _middle(index: int) -> float:
    # The value whose relative distance to both edges is the same.
    return 2 * _edge(index + 1) / (_GROWTH + 1)
