"""SB114: a policy without a child that it needs."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place


class MissingChild(PolicyRule):
    """A policy without a child that it needs.

    ## Why
    A `choose` without `when`, a metric without dimensions or a `cors` without origins is refused when the
    document is saved.

    ## Bad
    ```xml
    <choose><otherwise><base /></otherwise></choose>
    ```

    ## Good
    ```xml
    <choose><when condition="@(true)"><set-variable name="a" value="b" /></when></choose>
    ```

    ## Fix
    Add the child.
    """

    id = "SB114"
    name = "missing-child"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/api-management-policies"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each element that lacks children; a placeholder inside may bring them in."""
        for placed in place(subject).all:
            spec = placed.spec
            if spec is None or spec.open or not spec.children:
                continue
            present = [child.name for child in placed.element.elements]
            if "include-fragment" in present or any("{" in text.value for text in placed.element.texts):
                continue
            for name, known in spec.children.items():
                if present.count(name) < known.minimum:
                    yield Problem(placed.element, f"`{spec.name}` has no `{name}`", f"add `{name}`")
