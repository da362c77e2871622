"""SB356: breaker settings that do not count 429, or ignore Retry-After."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.nodes import Node
from sinbin.lint.rule import StackRule
from sinbin.lint.stack import aliases


def _covers(code: str) -> bool:
    low, _, high = code.partition("-")
    try:
        return int(low) <= 429 <= int(high or low)
    except ValueError:
        return True  # the settings' own check names it


class StackBreakerBlindTo429(StackRule):
    """Breaker settings that do not count 429, or ignore Retry-After.

    ## Why
    A full model deployment answers 429 and says in Retry-After for how long. A breaker that does not count 429
    never opens under load; one that ignores the header closes too early and meets 429 again.

    ## Bad
    ```yaml
    circuitBreaker: {statusCodes: ["500-599"], acceptRetryAfter: false}
    ```

    ## Good
    ```yaml
    circuitBreaker: {statusCodes: ["429", "500-599"], acceptRetryAfter: true}
    ```

    ## Fix
    Add "429" to `statusCodes` and keep `acceptRetryAfter: true`.
    """

    id = "SB356"
    name = "stack-breaker-blind-to-429"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/backends"

    def check(self, gateway: Node, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for alias in aliases(gateway):
            codes = alias.node.get("circuitBreaker", "statusCodes")
            if codes is not None and codes.items() and not any(_covers(str(code.value)) for code in codes.items()):
                yield Problem(
                    codes,
                    f"the breakers of {alias.name} do not count 429, the answer of a full model deployment",
                    'add "429" to statusCodes',
                )
            if alias.flag("circuitBreaker", "acceptRetryAfter") is False:
                yield Problem(
                    alias.node.get("circuitBreaker", "acceptRetryAfter") or alias.node,
                    f"the breakers of {alias.name} ignore for how long a region says it is full",
                    "set acceptRetryAfter to true",
                )
