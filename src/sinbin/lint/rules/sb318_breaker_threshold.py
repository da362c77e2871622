"""SB318: breaker threshold that is missing, doubled or out of range."""

from collections.abc import Iterator

from sinbin.lint.breaker import breaker_rules
from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import BACKEND, Resource
from sinbin.lint.rule import ResourceRule


class BreakerThreshold(ResourceRule):
    """Breaker threshold that is missing, doubled or out of range.

    ## Why
    A breaker trips on a number or on a percentage of failures within an interval. With neither there is no
    threshold, with both it is not documented which one holds, and without an interval nothing says over which
    time failures add up.

    ## Bad
    ```json
    {"failureCondition": {"count": 3, "percentage": 50, "interval": "PT1M"}}
    ```

    ## Good
    ```json
    {"failureCondition": {"count": 1, "interval": "PT1M"}}
    ```

    ## Fix
    Keep one of `count` (1 or more) and `percentage` (1 to 100), and say the `interval`.
    """

    id = "SB318"
    name = "breaker-threshold"
    severity = Severity.WARNING
    source = (
        "Derived: https://learn.microsoft.com/azure/api-management/backends (number or percentage of failures)"
    )
    types = (BACKEND,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for rule in breaker_rules(resource):
            condition = rule.condition
            if condition is None or not isinstance(condition.value, dict):
                continue
            count, percentage = condition.get("count"), condition.get("percentage")
            given = [node for node in (count, percentage) if node is not None and node.value is not None]
            if len(given) != 1:
                words = "both count and percentage" if given else "neither count nor percentage"
                yield Problem(
                    given[-1] if given else condition,
                    f"the breaker of {resource.label} has {words}",
                    "keep exactly one of them",
                )
            for key, highest in (("count", None), ("percentage", 100)):
                value = condition.number(key)
                if value is not None and (value < 1 or (highest is not None and value > highest)):
                    bounds = f"1 to {highest}" if highest else "1 or more"
                    yield Problem(
                        condition.get(key) or condition, f"{key} {value:g} is not allowed; {bounds}", "correct it"
                    )
            if condition.get("interval") is None:
                yield Problem(
                    condition,
                    f"the breaker of {resource.label} has no interval over which failures add up",
                    'set `interval`, for example "PT1M"',
                )
