"""SB314: circuit breaker that counts 429 but ignores Retry-After."""

from collections.abc import Iterator

from sinbin.lint.breaker import breaker_rules
from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import BACKEND, Resource
from sinbin.lint.rule import ResourceRule


class BreakerIgnoresRetryAfter(ResourceRule):
    """Circuit breaker that counts 429 but ignores Retry-After.

    ## Why
    The model says in Retry-After how long it stays full, which may be far longer than the trip duration (a day
    has been seen). A breaker that ignores it closes too early, meets 429 again, and repeats that for as long as
    the refusal lasts.

    ## Bad
    ```json
    {
      "tripDuration": "PT1M",
      "failureCondition": {"count": 1, "interval": "PT1M", "statusCodeRanges": [{"min": 429, "max": 429}]}
    }
    ```

    ## Good
    ```json
    {
      "tripDuration": "PT1M",
      "acceptRetryAfter": true,
      "failureCondition": {"count": 1, "interval": "PT1M", "statusCodeRanges": [{"min": 429, "max": 429}]}
    }
    ```

    ## Fix
    Set `acceptRetryAfter: true`. `tripDuration` then holds for replies that do not say how long.
    """

    id = "SB314"
    name = "breaker-ignores-retry-after"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/backends"
    types = (BACKEND,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for rule in breaker_rules(resource):
            accepts = rule.node.get("acceptRetryAfter")
            unknown = accepts is not None and not accepts.known
            if rule.counts(429) and not unknown and not rule.node.flag("acceptRetryAfter"):
                yield Problem(
                    accepts or rule.node.get("tripDuration") or rule.node,
                    f"the breaker of {resource.label} counts 429 but ignores the Retry-After that comes with it",
                    "set `acceptRetryAfter` to true; `tripDuration` stays for replies without that header",
                )
