"""SB351: retry that pauses before it tries the next region."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.nodes import Node
from sinbin.lint.rule import StackRule
from sinbin.lint.stack import aliases


class PauseBetweenAttempts(StackRule):
    """Retry that pauses before it tries the next region.

    ## Why
    The next region is not the one that was full: waiting gains nothing, and the pause is added to every request
    that fails over. It soon dominates the 95th percentile.

    ## Bad
    ```yaml
    retry: {count: 2, intervalSeconds: 5, firstFastRetry: false}
    ```

    ## Good
    ```yaml
    retry: {count: 2, intervalSeconds: 0, firstFastRetry: true}
    ```

    ## Fix
    Set `intervalSeconds: 0`, or at least `firstFastRetry: true`.
    """

    id = "SB351"
    name = "pause-between-attempts"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/retry-policy"

    def check(self, gateway: Node, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for alias in aliases(gateway):
            pause = alias.number("retry", "intervalSeconds")
            if pause and alias.members > 1 and alias.flag("retry", "firstFastRetry") is False:
                yield Problem(
                    alias.node.get("retry", "intervalSeconds") or alias.node,
                    f"every failover of {alias.name} waits {pause:g} s although the next region may be free",
                    "set intervalSeconds to 0, or firstFastRetry to true",
                )
