"""SB216: product, subscription or user that is read without a test."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.null_flow import key_of, unguarded
from sinbin.lint.placed_expression import PlacedExpression
from sinbin.lint.rule import ExpressionRule

_NULLABLE = frozenset({"context.Product", "context.Subscription", "context.User"})


class UnguardedEntity(ExpressionRule):
    """Product, subscription or user that is read without a test.

    ## Why
    `context.Product` is null when no product is in play, `context.Subscription` and `context.User` when there
    is no key. An API without required subscription then answers 500.

    ## Bad
    ```xml
    <set-variable name="team" value="@(context.Product.Name)" />
    ```

    ## Good
    ```xml
    <set-variable name="team" value="@(context.Product?.Name ?? "none")" />
    ```

    ## Fix
    Use `?.` with a default.
    """

    id = "SB216"
    name = "unguarded-entity"
    severity = Severity.NOTE
    source = "https://learn.microsoft.com/azure/api-management/api-management-policy-expressions"
    mentions = ("Product", "Subscription", "User")

    def check(self, expression: PlacedExpression, context: Context) -> Iterator[Problem]:
        """Yield what is wrong."""
        root = expression.parsed.root
        wanted = _NULLABLE - ({"context.Product"} if context.scope == "product" else set())
        if root is None or not any(name.partition(".")[2] in expression.code for name in wanted):
            return
        for node in unguarded(root, lambda receiver: key_of(receiver) in wanted):
            name = key_of(node)
            yield Problem(
                expression.place_of(node),
                f"`{name}` is null when there is none, and then this throws",
                f"write `{name}?.` with a default",
            )
