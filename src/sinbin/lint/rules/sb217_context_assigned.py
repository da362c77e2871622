"""SB217: assignment to a member of `context`."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.placed_expression import PlacedExpression
from sinbin.lint.rule import ExpressionRule


class ContextAssigned(ExpressionRule):
    """Assignment to a member of `context`.

    ## Why
    `context` is read-only; the policy is refused when it is saved.

    ## Bad
    ```xml
    <set-variable name="a" value="@{ context.Variables["b"] = 1; return 1; }" />
    ```

    ## Good
    ```xml
    <set-variable name="b" value="@(1)" />
    ```

    ## Fix
    Use the policy that changes it: `set-variable`, `set-header`, `set-body`, `set-status`.
    """

    id = "SB217"
    name = "context-assigned"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/api-management-policy-expressions"
    mentions = ("=",)

    def check(self, expression: PlacedExpression, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for node in expression.nodes("assignment_expression"):
            left = node.get("left")
            if left is not None and "".join(left.text.split()).startswith("context."):
                yield Problem(
                    expression.place_of(left),
                    f"`{left.text}` is read-only",
                    "use a policy such as `set-variable` instead",
                )
