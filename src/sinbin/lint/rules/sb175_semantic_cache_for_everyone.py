"""SB175: a semantic cache that all callers share."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place


class SemanticCacheForEveryone(PolicyRule):
    """A semantic cache that all callers share.

    ## Why
    Without `vary-by` one caller may get what another one asked for.

    ## Bad
    ```xml
    <llm-semantic-cache-lookup score-threshold="0.05" embeddings-backend-id="embed" … />
    ```

    ## Good
    ```xml
    <llm-semantic-cache-lookup score-threshold="0.05" embeddings-backend-id="embed" …>
      <vary-by>@(context.Subscription.Id)</vary-by>
    </llm-semantic-cache-lookup>
    ```

    ## Fix
    Add `vary-by` with the subscription or the user.
    """

    id = "SB175"
    name = "semantic-cache-for-everyone"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/llm-semantic-cache-lookup-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each lookup without vary-by."""
        for placed in place(subject).policies("llm-semantic-cache-lookup", "azure-openai-semantic-cache-lookup"):
            if not placed.element.elements and not placed.element.texts:
                message = f"`{placed.element.name}` has no `vary-by`: callers get each other's answers"
                yield Problem(placed.element, message, "add <vary-by>@(context.Subscription.Id)</vary-by>")
