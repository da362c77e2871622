"""SB301: pool with a single member."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import BACKEND, Resource
from sinbin.lint.rule import ResourceRule


class PoolWithOneMember(ResourceRule):
    """Pool with a single member.

    ## Why
    The pool is valid, but there is nowhere to fail over to: when the breaker of the one member opens, every
    request is answered 503, and no retry helps.

    ## Bad
    ```json
    {"type": "Pool", "pool": {"services": [{"id": "/backends/aoai-a"}]}}
    ```

    ## Good
    ```json
    {"type": "Pool", "pool": {"services": [{"id": "/backends/aoai-a"}, {"id": "/backends/aoai-b"}]}}
    ```

    ## Fix
    Add a member in another account, best in another region; or route to the backend itself and drop the pool.
    """

    id = "SB301"
    name = "pool-with-one-member"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/backends"
    types = (BACKEND,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        services = resource.get("pool", "services")
        if services is not None and len(services.items()) == 1:
            yield Problem(
                services,
                f"{resource.label} has one member, so a refusal has nowhere to go",
                "add a member in another account, or use the backend without a pool",
            )
