"""SB221: C# that does not compile."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.placed_expression import PlacedExpression
from sinbin.lint.rule import ExpressionRule

_ABOUT_TYPES = ("cannot convert", "cannot be applied to", "do not go together")
"""What the messages say that a cast or a conversion answers."""


class DoesNotCompile(ExpressionRule):
    """C# that does not compile.

    ## Why
    An expression is compiled when the policy is saved. The commonest fault is a context variable that is used
    without a cast: `context.Variables["n"]` is an `object`, whatever was put into it, and C# neither compares nor
    adds objects.

    ## Bad
    ```xml
    <when condition="@(context.Variables["attempts"] > 3)">
    ```

    ## Good
    ```xml
    <when condition="@((int)context.Variables["attempts"] > 3)">
    ```

    ## Fix
    Cast to the type that was stored, convert, or give both sides of `?:` one type. `sinbin eval` tries an
    expression alone. Where another rule has an error in the same expression, this one waits until that is mended.
    """

    id = "SB221"
    name = "does-not-compile"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/dotnet/csharp/language-reference/compiler-messages/"
    last_resort = True

    def check(self, expression: PlacedExpression, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        if expression.templated:
            return
        for problem in expression.csharp.type_errors:
            typed = any(words in problem.message for words in _ABOUT_TYPES)
            yield Problem(
                expression.place(problem.start, problem.end),
                f"does not compile: {problem.message}",
                "cast or convert, so that the types fit"
                if typed
                else "correct the C#; `sinbin eval` tries it alone",
            )
