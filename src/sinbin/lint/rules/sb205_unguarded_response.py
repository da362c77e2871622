"""SB205: retry condition that reads `context.Response` without asking whether there is one."""

from collections.abc import Iterator

from sinbin.csharp.syntax import Node
from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.null_flow import key_of, unguarded
from sinbin.lint.placed_expression import PlacedExpression
from sinbin.lint.rule import ExpressionRule


def _is_response(node: Node) -> bool:
    return key_of(node) == "context.Response"


class UnguardedResponse(ExpressionRule):
    """Retry condition that reads `context.Response` without asking whether there is one.

    ## Why
    After a timeout or a refused connection there is no response. The condition then throws, and the caller gets
    an error 500 exactly when failover should have happened.

    ## Bad
    ```xml
    <retry condition="@(context.Response.StatusCode == 429)" count="2" interval="0">
    ```

    ## Good
    ```xml
    <retry condition="@(context.Response == null || context.Response.StatusCode == 429)" count="2" interval="0">
    ```

    ## Fix
    Test first: `context.Response == null ||` retries when no answer came, `context.Response != null &&` does
    not.
    """

    id = "SB205"
    name = "unguarded-response"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/retry-policy"
    mentions = ("Response",)

    def check(self, expression: PlacedExpression, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        conditional = expression.attribute == "condition" and expression.element.name == "retry"
        if not conditional or expression.parsed.root is None or "Response" not in expression.code:
            return
        for node in unguarded(expression.parsed.root, _is_response):
            yield Problem(
                expression.place_of(node),
                "`context.Response` is null when the backend gave no answer, and then this condition throws",
                "write `context.Response == null || …` to retry then too, or `context.Response != null && …`",
            )
            return  # one test mends them all
