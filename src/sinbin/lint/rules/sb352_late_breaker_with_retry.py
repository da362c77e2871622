"""SB352: circuit breaker that trips later than the retry comes."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.nodes import Node
from sinbin.lint.rule import StackRule
from sinbin.lint.stack import aliases


class LateBreakerWithRetry(StackRule):
    """Circuit breaker that trips later than the retry comes.

    ## Why
    With a count above 1 the member that has just refused is still in the pool when the retry chooses, and may
    be chosen again. Every gateway instance counts for itself, so the real threshold is higher still.

    ## Bad
    ```yaml
    circuitBreaker: {count: 3}
    retry: {count: 2}
    ```

    ## Good
    ```yaml
    circuitBreaker: {count: 1}
    retry: {count: 2}
    ```

    ## Fix
    Trip on the first failure: `count: 1`.
    """

    id = "SB352"
    name = "late-breaker-with-retry"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/backends"

    def check(self, gateway: Node, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for alias in aliases(gateway):
            count = alias.number("circuitBreaker", "count")
            if count is not None and count > 1 and alias.retries and alias.members > 1:
                yield Problem(
                    alias.node.get("circuitBreaker", "count") or alias.node,
                    f"the breakers of {alias.name} trip on failure number {count:g}, after the retry",
                    "set count to 1",
                )
