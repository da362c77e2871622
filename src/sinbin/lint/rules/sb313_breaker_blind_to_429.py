"""SB313: circuit breaker in front of a model that does not count 429."""

from collections.abc import Iterator

from sinbin.lint.breaker import breaker_rules, serves_models
from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import BACKEND, Resource
from sinbin.lint.rule import ResourceRule


class BreakerBlindTo429(ResourceRule):
    """Circuit breaker in front of a model that does not count 429.

    ## Why
    A full model deployment answers 429, not 5xx. A breaker that counts only 5xx (as the generic sample in the
    documentation does) never opens under load: the pool keeps sending to the full member, and the next priority
    is never used.

    ## Bad
    ```json
    {
      "failureCondition": {"count": 1, "interval": "PT1M", "statusCodeRanges": [{"min": 500, "max": 599}]}
    }
    ```

    ## Good
    ```json
    {
      "failureCondition": {
        "count": 1,
        "interval": "PT1M",
        "statusCodeRanges": [{"min": 429, "max": 429}, {"min": 500, "max": 599}]
      }
    }
    ```

    ## Fix
    Add the range 429 to 429, and keep 5xx.
    """

    id = "SB313"
    name = "breaker-blind-to-429"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/backends"
    types = (BACKEND,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:
        """Yield what is wrong."""
        rules = list(breaker_rules(resource))
        if not serves_models(resource, context) or any(rule.counts(429) for rule in rules):
            return
        for rule in rules:
            if rule.condition is not None and rule.condition.members() and rule.judged:
                yield Problem(
                    rule.ranges or rule.condition,
                    f"the breaker of {resource.label} does not count 429, the answer of a full model deployment",
                    'add {"min": 429, "max": 429} to `statusCodeRanges`',
                )
