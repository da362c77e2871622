"""SB209: decision that depends on the wording of a status reason or an error message."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.expression_names import compared
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.placed_expression import PlacedExpression
from sinbin.lint.rule import ExpressionRule

_WORDINGS = frozenset({"context.Response.StatusReason", "context.LastError.Message"})


class ReliesOnWording(ExpressionRule):
    """Decision that depends on the wording of a status reason or an error message.

    ## Why
    Reason phrases and messages are not documented and have changed: a condition that looked for words about the
    pool silently stopped to match, and with it the failover.

    ## Bad
    ```xml
    <when condition="@(!context.Response.StatusReason.Contains("pool"))">
    ```

    ## Good
    ```xml
    <when condition="@(context.Response.StatusCode == 503)">
    ```

    ## Fix
    Decide by status code, or by `context.LastError.Reason`, whose values are documented.
    """

    id = "SB209"
    name = "relies-on-wording"
    severity = Severity.WARNING
    source = "https://github.com/Azure-Samples/AI-Gateway/issues/262"
    mentions = ("StatusReason", "Message")

    def check(self, expression: PlacedExpression, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for node in expression.nodes("member_access_expression"):
            text = "".join(node.text.split()).replace("?.", ".")
            worded = text in _WORDINGS or text.endswith(".StatusReason")
            if worded and (expression.attribute == "condition" or compared(expression, node)):
                yield Problem(
                    expression.place_of(node),
                    f"the wording of `{text}` is not documented and has changed before",
                    "decide by the status code, or by `context.LastError.Reason`",
                )
