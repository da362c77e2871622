"""SB355: session affinity on an alias."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.nodes import Node
from sinbin.lint.rule import StackRule
from sinbin.lint.stack import aliases


class AffinityOnStatelessAlias(StackRule):
    """Session affinity on an alias.

    ## Why
    The pool of an alias serves chat completions and embeddings, which keep no state; the stateful Responses API
    has a backend of its own. Affinity only keeps a busy caller on the full region.

    ## Bad
    ```yaml
    sessionAffinity: {cookie: sid}
    ```

    ## Good
    ```yaml
    routing: {strategy: priority}
    ```

    ## Fix
    Remove `sessionAffinity`.
    """

    id = "SB355"
    name = "affinity-on-stateless-alias"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/backends"

    def check(self, gateway: Node, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for alias in aliases(gateway):
            affinity = alias.node.get("sessionAffinity")
            if affinity is not None and affinity.value is not None:
                yield Problem(
                    affinity.key_place,
                    f"{alias.name} is stateless: affinity keeps callers on a full region",
                    "remove it",
                )
