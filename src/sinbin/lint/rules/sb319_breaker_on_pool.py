"""SB319: circuit breaker on a pool."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import BACKEND, Resource
from sinbin.lint.rule import ResourceRule


class BreakerOnPool(ResourceRule):
    """Circuit breaker on a pool.

    ## Why
    A breaker takes one backend out; a pool has no state of its own. A breaker on the pool either is refused or
    would take out all members at once.

    ## Bad
    ```json
    {"type": "Pool", "circuitBreaker": {"rules": [{"name": "busy"}]}, "pool": {"services": []}}
    ```

    ## Good
    ```json
    {"type": "Pool", "pool": {"services": []}}
    ```

    ## Fix
    Move the breaker to every member.
    """

    id = "SB319"
    name = "breaker-on-pool"
    severity = Severity.WARNING
    source = "Derived: breakers belong to the members, https://learn.microsoft.com/azure/api-management/backends"
    types = (BACKEND,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        breaker = resource.get("circuitBreaker")
        if resource.pool and breaker is not None and breaker.value is not None:
            yield Problem(
                breaker.key_place,
                f"{resource.label} has a circuit breaker; only its members can have one",
                "move it to every member",
            )
