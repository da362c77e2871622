"""SB330: stateful operations over a pool without session affinity."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.estate import Estate
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.operations import is_stateful
from sinbin.lint.resource import Resource
from sinbin.lint.rule import EstateRule


def _spreads(pool: Resource) -> bool:
    services = pool.get("pool", "services")
    return pool.get("pool", "sessionAffinity") is None and services is not None and len(services.items()) > 1


class StateWithoutAffinity(EstateRule):
    """Stateful operations over a pool without session affinity.

    ## Why
    Responses with `previous_response_id`, assistants, threads, files and batches live in the account that made
    them. When the next call goes to another member, it is answered as not found.

    ## Bad
    ```json
    {
      "pool": {
        "name": "pool",
        "properties": {"type": "Pool", "pool": {"services": [{"id": "/backends/a"}, {"id": "/backends/b"}]}}
      },
      "api": {"path": "openai", "operations": ["/v1/responses"]}
    }
    ```

    ## Good
    ```json
    {
      "pool": {
        "name": "pool",
        "properties": {
          "type": "Pool",
          "pool": {
            "services": [{"id": "/backends/a"}, {"id": "/backends/b"}],
            "sessionAffinity": {"sessionId": {"source": "Cookie", "name": "sid"}}
          }
        }
      },
      "api": {"path": "openai", "operations": ["/v1/responses"]}
    }
    ```

    ## Fix
    Set `sessionAffinity` and have clients keep the cookie, or route these operations to one backend.
    """

    id = "SB330"
    name = "state-without-affinity"
    severity = Severity.WARNING
    source = "https://github.com/Azure-Samples/AI-Gateway/pull/219"

    def check(self, estate: Estate, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        stateful = [t for api in estate.apis for t in estate.operations(api) if is_stateful(str(t.value))]
        unsteady = [pool for pool in estate.pools if _spreads(pool)]
        if stateful and unsteady and len(unsteady) == len(estate.pools):
            yield Problem(
                stateful[0],
                f"`{stateful[0].value}` keeps state in one account, but {unsteady[0].label} spreads its requests",
                "set `sessionAffinity` on the pool, or route this operation to one backend",
            )
