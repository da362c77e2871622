"""SB164: a failover that waits before it tries the next backend."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place

_SLOW_SECONDS = 10
"""A pause between later retries that is longer than what a model usually needs for its first words."""


class SlowFirstRetry(PolicyRule):
    """A failover that waits before it tries the next backend.

    ## Why
    With a pool the next attempt goes to another member at once: a pause before it only adds to the latency of
    every failed-over call, and soon dominates the slowest percentiles.

    ## Bad
    ```xml
    <retry condition="@(a)" count="2" interval="5">
      <forward-request buffer-request-body="true" />
    </retry>
    ```

    ## Good
    ```xml
    <retry condition="@(a)" count="2" interval="0" first-fast-retry="true">
      <forward-request buffer-request-body="true" />
    </retry>
    ```

    ## Fix
    Set `first-fast-retry="true"`, or `interval="0"`.
    """

    id = "SB164"
    name = "slow-first-retry"
    severity = Severity.NOTE
    source = "https://learn.microsoft.com/azure/api-management/retry-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each retry around a forward-request that pauses first."""
        for placed in place(subject).policies("retry"):
            interval = (placed.element.literal("interval") or "").strip()
            fast = placed.element.get("first-fast-retry")
            forwards = any(inner.name == "forward-request" for inner in placed.element.walk())
            if not forwards or not interval.isdecimal() or int(interval) < 1:
                continue
            several = (placed.element.literal("count") or "").strip() != "1"
            if fast is not None and fast.strip().lower() == "true" and several and int(interval) >= _SLOW_SECONDS:
                message = f"every retry after the first waits {int(interval)} s before it tries another backend"
                yield Problem(placed.element, message, 'set interval="0"')
            if fast is None or fast.strip().lower() == "false":
                message = f"the first retry waits {int(interval)} s before it tries another backend"
                yield Problem(placed.element, message, 'set first-fast-retry="true"')
