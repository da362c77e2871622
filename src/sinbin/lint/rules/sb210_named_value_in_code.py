"""SB210: named value pasted into C# outside of a string."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.expression_names import pasted_values
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.placed_expression import PlacedExpression
from sinbin.lint.rule import ExpressionRule


class NamedValueInCode(ExpressionRule):
    """Named value pasted into C# outside of a string.

    ## Why
    `{{name}}` is replaced as text before the expression is compiled. Outside of quotes a value that is no valid
    C# breaks the policy, one with a bracket or a quote changes its meaning, and who may edit named values may
    write code.

    ## Bad
    ```xml
    <set-variable name="limit" value="@(context.Variables.Count > {{limit}})" />
    ```

    ## Good
    ```xml
    <set-variable name="limit" value="{{limit}}" />
    <set-variable name="over" value="@(context.Variables.Count > int.Parse((string)context.Variables["limit"]))" />
    ```

    ## Fix
    Put the named value into a variable, or into a string literal, and convert it.
    """

    id = "SB210"
    name = "named-value-in-code"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/api-management-howto-properties"
    mentions = ("{{",)

    def check(self, expression: PlacedExpression, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for start, end, name in pasted_values(expression.code):
            yield Problem(
                expression.place(start, end),
                f"the named value `{name}` is pasted into C# as code",
                f'put it into a string and convert it: int.Parse("{{{{{name}}}}}")',
            )
