"""SB214: answer of a `send-request` that may be null, read without a test."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.null_flow import key_of, unguarded
from sinbin.lint.placed_expression import PlacedExpression
from sinbin.lint.rule import ExpressionRule


class UnguardedSendRequest(ExpressionRule):
    """Answer of a `send-request` that may be null, read without a test.

    ## Why
    With `ignore-error="true"` a failed call leaves null in the variable. Reading its status then throws: the
    error that was to be ignored comes back as an error 500.

    ## Bad
    ```xml
    <send-request response-variable-name="probe" ignore-error="true"><set-url>https://aoai-a.openai.azure.com</set-url><set-method>GET</set-method></send-request>
    <set-variable name="ok" value="@(((IResponse)context.Variables["probe"]).StatusCode == 200)" />
    ```

    ## Good
    ```xml
    <send-request response-variable-name="probe" ignore-error="true"><set-url>https://aoai-a.openai.azure.com</set-url><set-method>GET</set-method></send-request>
    <set-variable name="ok" value="@(((IResponse)context.Variables["probe"])?.StatusCode == 200)" />
    ```

    ## Fix
    Use `?.`, or test for null first.
    """

    id = "SB214"
    name = "unguarded-send-request"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/send-request-policy"
    mentions = ("Variables",)

    def check(self, expression: PlacedExpression, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        root = expression.parsed.root
        if root is None or "Variables" not in expression.code:
            return
        fallible = {
            f'context.Variables["{name}"]'
            for name, writes in expression.siblings.variables.writes.items()
            for write in writes
            if write.element.name == "send-request" and (write.element.get("ignore-error") or "").lower() == "true"
        }
        if not fallible:
            return
        for node in unguarded(root, lambda receiver: key_of(receiver) in fallible):
            yield Problem(
                expression.place_of(node),
                "this answer is null when the call failed, since `ignore-error` is true",
                "use `?.`, or test for null first",
            )
