"""SB308: pool with priorities whose preferred members have no circuit breaker."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.estate import Estate
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import EstateRule


class FailoverWithoutBreaker(EstateRule):
    """Pool with priorities whose preferred members have no circuit breaker.

    ## Why
    A lower priority is used only while all members above it sit out, and only a breaker sends a member out.
    Without one the pool keeps sending to the member that refuses, and the standby region never sees a request.

    ## Bad
    ```json
    [
      {
        "name": "aoai-a",
        "properties": {"type": "Single", "url": "https://aoai-a.openai.azure.com/openai", "protocol": "http"}
      },
      {
        "name": "pool-chat",
        "properties": {
          "type": "Pool",
          "pool": {
            "services": [{"id": "/backends/aoai-a", "priority": 1}, {"id": "/backends/aoai-b", "priority": 2}]
          }
        }
      }
    ]
    ```

    ## Good
    ```json
    [
      {
        "name": "aoai-a",
        "properties": {
          "type": "Single",
          "url": "https://aoai-a.openai.azure.com/openai",
          "protocol": "http",
          "circuitBreaker": {
            "rules": [
              {
                "name": "busy",
                "tripDuration": "PT1M",
                "acceptRetryAfter": true,
                "failureCondition": {
                  "count": 1,
                  "interval": "PT1M",
                  "statusCodeRanges": [{"min": 429, "max": 429}, {"min": 500, "max": 599}]
                }
              }
            ]
          }
        }
      },
      {
        "name": "pool-chat",
        "properties": {
          "type": "Pool",
          "pool": {
            "services": [{"id": "/backends/aoai-a", "priority": 1}, {"id": "/backends/aoai-b", "priority": 2}]
          }
        }
      }
    ]
    ```

    ## Fix
    Give every member but those of the last priority a breaker that counts 429 and 5xx.
    """

    id = "SB308"
    name = "failover-without-breaker"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/backends"

    def check(self, estate: Estate, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for pool in estate.pools:
            members = estate.members(pool)
            last = max((member.priority for member in members), default=0)
            for member in members:
                backend = member.backend
                if (
                    member.priority == last
                    or backend is None
                    or backend.pool
                    or backend.get("circuitBreaker", "rules")
                ):
                    continue
                if (breaker := backend.get("circuitBreaker")) is not None and not breaker.known:
                    continue
                yield Problem(
                    member.node.get("id") or member.node,
                    f"`{member.name}` goes first in {pool.label} but has no circuit breaker,"
                    " so the next priority is never used",
                    f"give `{member.name}` a circuit breaker that counts 429 and 5xx",
                )
