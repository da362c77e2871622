"""SB322: circuit breaker that counts status codes only."""

from collections.abc import Iterator

from sinbin.lint.breaker import breaker_rules
from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import BACKEND, Resource
from sinbin.lint.rule import ResourceRule


class BreakerMissesTimeouts(ResourceRule):
    """Circuit breaker that counts status codes only.

    ## Why
    A backend that does not answer at all (timeout, refused connection, DNS) sends no status code. Deployed
    samples observe that such a failure does not trip a rule of status codes alone. The region then never sits
    out: a pool by priority chooses it at every attempt, and callers fail while the other regions are idle.

    ## Bad
    ```json
    {
      "failureCondition": {"count": 1, "interval": "PT1M", "statusCodeRanges": [{"min": 429, "max": 429}]}
    }
    ```

    ## Good
    ```json
    {
      "failureCondition": {
        "count": 1,
        "interval": "PT1M",
        "statusCodeRanges": [{"min": 429, "max": 429}],
        "errorReasons": ["BackendConnectionFailure", "Timeout"]
      }
    }
    ```

    ## Fix
    Name the error reasons that count as well; their vocabulary is that of `context.LastError.Reason`.
    """

    id = "SB322"
    name = "breaker-misses-timeouts"
    severity = Severity.NOTE
    source = "https://github.com/Azure-Samples/Apim-Samples"
    types = (BACKEND,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for rule in breaker_rules(resource):
            condition = rule.condition
            if condition is not None and rule.status_ranges() and condition.get("errorReasons") is None:
                yield Problem(
                    condition,
                    f"the breaker of {resource.label} does not count timeouts and connection failures",
                    "add `errorReasons` if a region that does not answer should sit out too",
                )
