"""SB206: inbound expression that reads `context.Response`."""

from collections.abc import Iterator

from sinbin.csharp.syntax import Node
from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.null_flow import key_of, unguarded
from sinbin.lint.placed_expression import PlacedExpression
from sinbin.lint.rule import ExpressionRule


def _is_response(node: Node) -> bool:
    return key_of(node) == "context.Response"


class ResponseInInbound(ExpressionRule):
    """Inbound expression that reads `context.Response`.

    ## Why
    In inbound nothing was sent yet and there is no response: the expression throws on every request. Only what
    is evaluated later may read it, such as `increment-condition`.

    ## Bad
    ```xml
    <inbound><set-variable name="code" value="@(context.Response.StatusCode)" /></inbound>
    ```

    ## Good
    ```xml
    <outbound><set-variable name="code" value="@(context.Response.StatusCode)" /></outbound>
    ```

    ## Fix
    Move the policy to outbound, or test for null.
    """

    id = "SB206"
    name = "response-in-inbound"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/rate-limit-by-key-policy"
    mentions = ("Response",)

    def check(self, expression: PlacedExpression, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        deferred = (expression.attribute or "").startswith("increment-")
        if expression.section != "inbound" or deferred or expression.parsed.root is None:
            return
        if "Response" not in expression.code or any(e.name == "retry" for e in expression.element.ancestors()):
            return
        for node in unguarded(expression.parsed.root, _is_response):
            yield Problem(
                expression.place_of(node),
                "there is no `context.Response` in inbound yet",
                "move the policy to outbound",
            )
            return
