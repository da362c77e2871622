"""SB405: a limit whose counter all callers share."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place

_LIMITERS = ("llm-token-limit", "azure-openai-token-limit", "rate-limit-by-key", "quota-by-key")


class CounterForEveryone(PolicyRule):
    """A limit whose counter all callers share.

    ## Why
    A `counter-key` that is a fixed text counts all callers together: one of them uses up what is meant for
    all.

    ## Bad
    ```xml
    <llm-token-limit counter-key="chat" tokens-per-minute="5000" estimate-prompt-tokens="true" />
    ```

    ## Good
    ```xml
    <llm-token-limit counter-key="@(context.Subscription.Id)" … />
    ```

    ## Fix
    Count by subscription, product or user, unless the sum is meant.
    """

    id = "SB405"
    name = "counter-for-everyone"
    severity = Severity.NOTE
    source = "https://learn.microsoft.com/azure/api-management/llm-token-limit-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each fixed key."""
        for placed in place(subject).policies(*_LIMITERS):
            key = placed.element.attribute("counter-key")
            if key is not None and key.literal and key.literal.strip():
                yield Problem(
                    key, f'all callers count on "{key.literal}"', "count by subscription, product or user"
                )
