"""SB163: a retry that may wait longer than any caller."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.nodes import Element
from sinbin.policy.placement import place

_IDLE_SECONDS = 240
_MAX_COUNT = 50


class RetryWaitsTooLong(PolicyRule):
    """A retry that may wait longer than any caller.

    ## Why
    Connections that are idle for about four minutes are dropped. A retry whose pauses add up to more answers
    nobody.

    ## Bad
    ```xml
    <retry condition="@(a)" count="10" interval="60"><forward-request /></retry>
    ```

    ## Good
    ```xml
    <retry condition="@(a)" count="2" interval="0" first-fast-retry="true"><forward-request /></retry>
    ```

    ## Fix
    Shorten the interval, or retry less often.
    """

    id = "SB163"
    name = "retry-waits-too-long"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/forward-request-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each retry whose pauses, as far as they are written, exceed four minutes."""
        for placed in place(subject).policies("retry"):
            numbers = [_number(placed.element, name) for name in ("count", "interval", "delta", "max-interval")]
            count, interval, delta, limit = numbers
            if count is None or interval is None or count > _MAX_COUNT:
                continue
            pauses = [_pause(retry, interval, delta or 0, limit) for retry in range(count)]
            if sum(pauses) > _IDLE_SECONDS:
                message = f"the pauses add up to {sum(pauses):,} s; idle connections end after {_IDLE_SECONDS} s"
                yield Problem(placed.element, message, "shorten the interval, or lower the count")


def _number(element: Element, name: str) -> int | None:
    text = (element.literal(name) or "").strip()
    return int(text) if text.isdecimal() and len(text) < 7 else None


def _pause(retry: int, interval: int, delta: int, limit: int | None) -> int:
    """Return the seconds before retry number `retry` (from 0); exponential once all three are given."""
    if limit is None:
        return interval + retry * delta
    return min(limit, interval + ((1 << retry) - 1) * delta)
