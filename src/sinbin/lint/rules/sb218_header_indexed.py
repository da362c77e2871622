"""SB218: header, query parameter or route parameter read by index."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.null_flow import is_guarded
from sinbin.lint.placed_expression import PlacedExpression
from sinbin.lint.rule import ExpressionRule

_MAPS = frozenset({"context.Request.Headers", "context.Response.Headers", "context.Request.Url.Query"})


class HeaderIndexed(ExpressionRule):
    """Header, query parameter or route parameter read by index.

    ## Why
    `Headers["x"]` throws when the request has no such header, so a caller can provoke an error 500 by leaving
    it out.

    ## Bad
    ```xml
    <set-variable name="key" value="@(context.Request.Headers["x-tenant"].First())" />
    ```

    ## Good
    ```xml
    <set-variable name="key" value="@(context.Request.Headers.GetValueOrDefault("x-tenant", "none"))" />
    ```

    ## Fix
    Use `GetValueOrDefault(name, default)`.
    """

    id = "SB218"
    name = "header-indexed"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/api-management-policy-expressions"
    mentions = ("Headers", "Query")

    def check(self, expression: PlacedExpression, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        root = expression.parsed.root
        if root is None:
            return
        for node in expression.nodes("element_access_expression"):
            owner = node.get("expression")
            text = "".join(owner.text.split()) if owner is not None else ""
            if text in _MAPS and not is_guarded(root, node):
                yield Problem(
                    expression.place_of(node),
                    f"`{text}[…]` throws when the caller does not send it",
                    f"use `{text}.GetValueOrDefault`",
                )
