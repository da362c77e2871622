"""retry: run policies again while a condition holds."""

import random
from typing import ClassVar

from sinbin.gateway.blocks import Pause, Step
from sinbin.gateway.compiler import SectionCompiler
from sinbin.gateway.context import Context
from sinbin.gateway.effects import Wait
from sinbin.gateway.failures import PolicyFailure
from sinbin.gateway.reading import Node
from sinbin.gateway.registry import ALL_SECTIONS, REFERENCE, Policy
from sinbin.gateway.shape import Attribute, Shape


def retry_pause(
    retry: int, interval_s: float, delta_s: float | None, max_interval_s: float | None, rng: random.Random
) -> float:
    """Return the seconds to wait before retry number `retry` (from 1).

    | given | pause |
    |---|---|
    | interval | interval |
    | interval, delta | interval + (retry - 1) · delta |
    | interval, delta, max-interval | min(max-interval, interval + (2^(retry-1) - 1) · random(0.8, 1.2) · delta) |

    The exponential form is the one that yields the waits of the reference page's own example; max-interval without
    delta caps the interval (assumed).
    Source: https://learn.microsoft.com/azure/api-management/retry-policy, read 2026-11-29
    """
    if delta_s is None:
        return interval_s if max_interval_s is None else min(interval_s, max_interval_s)
    if max_interval_s is None:
        return interval_s + (retry - 1) * delta_s
    grown: float = (2 ** (retry - 1) - 1) * rng.uniform(0.8, 1.2) * delta_s
    return min(max_interval_s, interval_s + grown)


class Retry(Policy):
    """Runs its policies once, then up to `count` times more while the condition is true."""

    names: ClassVar = ("retry",)
    sections = ALL_SECTIONS
    shape = Shape(
        attributes={
            "condition": Attribute("boolean", required=True),
            "count": Attribute("integer", required=True, low=1, high=50),
            "interval": Attribute("number", required=True, low=0),
            "max-interval": Attribute("number", low=0),
            "delta": Attribute("number", low=0),
            "first-fast-retry": Attribute("boolean", default=False),
        },
        policies=True,
    )
    source = REFERENCE.format("retry")
    assumed = (
        "After a first fast retry the second one waits as the second of the series would.",
        "max-interval without delta caps the interval.",
        (
            "A failure of a policy inside is retried while the condition holds; `context.Response` is null then, "
            "except after an open breaker or an emptied pool, where it is the 503."
        ),
    )

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:  # noqa: ARG003
        """Return the step that retries."""
        if any(element.name == "wait" for element in node.element.walk()):
            node.refuse("cannot hold <wait>")
        condition, count = node.value("condition").read, node.value("count").read
        interval, delta = node.value("interval").read, node.value("delta").read
        cap, fast = node.value("max-interval").read, node.value("first-fast-retry").read
        inner = node.block.as_yielding()

        def run(context: Context) -> Pause:
            retries = 0
            while True:
                failure: PolicyFailure | None = None
                try:
                    yield from inner(context)
                except PolicyFailure as raised:
                    failure = raised
                if not condition(context) or retries >= count(context):
                    if failure is not None:
                        raise failure
                    return
                retries += 1
                pause = 0.0
                if retries > 1 or not fast(context):
                    pause = retry_pause(retries, interval(context), delta(context), cap(context), context.rng)
                if context.trace is not None:
                    context.note(f"retry {retries} after {pause:g}s")
                if pause > 0:
                    context.now, _ = yield Wait(pause)

        return Step(yielding=run)
