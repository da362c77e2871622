"""quota and quota-by-key: so many calls or kilobytes per fixed period, counted for the service as a whole."""

import math
from collections.abc import Hashable
from datetime import UTC, datetime
from typing import ClassVar

from sinbin.gateway.blocks import Step
from sinbin.gateway.compiler import SectionCompiler
from sinbin.gateway.context import Context
from sinbin.gateway.entity_limits import WHICH, entity_limits
from sinbin.gateway.limit_outputs import Outputs, clock_text, whole_seconds
from sinbin.gateway.reading import Node
from sinbin.gateway.registry import REFERENCE, Policy
from sinbin.gateway.shape import Attribute, Shape

_CALLS = Attribute("integer", expression=False, low=0)
_BANDWIDTH = Attribute("integer", expression=False, low=0)
_LIMITS = {
    "calls": _CALLS,
    "bandwidth": _BANDWIDTH,
    "renewal-period": Attribute("integer", required=True, expression=False, low=0),
}
_ASSUMED = ("Bandwidth counts the bodies of request and reply; a streamed reply is not counted.",)


def period_start(first: float, period: float, unix_now: float) -> float:
    """Return when the period that holds `unix_now` began: `first` plus a whole number of periods; 0 = endless."""
    if not period:
        return first
    return first + math.floor((unix_now - first) / period) * period


class _Quota:
    """Checks and counts one pair of limits."""

    def __init__(self, node: Node, period: int, first: float) -> None:
        self._calls, self._bandwidth = node.constant("calls"), node.constant("bandwidth")
        self._period, self._first = period, first
        self._outputs = Outputs(node, "retry-after")
        if self._calls is None and self._bandwidth is None:
            node.refuse("needs calls, bandwidth, or both")

    def check(self, context: Context, key: Hashable) -> None:
        """Refuse with 403 when nothing is left."""
        start = period_start(self._first, self._period, context.unix_now)
        wait = start + self._period - context.unix_now if self._period else math.inf
        for limit, kind, words in ((self._calls, "calls", "call volume"), (self._bandwidth, "kb", "bandwidth")):
            if limit is not None and context.instance.service.quota((key, kind), limit).left(start) <= 0:
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
        quota = context.instance.service.quota
        if self._calls is not None:
            start = period_start(self._first, self._period, context.unix_now)
            counter = quota((key, "calls"), self._calls)
            counter.add(start, calls)
            if context.trace is not None:
                context.note(f"{counter.left(start):g} of {self._calls} calls of the quota left")
        if self._bandwidth is not None and calls:
            bandwidth = self._bandwidth

            def count_bytes(context: Context) -> None:
                start = period_start(self._first, self._period, context.unix_now)
                quota((key, "kb"), bandwidth).add(start, _kilobytes(context))

            context.at_end.append(count_bytes)


def _kilobytes(context: Context) -> float:
    reply = context.response.body if context.response is not None else None
    sent = context.request.body or b""
    return (len(sent) + (len(reply) if isinstance(reply, bytes) else 0)) / 1024


class Quota(Policy):
    """Limits what a subscription may use; requests without a subscription are not limited."""

    names: ClassVar = ("quota",)
    sections = frozenset({"inbound"})
    scopes = ("product",)
    shape = Shape(
        attributes=_LIMITS,
        children={
            "api": Shape(
                attributes=_LIMITS | WHICH,
                children={"operation": Shape(attributes=_LIMITS | WHICH, repeated=True)},
                repeated=True,
            )
        },
    )
    source = REFERENCE.format("quota")
    assumed = (*_ASSUMED, "Periods begin at the clock's start, as if every subscription had been made then.")

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:
        """Return the step that counts and refuses."""
        quotas = [
            (_Quota(limit, limit.constant("renewal-period") or 0, 0.0), applies, (compiler.scope, limit.path))
            for limit, applies in entity_limits(node)
        ]

        def limit(context: Context) -> None:
            if context.subscription is None:
                return
            for quota, applies, key in quotas:
                if applies(context):
                    own = (*key, context.subscription.id)
                    quota.check(context, own)
                    quota.count(context, own, 1)

        return Step(plain=limit)


class QuotaByKey(Policy):
    """Limits what requests with the same key may use."""

    names: ClassVar = ("quota-by-key",)
    sections = frozenset({"inbound"})
    in_consumption = False
    shape = Shape(
        attributes={
            **_LIMITS,
            "counter-key": Attribute("text", required=True),
            "increment-condition": Attribute("boolean", default=True),
            "increment-count": Attribute("integer", default=1, low=0),
            "first-period-start": Attribute("text", default="0001-01-01T00:00:00Z", expression=False),
        }
    )
    source = REFERENCE.format("quota-by-key")
    assumed = (*_ASSUMED, "A postponed increment is made when the pipeline is over, also after an error.")

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:  # noqa: ARG003
        """Return the step that counts and refuses; one key counts once per request."""
        period = node.constant("renewal-period") or 0
        if 0 < period < 300:
            node.refuse(f"has renewal-period {period}; it can be 0 or 300 and more")
        quota = _Quota(node, period, _unix(node))
        key, condition, count = (
            node.value("counter-key"),
            node.value("increment-condition"),
            node.value("increment-count"),
        )
        at_once = condition.known and count.known

        def limit(context: Context) -> None:
            name = ("quota-by-key", key.read(context))
            quota.check(context, name)
            if name in context.counted:
                return
            context.counted.add(name)
            if at_once:
                quota.count(context, name, count.constant if condition.constant else 0)
                return

            def later(context: Context) -> None:
                if condition.read(context):
                    quota.count(context, name, count.read(context))

            context.at_end.append(later)

        return Step(plain=limit)


def _unix(node: Node) -> float:
    text = node.constant("first-period-start")
    try:
        at = datetime.fromisoformat(text)
    except (ValueError, TypeError):
        node.refuse(f'has first-period-start "{text}"; write it like 2026-01-01T00:00:00Z')
        return 0.0
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
