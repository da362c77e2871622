"""SB305: priority or weight that is no whole number from 0 to 100."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import BACKEND, Resource
from sinbin.lint.rule import ResourceRule

_HIGHEST = 100


class PoolShareOutOfRange(ResourceRule):
    """Priority or weight that is no whole number from 0 to 100.

    ## Why
    The service takes whole numbers from 0 to 100 and refuses the pool otherwise. Weights are shares, not
    percentages: they need not add up to 100.

    ## Bad
    ```json
    {"id": "/backends/aoai-a", "priority": 1, "weight": 900}
    ```

    ## Good
    ```json
    {"id": "/backends/aoai-a", "priority": 1, "weight": 90}
    ```

    ## Fix
    Scale the weights down; number the priorities from 1.
    """

    id = "SB305"
    name = "pool-share-out-of-range"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/templates/microsoft.apimanagement/service/backends"
    types = (BACKEND,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        services = resource.get("pool", "services")
        for member in services.items() if services else ():
            for key in ("priority", "weight"):
                node = member.get(key)
                if node is None or node.value is None or not node.known:
                    continue
                value = member.number(key)
                if value is None or not 0 <= value <= _HIGHEST or value != int(value):
                    yield Problem(
                        node,
                        f"{key} {node.shown} is not allowed; a whole number from 0 to {_HIGHEST}",
                        "weights are shares relative to each other: scale them down"
                        if key == "weight"
                        else "count from 1",
                    )
