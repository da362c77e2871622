"""SB306: pool member with weight 0 beside members of the same priority."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import BACKEND, Resource
from sinbin.lint.rule import ResourceRule


class MemberWithoutWeight(ResourceRule):
    """Pool member with weight 0 beside members of the same priority.

    ## Why
    What weight 0 means is not documented. If it means never, the member is dead capacity; if it means the
    default, it takes a share nobody intended.

    ## Bad
    ```json
    [{"id": "/backends/aoai-a", "weight": 0}, {"id": "/backends/aoai-b", "weight": 100}]
    ```

    ## Good
    ```json
    [
      {"id": "/backends/aoai-a", "priority": 2, "weight": 1},
      {"id": "/backends/aoai-b", "priority": 1, "weight": 1}
    ]
    ```

    ## Fix
    Give a standby member a higher priority number; take a member out by removing it.
    """

    id = "SB306"
    name = "member-without-weight"
    severity = Severity.WARNING
    source = "Derived: https://learn.microsoft.com/azure/api-management/backends says nothing of weight 0"
    types = (BACKEND,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        services = resource.get("pool", "services")
        for member in services.items() if services else ():
            if member.number("weight") == 0:
                yield Problem(
                    member.get("weight") or member,
                    "weight 0 is not documented: the member may get nothing, or its even share",
                    "remove the member, or make it a standby with a higher `priority` number",
                )
