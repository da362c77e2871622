"""SB304: pool without members, or with more than 30."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import BACKEND, Resource
from sinbin.lint.rule import ResourceRule

_MOST = 30


class PoolSize(ResourceRule):
    """Pool without members, or with more than 30.

    ## Why
    A pool takes 1 to 30 backends; any other number is refused.

    ## Bad
    ```json
    {"type": "Pool", "pool": {"services": []}}
    ```

    ## Good
    ```json
    {"type": "Pool", "pool": {"services": [{"id": "/backends/aoai-a"}, {"id": "/backends/aoai-b"}]}}
    ```

    ## Fix
    List at least one member; split what has more than 30.
    """

    id = "SB304"
    name = "pool-size"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/backends"
    types = (BACKEND,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        services = resource.get("pool", "services")
        if not resource.pool or (services is not None and not isinstance(services.value, list)):
            return
        count = len(services.items()) if services is not None else 0
        if not 1 <= count <= _MOST:
            yield Problem(
                services or resource.get("pool") or resource.place,
                f"{resource.label} has {count} members; 1 to {_MOST} are allowed",
                "list the backends under `pool.services`" if count == 0 else "split the pool",
            )
