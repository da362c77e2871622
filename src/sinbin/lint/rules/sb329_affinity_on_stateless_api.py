"""SB329: session affinity on a pool in front of stateless operations."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.estate import Estate
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.operations import is_stateful
from sinbin.lint.rule import EstateRule


class AffinityOnStatelessApi(EstateRule):
    """Session affinity on a pool in front of stateless operations.

    ## Why
    A session cookie keeps a caller on one member. Chat completions and embeddings keep no state, so affinity
    only undoes the balancing: a busy caller stays on the full region.

    ## Bad
    ```json
    {
      "pool": {
        "name": "pool-chat",
        "properties": {
          "type": "Pool",
          "pool": {
            "services": [{"id": "/backends/a"}, {"id": "/backends/b"}],
            "sessionAffinity": {"sessionId": {"source": "Cookie", "name": "sid"}}
          }
        }
      },
      "api": {"path": "openai", "operations": ["/deployments/{id}/chat/completions"]}
    }
    ```

    ## Good
    ```json
    {
      "pool": {
        "name": "pool-chat",
        "properties": {"type": "Pool", "pool": {"services": [{"id": "/backends/a"}, {"id": "/backends/b"}]}}
      },
      "api": {"path": "openai", "operations": ["/deployments/{id}/chat/completions"]}
    }
    ```

    ## Fix
    Remove `sessionAffinity`; keep it for pools in front of responses, assistants, files and batches.
    """

    id = "SB329"
    name = "affinity-on-stateless-api"
    severity = Severity.WARNING
    source = "Derived: https://learn.microsoft.com/azure/api-management/backends (session affinity)"

    def check(self, estate: Estate, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        operations = [template for api in estate.apis for template in estate.operations(api)]
        if not operations or any(is_stateful(str(template.value)) for template in operations):
            return
        for pool in estate.pools:
            affinity = pool.get("pool", "sessionAffinity")
            if affinity is not None and affinity.value is not None:
                yield Problem(
                    affinity.key_place,
                    f"{pool.label} keeps callers on one member, but the API has only stateless operations",
                    "remove `sessionAffinity`",
                )
