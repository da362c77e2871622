"""SB185: a retry that gives up when there is no response at all."""

import re
from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place

_ASKS = re.compile(r"==\s*null|null\s*==|LastError|\?\?")


class RetryBlindToLostConnections(PolicyRule):
    """A retry that gives up when there is no response at all.

    ## Why
    When the connection fails, `context.Response` is null. A condition that asks for status codes only does not
    retry then.

    ## Bad
    ```xml
    <retry condition="@(context.Response != null &amp;&amp; context.Response.StatusCode == 429)" … />
    ```

    ## Good
    ```xml
    <retry condition="@(context.Response == null || context.Response.StatusCode == 429)" … />
    ```

    ## Fix
    Add `context.Response == null ||` when lost connections are to be retried.
    """

    id = "SB185"
    name = "retry-blind-to-lost-connections"
    severity = Severity.NOTE
    source = "https://learn.microsoft.com/azure/api-management/retry-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each retry around a forward-request whose condition asks for status codes only."""
        for placed in place(subject).policies("retry"):
            condition = placed.element.attribute("condition")
            code = condition.expression.code if condition is not None and condition.expression else ""
            forwards = any(inner.name == "forward-request" for inner in placed.element.walk())
            if condition is not None and forwards and "StatusCode" in code and not _ASKS.search(code):
                message = "the condition asks for status codes only: a lost connection is not retried"
                yield Problem(condition, message, "add `context.Response == null ||` in front, if it should be")
