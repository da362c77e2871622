"""SB332: pool in a plan or template whose member is not in it."""

from collections.abc import Iterator
from difflib import get_close_matches

from sinbin.lint.context import Context
from sinbin.lint.estate import Estate
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import EstateRule


class UnknownPoolMember(EstateRule):
    """Pool in a plan or template whose member is not in it.

    ## Why
    A member must exist before the pool. In a plan that makes the other backends, a member that is not there is
    usually a misspelt name, and the deployment stops half way.

    ## Bad
    ```json
    {
      "resources": [
        {
          "type": "azure-native:apimanagement:Backend",
          "name": "a",
          "inputs": {
            "backendId": "aoai-a",
            "url": "https://aoai-a.openai.azure.com/openai",
            "protocol": "http"
          }
        },
        {
          "type": "azure-native:apimanagement:Backend",
          "name": "p",
          "inputs": {"backendId": "pool", "type": "Pool", "pool": {"services": [{"id": "/backends/aoia-a"}]}}
        }
      ]
    }
    ```

    ## Good
    ```json
    {
      "resources": [
        {
          "type": "azure-native:apimanagement:Backend",
          "name": "a",
          "inputs": {
            "backendId": "aoai-a",
            "url": "https://aoai-a.openai.azure.com/openai",
            "protocol": "http"
          }
        },
        {
          "type": "azure-native:apimanagement:Backend",
          "name": "p",
          "inputs": {"backendId": "pool", "type": "Pool", "pool": {"services": [{"id": "/backends/aoai-a"}]}}
        }
      ]
    }
    ```

    ## Fix
    Correct the name, or add the backend.
    """

    id = "SB332"
    name = "unknown-pool-member"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/backends"

    def check(self, estate: Estate, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        known = [backend.name for backend in estate.single_backends if backend.planned and backend.name]
        if not known or len(known) != len(estate.single_backends):
            return
        for pool in estate.pools:
            for member in estate.members(pool):
                if pool.planned and member.name and member.backend is None:
                    close = get_close_matches(member.name, known, n=1)
                    yield Problem(
                        member.node.get("id") or member.node,
                        f"`{member.name}` in {pool.label} is no backend of this deployment",
                        f"did you mean `{close[0]}`?" if close else f"add it; known: {', '.join(known)}",
                    )
