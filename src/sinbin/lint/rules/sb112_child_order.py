"""SB112: children of a policy in another order than the reference."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place


class ChildOrder(PolicyRule):
    """Children of a policy in another order than the reference.

    ## Why
    Elements have to be given in the order of the reference. `otherwise` before `when`, or a body before the
    headers of `send-request`, is refused when the document is saved.

    ## Bad
    ```xml
    <choose><otherwise /><when condition="@(true)" /></choose>
    ```

    ## Good
    ```xml
    <choose><when condition="@(true)" /><otherwise /></choose>
    ```

    ## Fix
    Put the children into the order shown.
    """

    id = "SB112"
    name = "child-order"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/set-edit-policies"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield the first child of each policy that comes too late."""
        for placed in place(subject).all:
            spec = placed.spec
            if spec is None or not spec.ordered or len(spec.children) < 2 or spec.name == "policies":
                continue
            order = list(spec.children)
            latest = 0
            for child in placed.element.elements:
                if child.name not in spec.children:
                    continue
                rank = order.index(child.name)
                if rank < latest:
                    message = f"`{child.name}` comes after `{order[latest]}` in `{spec.name}`"
                    yield Problem(child, message, f"keep this order: {', '.join(order)}")
                    break
                latest = rank
