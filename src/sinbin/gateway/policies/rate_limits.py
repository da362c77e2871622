"""rate-limit and rate-limit-by-key: so many calls per period."""

from typing import ClassVar

from sinbin.gateway.blocks import Step, calling
from sinbin.gateway.compiler import SectionCompiler
from sinbin.gateway.context import Context
from sinbin.gateway.counters import RateCounter
from sinbin.gateway.entity_limits import WHICH, entity_limits
from sinbin.gateway.limit_outputs import Outputs, whole_seconds
from sinbin.gateway.reading import Node
from sinbin.gateway.registry import REFERENCE, Policy
from sinbin.gateway.shape import Attribute, Shape

_NAME = Attribute("text", expression=False)
_OUTPUTS = {
    "retry-after-header-name": _NAME,
    "retry-after-variable-name": _NAME,
    "remaining-calls-header-name": _NAME,
    "remaining-calls-variable-name": _NAME,
    "total-calls-header-name": _NAME,
}
_CALLS = Attribute("integer", required=True, expression=False, low=0)
_PERIOD = Attribute("integer", required=True, expression=False, low=1, high=300)
_ENTITY = {**WHICH, "calls": _CALLS, "renewal-period": _PERIOD}
_ASSUMED = (
    "Refused calls do not count.",
    "Retry-After is the time until a call is free again, in whole seconds, at least 1.",
)


def _take(context: Context, counter: RateCounter, outputs: Outputs, amount: int) -> None:
    """Refuse when no call is left; count `amount` otherwise."""
    now = context.now
    left = counter.left(now)
    if left < 1:
        wait = counter.wait(now, 1)
        raise outputs.refusal(
            context,
            status=429,
            reason="RateLimitExceeded",
            message="Rate limit is exceeded",
            wait_s=wait,
            shown=f"Rate limit is exceeded. Try again in {whole_seconds(wait)} seconds.",
        )
    counter.add(now, amount)
    if context.trace is not None:
        context.note(f"{left:g} of {counter.limit:g} calls left, now {left - amount:g}")
    outputs.tell(context, "remaining-calls", int(left) - amount)


class RateLimit(Policy):
    """Limits the calls of a subscription; requests without a subscription are not limited."""

    names: ClassVar = ("rate-limit",)
    sections = frozenset({"inbound"})
    scopes = ("product", "api", "operation")
    shape = Shape(
        attributes={"calls": _CALLS, "renewal-period": _PERIOD, **_OUTPUTS},
        children={
            "api": Shape(
                attributes=_ENTITY, children={"operation": Shape(attributes=_ENTITY, repeated=True)}, repeated=True
            )
        },
    )
    source = REFERENCE.format("rate-limit")
    assumed = _ASSUMED

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:
        """Return the step that counts and refuses."""
        outputs = Outputs(node, "retry-after", "remaining-calls", "total-calls")
        limits = [
            (limit.constant("calls"), limit.constant("renewal-period"), applies, (compiler.scope, limit.path))
            for limit, applies in entity_limits(node)
        ]

        def limit(context: Context) -> None:
            if context.subscription is None:
                return
            for calls, period, applies, key in limits:
                if applies(context):
                    counter = context.instance.rate((context.subscription.id, *key), calls, period, context.now)
                    _take(context, counter, outputs, 1)
                    outputs.tell(context, "total-calls", calls)

        return Step(plain=limit)


class RateLimitByKey(Policy):
    """Limits the calls with the same key; the counter of a key is shared by all scopes of an instance."""

    names: ClassVar = ("rate-limit-by-key",)
    sections = frozenset({"inbound"})
    in_consumption = False
    shape = Shape(
        attributes={
            "calls": Attribute("integer", required=True, low=0),
            "renewal-period": Attribute("integer", required=True, low=1, high=300),
            "counter-key": Attribute("text", required=True),
            "increment-condition": Attribute("boolean", default=True),
            "increment-count": Attribute("integer", default=1, low=0),
            **_OUTPUTS,
        },
        refused={
            "increment-after-response": "only the editor schema knows it",
            "flexible-retry-window": "only the editor schema knows it",
        },
    )
    source = REFERENCE.format("rate-limit-by-key")
    assumed = (*_ASSUMED, "A postponed increment is made when the pipeline is over, also after an error.")

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:  # noqa: ARG003
        """Return the step that counts and refuses; expressions on the increment postpone it to the end."""
        outputs = Outputs(node, "retry-after", "remaining-calls", "total-calls")
        condition, count = node.value("increment-condition"), node.value("increment-count")
        at_once = condition.known and count.known
        amount = count.constant if at_once and condition.constant else 0

        def limit(context: Context, calls: int, key: str, period: int) -> None:
            counter = context.instance.rate(("rate-limit-by-key", key), calls, period, context.now)
            _take(context, counter, outputs, amount)
            outputs.tell(context, "total-calls", calls)
            if at_once:
                return

            def increment(context: Context) -> None:
                if condition.read(context):
                    counter.add(context.now, count.read(context))

            context.at_end.append(increment)

        return calling(limit, node.value("calls"), node.value("counter-key"), node.value("renewal-period"))
