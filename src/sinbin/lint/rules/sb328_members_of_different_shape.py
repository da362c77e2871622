"""SB328: pool whose members expect different URL shapes."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from sinbin.lint.context import Context
from sinbin.lint.estate import Estate
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import EstateRule


def _shape(url: str) -> str:
    return re.sub(r"(?<=/deployments/)[^/]+", "…", urlsplit(url).path.rstrip("/"))


class MembersOfDifferentShape(EstateRule):
    """Pool whose members expect different URL shapes.

    ## Why
    The pool has no path of its own: the rest of the request's path is appended to the URL of the member that is
    chosen. With `/openai` in one and `/openai/deployments/chat` in the other, the same request is right for one
    and 404 for the other.

    ## Bad
    ```json
    [
      {
        "name": "a",
        "properties": {"url": "https://aoai-a.openai.azure.com/openai", "protocol": "http"}
      },
      {
        "name": "b",
        "properties": {"url": "https://aoai-b.openai.azure.com/openai/deployments/chat", "protocol": "http"}
      },
      {
        "name": "pool",
        "properties": {"type": "Pool", "pool": {"services": [{"id": "/backends/a"}, {"id": "/backends/b"}]}}
      }
    ]
    ```

    ## Good
    ```json
    [
      {
        "name": "a",
        "properties": {"url": "https://aoai-a.openai.azure.com/openai/deployments/chat", "protocol": "http"}
      },
      {
        "name": "b",
        "properties": {"url": "https://aoai-b.openai.azure.com/openai/deployments/chat", "protocol": "http"}
      },
      {
        "name": "pool",
        "properties": {"type": "Pool", "pool": {"services": [{"id": "/backends/a"}, {"id": "/backends/b"}]}}
      }
    ]
    ```

    ## Fix
    Give all members the same path up to the deployment's name.
    """

    id = "SB328"
    name = "members-of-different-shape"
    severity = Severity.WARNING
    source = "Derived: the operation path is appended to the URL of whichever member is chosen"

    def check(self, estate: Estate, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for pool in estate.pools:
            shapes: dict[str, str] = {}
            for member in estate.members(pool):
                url = member.backend.properties.text("url") if member.backend and not member.backend.pool else None
                if url is not None and member.name:
                    shapes.setdefault(_shape(url), member.name)
            if len(shapes) > 1:
                listed = " and ".join(f"`{shape or '/'}` ({name})" for shape, name in shapes.items())
                yield Problem(
                    pool.get("pool", "services") or pool.place,
                    f"the members of {pool.label} have different paths: {listed}",
                    "give all members the same path",
                )
