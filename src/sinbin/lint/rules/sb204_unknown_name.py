"""SB204: expression that uses a name which nothing declares."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.expression_names import closest
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.placed_expression import PlacedExpression
from sinbin.lint.rule import ExpressionRule

_PARTS = frozenset({"request", "response", "variables", "subscription", "user", "product", "api", "operation"})


class UnknownName(ExpressionRule):
    """Expression that uses a name which nothing declares.

    ## Why
    Everything about the request hangs on `context`; a bare `request.Headers`, as one page of the documentation
    shows, does not exist. The policy is refused when it is saved.

    ## Bad
    ```xml
    <set-variable name="key" value="@(request.Headers.GetValueOrDefault("api-key", ""))" />
    ```

    ## Good
    ```xml
    <set-variable name="key" value="@(context.Request.Headers.GetValueOrDefault("api-key", ""))" />
    ```

    ## Fix
    Write `context.` in front, declare the variable, or read a context variable with `context.Variables["…"]`.
    """

    id = "SB204"
    name = "unknown-name"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/api-management-policy-expressions"

    def check(self, expression: PlacedExpression, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for node in expression.csharp.undeclared:
            close = closest(node.text, ["context", *expression.csharp.locals])
            yield Problem(
                expression.place_of(node),
                f"`{node.text}` is declared nowhere",
                "begin with `context.`"
                if node.text.lower() in _PARTS
                else f"did you mean `{close}`?"
                if close
                else 'declare it, or read a context variable with `context.Variables["…"]`',
            )
