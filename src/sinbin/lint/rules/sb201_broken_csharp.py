"""SB201: policy expression that is no C#."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.placed_expression import PlacedExpression
from sinbin.lint.rule import ExpressionRule


class BrokenCsharp(ExpressionRule):
    """Policy expression that is no C#.

    ## Why
    A policy is checked only superficially when it is saved: an expression that does not compile is found there
    at best, or at the first request, as an error 500.

    ## Bad
    ```xml
    <set-variable name="busy" value="@(context.Response.StatusCode = = 429)" />
    ```

    ## Good
    ```xml
    <set-variable name="busy" value="@(context.Response.StatusCode == 429)" />
    ```

    ## Fix
    Correct the C# at the place named. `@(…)` holds one expression, `@{…}` statements that end in `return`.
    """

    id = "SB201"
    name = "broken-csharp"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/api-management-policy-expressions"

    def check(self, expression: PlacedExpression, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        if expression.templated:
            return  # what a placeholder will turn into is not known
        for error in expression.parsed.errors:
            yield Problem(expression.place(error.start, error.end), error.message, "correct the C#")
