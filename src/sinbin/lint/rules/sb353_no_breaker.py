"""SB353: alias with several members and its breaker switched off."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.nodes import Node
from sinbin.lint.rule import StackRule
from sinbin.lint.stack import aliases


class NoBreaker(StackRule):
    """Alias with several members and its breaker switched off.

    ## Why
    Only a breaker takes a member out of the pool. Without one a priority pool never reaches its second region,
    and any pool keeps sending to the region that refuses.

    ## Bad
    ```yaml
    circuitBreaker: null
    routing: {strategy: priority}
    ```

    ## Good
    ```yaml
    circuitBreaker: {count: 1, interval: PT1M, tripDuration: PT1M, acceptRetryAfter: true}
    routing: {strategy: priority}
    ```

    ## Fix
    Leave `circuitBreaker` out to have the default, or write its keys.
    """

    id = "SB353"
    name = "no-breaker"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/backends"

    def check(self, gateway: Node, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for alias in aliases(gateway):
            breaker = alias.node.get("circuitBreaker")
            if breaker is not None and breaker.value is None and alias.members > 1:
                yield Problem(
                    breaker,
                    f"without a breaker the {alias.members} members of {alias.name} are never taken out",
                    "leave the key out to have the default breaker",
                )
