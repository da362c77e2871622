"""SB311: circuit breaker with an empty list of rules."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import BACKEND, Resource
from sinbin.lint.rule import ResourceRule


class EmptyBreakerRules(ResourceRule):
    """Circuit breaker with an empty list of rules.

    ## Why
    Azure refuses an empty list, and it is no way to switch a breaker off: with a tool that merges instead of
    replacing, the old rule stays in force.

    ## Bad
    ```json
    {
      "type": "Single",
      "url": "https://aoai-a.openai.azure.com/openai",
      "protocol": "http",
      "circuitBreaker": {"rules": []}
    }
    ```

    ## Good
    ```json
    {"type": "Single", "url": "https://aoai-a.openai.azure.com/openai", "protocol": "http"}
    ```

    ## Fix
    Leave `circuitBreaker` out (in a stack file: `circuitBreaker: null`), or give it its one rule.
    """

    id = "SB311"
    name = "empty-breaker-rules"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/templates/microsoft.apimanagement/service/backends"
    types = (BACKEND,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        rules = resource.get("circuitBreaker", "rules")
        if rules is not None and isinstance(rules.value, list) and not rules.items():
            yield Problem(
                rules,
                f"the breaker of {resource.label} has an empty list of rules, which Azure refuses",
                "leave `circuitBreaker` out to have no breaker, or give it one rule",
            )
