"""SB215: text of several characters in single quotes."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.placed_expression import PlacedExpression
from sinbin.lint.rule import ExpressionRule


class SingleQuotedText(ExpressionRule):
    """Text of several characters in single quotes.

    ## Why
    C# knows single quotes for one character only. Deployed samples show that API Management takes such texts,
    but nothing documents it, and other tools stop at them.

    ## Bad
    ```xml
    <set-variable name="wait" value="@(context.Response.Headers.GetValueOrDefault('Retry-After', '1'))" />
    ```

    ## Good
    ```xml
    <set-variable name="wait" value="@(context.Response.Headers.GetValueOrDefault("Retry-After", "1"))" />
    ```

    ## Fix
    Use double quotes; inside an attribute they may stand as they are (raw) or as `&quot;`.
    """

    id = "SB215"
    name = "single-quoted-text"
    severity = Severity.NOTE
    source = "https://github.com/Azure-Samples/Apim-Samples"
    mentions = ("'",)

    def check(self, expression: PlacedExpression, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for text in expression.parsed.loose_texts:
            yield Problem(
                expression.place(text.start, text.end),
                "a text in single quotes is no C#, even if API Management takes it",
                "use double quotes",
            )
