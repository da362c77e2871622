"""SB312: circuit breaker emptied until it counts nothing."""

from collections.abc import Iterator

from sinbin.lint.breaker import breaker_rules
from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.nodes import Node
from sinbin.lint.resource import BACKEND, Resource
from sinbin.lint.rule import ResourceRule


def _holds_something(node: Node | None) -> bool:
    return node is not None and (not isinstance(node.value, list) or bool(node.value)) and node.value is not None


class BreakerThatNeverTrips(ResourceRule):
    """Circuit breaker emptied until it counts nothing.

    ## Why
    A breaker without rules, or a rule without a condition, counts no failure: it looks like protection, and no
    backend ever goes to the sin bin. Emptying is also no way to switch a breaker off; the resource then still
    carries one.

    ## Bad
    ```json
    {"circuitBreaker": {}}
    ```

    ## Good
    ```json
    {
      "circuitBreaker": {
        "rules": [
          {
            "name": "busy",
            "tripDuration": "PT1M",
            "acceptRetryAfter": true,
            "failureCondition": {"count": 1, "interval": "PT1M", "statusCodeRanges": [{"min": 429, "max": 429}]}
          }
        ]
      }
    }
    ```

    ## Fix
    Remove `circuitBreaker` to have none (in a stack file: `circuitBreaker: null`); else name the status codes
    that count.
    """

    id = "SB312"
    name = "breaker-that-never-trips"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/backends"
    types = (BACKEND,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        breaker = resource.get("circuitBreaker")
        if breaker is None or not isinstance(breaker.value, dict):
            return
        listed = breaker.get("rules")
        if listed is None or listed.value is None:
            yield Problem(
                listed or breaker,
                f"the breaker of {resource.label} has no rule, so it never trips",
                "remove `circuitBreaker` to have none, or give it one rule",
            )
        for rule in breaker_rules(resource):
            condition = rule.condition
            if condition is not None and not condition.known:
                continue
            ranges, reasons = rule.ranges, rule.node.get("failureCondition", "errorReasons")
            if not _holds_something(ranges) and not _holds_something(reasons):
                yield Problem(
                    ranges or condition or rule.node,
                    f"the breaker of {resource.label} counts no status code and no error, so it never trips",
                    "list what counts as a failure, for example 429 and 500 to 599",
                )
