"""A quota: so many calls or kilobytes per fixed period, counted for the service as a whole."""

import math
from collections.abc import Hashable

from sinbin.gateway.context import Context
from sinbin.gateway.counters import FixedPeriod
from sinbin.gateway.limit_outputs import Outputs, clock_text, whole_seconds
from sinbin.gateway.reading import Node


def period_start(first: float, period: float, unix_now: float) -> float:
    """Return when the period that holds `unix_now` began: `first` plus a whole number of periods; 0 = endless."""
    if not period:
        return first
    return first + math.floor((unix_now - first) / period) * period


class QuotaLimit:
    """Checks and counts one pair of limits."""

    def __init__(self, node: Node, period: int, first: float) -> None:
        self._calls, self._bandwidth = node.constant("calls"), node.constant("bandwidth")
        self._period, self._first = period, first
        self._outputs = Outputs(node, "retry-after")
        if self._calls is None and self._bandwidth is None:
            node.refuse("needs calls, bandwidth, or both")

    def check(self, context: Context, key: Hashable) -> None:
        """Refuse with 403 when nothing is left."""
        start, end = self._bounds(context)
        wait = end - context.unix_now
        for limit, kind, words in ((self._calls, "calls", "call volume"), (self._bandwidth, "kb", "bandwidth")):
            if limit is not None and self._counter(context, (key, kind), limit, end).left(start) <= 0:
                when = f" Quota will be replenished in {clock_text(whole_seconds(wait))}." if self._period else ""
                raise self._outputs.refusal(
                    context,
                    status=403,
                    reason="QuotaExceeded",
                    message=f"Out of {words} quota.{when}",
                    wait_s=wait,
                )

    def count(self, context: Context, key: Hashable, calls: int) -> None:
        """Count `calls` now and the bytes when the pipeline is over."""
        if self._calls is not None:
            start, end = self._bounds(context)
            counter = self._counter(context, (key, "calls"), self._calls, end)
            counter.add(start, calls)
            if context.trace is not None:
                context.note(f"{counter.left(start):g} of {self._calls} calls of the quota left")
        if self._bandwidth is not None and calls:
            bandwidth = self._bandwidth

            def count_bytes(context: Context) -> None:
                start, end = self._bounds(context)
                self._counter(context, (key, "kb"), bandwidth, end).add(start, _kilobytes(context))

            context.at_end.append(count_bytes)

    def _bounds(self, context: Context) -> tuple[float, float]:
        start = period_start(self._first, self._period, context.unix_now)
        return start, start + self._period if self._period else math.inf

    @staticmethod
    def _counter(context: Context, key: Hashable, limit: int, end: float) -> FixedPeriod:
        return context.instance.service.quotas.counter(key, limit, context.unix_now, end)


def _kilobytes(context: Context) -> float:
    reply = context.response.body if context.response is not None else None
    sent = context.request.body or b""
    return (len(sent) + (len(reply) if isinstance(reply, bytes) else 0)) / 1024
