"""SB303: pool whose member is a pool, or the pool itself."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.estate import Estate
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import EstateRule


class PoolInPool(EstateRule):
    """Pool whose member is a pool, or the pool itself.

    ## Why
    Only single backends may be members. A pool inside a pool is refused at deployment; a pool that lists itself
    also makes a cycle of dependencies. It happens when the list of members is generated from all backends.

    ## Bad
    ```json
    {
      "name": "pool-chat",
      "properties": {"type": "Pool", "pool": {"services": [{"id": "/backends/pool-chat"}]}}
    }
    ```

    ## Good
    ```json
    {
      "name": "pool-chat",
      "properties": {"type": "Pool", "pool": {"services": [{"id": "/backends/aoai-a"}]}}
    }
    ```

    ## Fix
    List single backends only. Say with `priority` which of them go first.
    """

    id = "SB303"
    name = "pool-in-pool"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/backends"

    def check(self, estate: Estate, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for pool in estate.pools:
            for member in estate.members(pool):
                itself = member.name is not None and member.name == pool.name
                if itself or (member.backend is not None and member.backend.pool):
                    what = "itself" if itself else f"the pool `{member.name}`"
                    yield Problem(
                        member.node.get("id") or member.node,
                        f"{pool.label} has {what} as a member",
                        "list single backends only, and express tiers with `priority`",
                    )
