"""SB129: a value of which only a part is an expression."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place

_FREE_TEXT = frozenset({"message", "log-to-eventhub"})


class ExpressionWithTextAround(PolicyRule):
    """A value of which only a part is an expression.

    ## Why
    A policy expression has to be the whole value. What comes of text around it is not documented;
    `rewrite-uri` says that it does not work.

    ## Bad
    ```xml
    <set-header name="a"><value>Bearer @(context.Subscription.Key)</value></set-header>
    ```

    ## Good
    ```xml
    <set-header name="a"><value>@("Bearer " + context.Subscription.Key)</value></set-header>
    ```

    ## Fix
    Move the text into the expression.
    """

    id = "SB129"
    name = "expression-with-text-around"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/rewrite-uri-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield every value with an expression and something else; bodies are free text."""
        for placed in place(subject).all:
            if placed.spec is None or placed.spec.content == "any" or placed.element.name in _FREE_TEXT:
                continue
            for valued in placed.element.valued():
                if valued.expressions and valued.expression is None and "{%" not in valued.value:
                    message = f"only a part of this value of `{placed.spec.name}` is an expression"
                    yield Problem(valued, message, "move the text around it into the expression")
