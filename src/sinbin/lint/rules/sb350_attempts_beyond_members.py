"""SB350: retry count that is read as a number of attempts."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.nodes import Node
from sinbin.lint.rule import StackRule
from sinbin.lint.stack import aliases


class AttemptsBeyondMembers(StackRule):
    """Retry count that is read as a number of attempts.

    ## Why
    `count` counts retries after the first attempt: 3 means four attempts. With three members the fourth goes to
    a member that has refused already, and the caller waits for it.

    ## Bad
    ```yaml
    retry: {count: 3}      # three regions: uksouth, swedencentral, westeurope
    ```

    ## Good
    ```yaml
    retry: {count: 2}      # three attempts, one per region
    ```

    ## Fix
    Set `count` to the number of members less one.
    """

    id = "SB350"
    name = "attempts-beyond-members"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/retry-policy"

    def check(self, gateway: Node, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for alias in aliases(gateway):
            count = alias.number("retry", "count")
            if count is not None and alias.members and count >= alias.members:
                yield Problem(
                    alias.node.get("retry", "count") or alias.node,
                    f"count {count:g} means {count + 1:g} attempts, but {alias.name} has {alias.members} members",
                    f"set count to {max(alias.members - 1, 1)}, or retry to null for a single member",
                )
