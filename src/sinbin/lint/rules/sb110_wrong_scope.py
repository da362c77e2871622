"""SB110: a policy at a scope that does not take it."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy import catalogue
from sinbin.policy.document import Document, DocumentKind
from sinbin.policy.placement import place


class WrongScope(PolicyRule):
    """A policy at a scope that does not take it.

    ## Why
    Not every policy works at every scope: `rate-limit` counts per subscription and is refused for all APIs,
    `quota` works for products only. The error is "Policy is not allowed in the specified scope".

    ## Bad
    ```xml
    <!-- global.xml --><inbound><rate-limit calls="20" renewal-period="90" /></inbound>
    ```

    ## Good
    ```xml
    <!-- global.xml -->
    <inbound>
      <rate-limit-by-key calls="20" renewal-period="90" counter-key="@(context.Subscription.Id)" />
    </inbound>
    ```

    ## Fix
    Move it to a scope that takes it, or use the variant by key.
    """

    id = "SB110"
    name = "wrong-scope"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/rate-limit-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:
        """Yield every policy that the scope of the document does not take; a fragment may be included anywhere."""
        if subject.kind is not DocumentKind.POLICIES or context.scope == "fragment":
            return
        for placed in place(subject).all:
            policy = placed.policy
            if policy is not None and context.scope not in policy.scopes and "resolver" not in policy.scopes:
                scopes = ", ".join(policy.scopes)
                message = f"`{policy.name}` is not allowed at {context.scope} scope; it works at {scopes}"
                by_key = f"{policy.name}-by-key"
                advice = f"use `{by_key}`" if catalogue.is_policy(by_key) else "move it to one of these scopes"
                yield Problem(placed.element, message, advice)
