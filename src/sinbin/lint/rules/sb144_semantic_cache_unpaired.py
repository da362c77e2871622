"""SB144: a semantic cache that is looked up and never filled, or filled and never looked up."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.effective import Judged
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import EffectivePolicyRule
from sinbin.policy.document import DocumentKind


class SemanticCacheUnpaired(EffectivePolicyRule):
    """A semantic cache that is looked up and never filled, or filled and never looked up.

    ## Why
    Without the other half every call misses, and pays for an embeddings call.

    ## Bad
    ```xml
    <inbound>
      <base />
      <llm-semantic-cache-lookup score-threshold="0.05" embeddings-backend-id="embed" … />
    </inbound>
    ```

    ## Good
    ```xml
    <outbound><base /><llm-semantic-cache-store duration="60" /></outbound>
    ```

    ## Fix
    Put the lookup into inbound and the store into outbound.
    """

    id = "SB144"
    name = "semantic-cache-unpaired"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/llm-semantic-cache-lookup-policy"

    def check(self, subject: Judged, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each half without the other, as long as no unknown fragment may hold it."""
        if subject.document.kind is DocumentKind.FRAGMENT or subject.named("include-fragment"):
            return
        for family in ("llm", "azure-openai"):
            lookups = subject.named(f"{family}-semantic-cache-lookup")
            stores = subject.named("llm-semantic-cache-store", "azure-openai-semantic-cache-store")
            if lookups and not stores:
                for _, step in lookups:
                    message = f"`{step.name}` is never filled: outbound has no `{family}-semantic-cache-store`"
                    yield Problem(subject.where(step), message, f"add `{family}-semantic-cache-store` to outbound")
            lookups = subject.named("llm-semantic-cache-lookup", "azure-openai-semantic-cache-lookup")
            for _, step in subject.named(f"{family}-semantic-cache-store") if not lookups else ():
                message = f"`{step.name}` is never read: inbound has no `{family}-semantic-cache-lookup`"
                yield Problem(subject.where(step), message, f"add `{family}-semantic-cache-lookup` to inbound")
