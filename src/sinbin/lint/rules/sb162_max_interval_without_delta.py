"""SB162: a retry with max-interval and no delta."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place


class MaxIntervalWithoutDelta(PolicyRule):
    """A retry with max-interval and no delta.

    ## Why
    Waits grow exponentially when interval, delta and max-interval are all given. What max-interval does
    without delta is not documented.

    ## Bad
    ```xml
    <retry condition="@(a)" count="5" interval="1" max-interval="30"><forward-request /></retry>
    ```

    ## Good
    ```xml
    <retry condition="@(a)" count="5" interval="1" delta="1" max-interval="30">
      <forward-request />
    </retry>
    ```

    ## Fix
    Add `delta`, or delete `max-interval`.
    """

    id = "SB162"
    name = "max-interval-without-delta"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/retry-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each max-interval without a delta."""
        for placed in place(subject).policies("retry"):
            limit = placed.element.attribute("max-interval")
            if limit is not None and placed.element.attribute("delta") is None:
                yield Problem(
                    limit, "`max-interval` stands without `delta`", "add `delta`, or delete `max-interval`"
                )
