"""SB113: a child element more often than the reference allows."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import has_alternatives, place


class TooManyChildren(PolicyRule):
    """A child element more often than the reference allows.

    ## Why
    A second `otherwise` or `set-body` is refused when the document is saved.

    ## Bad
    ```xml
    <choose><when condition="@(true)" /><otherwise /><otherwise /></choose>
    ```

    ## Good
    ```xml
    <choose><when condition="@(true)" /><otherwise /></choose>
    ```

    ## Fix
    Keep one of them.
    """

    id = "SB113"
    name = "too-many-children"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/api-management-policies"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield the first child too many of each name; alternatives in a template are not counted."""
        for placed in place(subject).all:
            if placed.spec is None or not placed.spec.children:
                continue
            for name, known in placed.spec.children.items():
                if known.maximum is None:
                    continue
                same = [child for child in placed.element.elements if child.name == name]
                if len(same) > known.maximum and not has_alternatives(placed.element):
                    yield Problem(
                        same[known.maximum],
                        f"`{placed.spec.name}` has {len(same)} `{name}`; at most {known.maximum} is allowed",
                        "keep one of them" if known.maximum == 1 else f"keep {known.maximum} of them",
                    )
