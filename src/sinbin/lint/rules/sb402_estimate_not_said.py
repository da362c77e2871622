"""SB402: a token limit that does not say whether prompts are estimated."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place


class EstimateNotSaid(PolicyRule):
    """A token limit that does not say whether prompts are estimated.

    ## Why
    `estimate-prompt-tokens` is required by the reference. With `true` a prompt that is too large is refused
    before it is sent; with `false` the call that crosses the line still goes through.

    ## Bad
    ```xml
    <llm-token-limit counter-key="@(context.Subscription.Id)" tokens-per-minute="5000" />
    ```

    ## Good
    ```xml
    <llm-token-limit counter-key="a" tokens-per-minute="5000" estimate-prompt-tokens="true" />
    ```

    ## Fix
    Add `estimate-prompt-tokens`, with `true` where the limit has to hold.
    """

    id = "SB402"
    name = "estimate-not-said"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/llm-token-limit-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each token limit without the attribute."""
        for placed in place(subject).policies("llm-token-limit", "azure-openai-token-limit"):
            names = {attribute.name for attribute in placed.element.attributes}
            misspelt = any(name.startswith("estimate") for name in names)
            if "estimate-prompt-tokens" not in names and not misspelt:
                message = f"`{placed.element.name}` does not say `estimate-prompt-tokens`"
                yield Problem(placed.element, message, 'add estimate-prompt-tokens="true" or "false"')
