"""quota and quota-by-key: so many calls or kilobytes per fixed period, counted for the service as a whole."""

from datetime import UTC, datetime
from typing import ClassVar

from sinbin.gateway.blocks import Step
from sinbin.gateway.compiler import SectionCompiler
from sinbin.gateway.context import Context
from sinbin.gateway.entity_limits import WHICH, entity_limits
from sinbin.gateway.quota_limit import QuotaLimit
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
            (QuotaLimit(limit, limit.constant("renewal-period") or 0, 0.0), applies, (compiler.scope, limit.path))
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
        quota = QuotaLimit(node, period, _unix(node))
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
            context.counted |= {name}
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
