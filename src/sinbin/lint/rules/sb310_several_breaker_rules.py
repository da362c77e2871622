"""SB310: circuit breaker with more than one rule."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import BACKEND, Resource
from sinbin.lint.rule import ResourceRule


class SeveralBreakerRules(ResourceRule):
    """Circuit breaker with more than one rule.

    ## Why
    The API definition allows 15 rules, the service takes one, and says so only at deployment. One rule for 429
    and one for 5xx is the natural first design.

    ## Bad
    ```json
    {
      "rules": [
        {"name": "busy", "failureCondition": {"statusCodeRanges": [{"min": 429, "max": 429}]}},
        {"name": "broken", "failureCondition": {"statusCodeRanges": [{"min": 500, "max": 599}]}}
      ]
    }
    ```

    ## Good
    ```json
    {
      "rules": [
        {
          "name": "busy-or-broken",
          "failureCondition": {"statusCodeRanges": [{"min": 429, "max": 429}, {"min": 500, "max": 599}]}
        }
      ]
    }
    ```

    ## Fix
    Merge the rules into one with several status ranges.
    """

    id = "SB310"
    name = "several-breaker-rules"
    severity = Severity.ERROR
    source = "https://github.com/MicrosoftDocs/azure-docs/issues/123514"
    types = (BACKEND,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        rules = resource.get("circuitBreaker", "rules")
        if rules is not None and len(rules.items()) > 1:
            yield Problem(
                rules.items()[1],
                f"the breaker of {resource.label} has {len(rules.items())} rules; the service takes one",
                "merge them into one rule with several `statusCodeRanges`",
            )
