"""retry: run policies again while a condition holds."""

import random
from typing import ClassVar

from sinbin.gateway.blocks import Step
from sinbin.gateway.compiler import SectionCompiler
from sinbin.gateway.context import Context
from sinbin.gateway.effects import Wait
from sinbin.gateway.failures import PolicyFailure
from sinbin.gateway.reading import Node
from sinbin.gateway.registry import ALL_SECTIONS, REFERENCE, Policy
from sinbin.gateway.shape import Attribute, Shape
from sinbin.gateway.writing import Writer

MOST_RETRIES = 10_000
"""Of one request. Three of fifty inside each other would be 125,000, in a loop that lets nobody else go on."""


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
        f"A request whose retries are more than {MOST_RETRIES:,} in all, one inside the other, fails.",
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
        condition, count = node.value("condition"), node.value("count")
        interval, delta = node.value("interval").read, node.value("delta").read
        cap, fast = node.value("max-interval").read, node.value("first-fast-retry").read
        inner = node.block

        def before(context: Context, retry: int) -> float:
            context.retries += 1
            if context.retries > MOST_RETRIES:
                raise PolicyFailure("RetryLimitExceeded", f"a request may retry {MOST_RETRIES:,} times in all")
            pause = 0.0
            if retry > 1 or not fast(context):
                pause = retry_pause(retry, interval(context), delta(context), cap(context), context.rng)
            if context.trace is not None:
                context.note(f"retry {retry} after {pause:g}s")
            return pause

        def write(writer: Writer) -> None:
            retries, failure, pause = writer.fresh("retries"), writer.fresh("failure"), writer.fresh("pause")
            writer.line(f"{retries} = 0")
            writer.line("while True:")
            with writer.deeper():
                writer.line(f"{failure} = None")
                writer.line("try:")
                writer.block(inner)
                writer.line("except STOPPED as error:")
                writer.line(f"  {failure} = placed(error)")
                writer.line(f"if not ({condition.code(writer)}) or {retries} >= {count.code(writer)}:")
                writer.line(f"  if {failure} is None: break")
                writer.line(f"  raise {failure}")
                writer.line(f"{retries} += 1")
                writer.line(f"{pause} = {writer.bind(before, 'before')}(context, {retries})")
                writer.line(f"if {pause} > 0:")
                writer.line(f"  context.now, _ = yield {writer.bind(Wait, 'Wait')}({pause})")

        return Step(written=write, waits=True)
