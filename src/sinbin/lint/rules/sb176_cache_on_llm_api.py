"""SB176: a response cache on an API of POST requests."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place

_LLM = ("llm-", "azure-openai-")


class CacheOnLlmApi(PolicyRule):
    """A response cache on an API of POST requests.

    ## Why
    `cache-lookup` and `cache-store` act on GET only. Chat and embeddings are POST: nothing is ever cached.

    ## Bad
    ```xml
    <inbound>
      <base />
      <cache-lookup vary-by-developer="false" vary-by-developer-groups="false" />
      <llm-token-limit counter-key="a" tokens-per-minute="1000" />
    </inbound>
    ```

    ## Good
    ```xml
    <inbound>
      <base />
      <llm-semantic-cache-lookup score-threshold="0.05" embeddings-backend-id="embed" … />
    </inbound>
    ```

    ## Fix
    Use the semantic cache, or the policies `cache-lookup-value` and `cache-store-value`.
    """

    id = "SB176"
    name = "cache-on-llm-api"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/cache-lookup-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each response cache beside a policy for language models."""
        llm = [p for p in place(subject).all if p.policy is not None and p.policy.name.startswith(_LLM)]
        if not llm:
            return
        for placed in place(subject).policies("cache-lookup", "cache-store"):
            message = f"`{placed.element.name}` acts on GET; calls to a language model are POST"
            yield Problem(placed.element, message, "use `llm-semantic-cache-lookup`, or `cache-lookup-value`")
