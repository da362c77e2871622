"""SB321: circuit breaker that trips only after several failures."""

from collections.abc import Iterator

from sinbin.lint.breaker import breaker_rules
from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import BACKEND, Resource
from sinbin.lint.rule import ResourceRule


class LateBreaker(ResourceRule):
    """Circuit breaker that trips only after several failures.

    ## Why
    With a threshold above 1, a retry after the first refusal may go to the same member again: it is still in
    the pool. The attempt is wasted and the caller waits. Each gateway instance counts alone, which makes the
    threshold higher still.

    ## Bad
    ```json
    {"failureCondition": {"count": 3, "interval": "PT1M"}}
    ```

    ## Good
    ```json
    {"failureCondition": {"count": 1, "interval": "PT1M"}}
    ```

    ## Fix
    Trip on the first failure where a retry follows; keep a higher count where failures are rare and retries
    few.
    """

    id = "SB321"
    name = "late-breaker"
    severity = Severity.NOTE
    source = "Derived: https://learn.microsoft.com/azure/api-management/retry-policy and https://learn.microsoft.com/azure/api-management/backends"
    types = (BACKEND,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for rule in breaker_rules(resource):
            count = rule.node.number("failureCondition", "count")
            if count is not None and count > 1:
                yield Problem(
                    rule.node.get("failureCondition", "count") or rule.node,
                    f"the breaker of {resource.label} trips on failure number {count:g};"
                    " a retry before that may meet the same member",
                    "trip on the first failure when requests are retried over a pool",
                )
