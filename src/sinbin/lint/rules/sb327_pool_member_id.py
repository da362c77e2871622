"""SB327: pool member that does not name a backend."""

import re
from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import BACKEND, Resource
from sinbin.lint.rule import ResourceRule

_ID = re.compile(r"(^|/)backends/[^/]+/?$", re.IGNORECASE)


class PoolMemberId(ResourceRule):
    """Pool member that does not name a backend.

    ## Why
    A member is named by the resource id of an existing backend, in full or as `/backends/<name>`. A URL or a
    bare name is refused.

    ## Bad
    ```json
    {"services": [{"id": "https://aoai-a.openai.azure.com"}, {"priority": 1}]}
    ```

    ## Good
    ```json
    {"services": [{"id": "/backends/aoai-a"}, {"id": "/backends/aoai-b", "priority": 1}]}
    ```

    ## Fix
    Write `/backends/<name>` or the whole resource id.
    """

    id = "SB327"
    name = "pool-member-id"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/backends"
    types = (BACKEND,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        services = resource.get("pool", "services")
        for member in services.items() if services else ():
            node = member.get("id")
            if node is None:
                yield Problem(member, f"a member of {resource.label} has no `id`", "add the id of a backend")
            elif node.known and not (isinstance(node.value, str) and _ID.search(node.value)):
                yield Problem(
                    node, f"{node.shown} is no id of a backend", "write `/backends/<name>` or the full resource id"
                )
