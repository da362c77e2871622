"""SB212: statement block that can end without `return`."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.placed_expression import PlacedExpression
from sinbin.lint.returns import always_returns
from sinbin.lint.rule import ExpressionRule


class BlockWithoutReturn(ExpressionRule):
    """Statement block that can end without `return`.

    ## Why
    Every path through `@{…}` must return a value; otherwise it does not compile and the policy is refused.

    ## Bad
    ```xml
    <set-variable name="a" value="@{ if (context.User != null) { return "known"; } }" />
    ```

    ## Good
    ```xml
    <set-variable name="a" value="@{ if (context.User != null) { return "known"; } return "unknown"; }" />
    ```

    ## Fix
    Add a `return` behind the last statement.
    """

    id = "SB212"
    name = "block-without-return"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/api-management-policy-expressions"

    def check(self, expression: PlacedExpression, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        root = expression.parsed.root
        if root is not None and root.kind == "block" and not always_returns(root):
            last = root.parts[-1] if root.parts else root
            yield Problem(
                expression.place_of(last),
                "a path through this block ends without `return`",
                "add a `return` at its end",
            )
