"""SB320: circuit breaker in the Consumption tier."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import BACKEND, Resource
from sinbin.lint.rule import ResourceRule


class BreakerOnConsumption(ResourceRule):
    """Circuit breaker in the Consumption tier.

    ## Why
    The Consumption tier has pools but no circuit breakers, so a pool there never leaves its first priority.

    ## Bad
    ```json
    {"type": "Single", "circuitBreaker": {"rules": [{"name": "busy"}]}}
    ```

    ## Good
    ```json
    {"type": "Single", "url": "https://aoai-a.openai.azure.com/openai", "protocol": "http"}
    ```

    ## Fix
    Take another tier, or retry over equal members without breakers.
    """

    id = "SB320"
    name = "breaker-on-consumption"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/api-management-gateways-overview"
    types = (BACKEND,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:
        """Yield what is wrong."""
        breaker = resource.get("circuitBreaker")
        if context.tier == "Consumption" and breaker is not None and breaker.value is not None:
            yield Problem(
                breaker.key_place,
                f"{resource.label} has a circuit breaker, which the Consumption tier does not have",
                "remove it, or take another tier",
            )
