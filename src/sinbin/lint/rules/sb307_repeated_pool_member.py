"""SB307: pool that lists one backend twice."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import BACKEND, Resource, member_name
from sinbin.lint.rule import ResourceRule


class RepeatedPoolMember(ResourceRule):
    """Pool that lists one backend twice.

    ## Why
    Both entries share one breaker, so the second adds no capacity and no failover: when the first sits out, so
    does the second.

    ## Bad
    ```json
    [{"id": "/backends/aoai-a"}, {"id": "/backends/aoai-a"}]
    ```

    ## Good
    ```json
    [{"id": "/backends/aoai-a"}, {"id": "/backends/aoai-b"}]
    ```

    ## Fix
    Name the backend that was meant, or give the one entry a larger weight.
    """

    id = "SB307"
    name = "repeated-pool-member"
    severity = Severity.WARNING
    source = "Derived: https://learn.microsoft.com/azure/api-management/backends"
    types = (BACKEND,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        seen: set[str] = set()
        services = resource.get("pool", "services")
        for member in services.items() if services else ():
            name = member_name(member)
            if name is not None and name.lower() in seen:
                yield Problem(
                    member.get("id") or member,
                    f"`{name}` is in this pool already",
                    "name another backend; a larger share is said with `weight`",
                )
            elif name is not None:
                seen.add(name.lower())
