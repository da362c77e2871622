"""SB147: a container with nothing in it."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place


class EmptyContainer(PolicyRule):
    """A container with nothing in it.

    ## Why
    A `retry` or `limit-concurrency` without children does nothing, but looks as if something were retried or
    limited.

    ## Bad
    ```xml
    <limit-concurrency key="a" max-count="3" />
    ```

    ## Good
    ```xml
    <limit-concurrency key="a" max-count="3"><forward-request /></limit-concurrency>
    ```

    ## Fix
    Put the policies into it, or delete it.
    """

    id = "SB147"
    name = "empty-container"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/retry-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield every container without a child; branches of choose may be empty."""
        for placed in place(subject).policies("retry", "limit-concurrency", "wait"):
            if not placed.element.elements and not placed.element.texts:
                yield Problem(
                    placed.element, f"`{placed.element.name}` is empty", "put policies into it, or delete it"
                )
