"""SB403: a quota by key for less than five minutes."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place

_SHORTEST_SECONDS = 300


class QuotaPeriodTooShort(PolicyRule):
    """A quota by key for less than five minutes.

    ## Why
    `renewal-period` of `quota-by-key` is at least 300 seconds; 0 means that the quota never renews.

    ## Bad
    ```xml
    <quota-by-key calls="100" renewal-period="60" counter-key="a" />
    ```

    ## Good
    ```xml
    <rate-limit-by-key calls="100" renewal-period="60" counter-key="a" />
    ```

    ## Fix
    Write 300 or more, or use `rate-limit-by-key` for short periods.
    """

    id = "SB403"
    name = "quota-period-too-short"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/quota-by-key-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each period from 1 to 299 seconds."""
        for placed in place(subject).policies("quota-by-key"):
            period = placed.element.attribute("renewal-period")
            value = (period.literal or "").strip() if period is not None else ""
            if period is not None and value.isdecimal() and 0 < int(value) < _SHORTEST_SECONDS:
                message = (
                    f"`renewal-period` of `quota-by-key` is {int(value)} s; the shortest is {_SHORTEST_SECONDS} s"
                )
                yield Problem(period, message, "write 300 or more, or use `rate-limit-by-key`")
