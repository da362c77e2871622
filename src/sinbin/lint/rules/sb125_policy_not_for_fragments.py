"""SB125: a policy that may not stand in a fragment."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document, DocumentKind
from sinbin.policy.placement import place


class PolicyNotForFragments(PolicyRule):
    """A policy that may not stand in a fragment.

    ## Why
    `cache-lookup` works in a policy document only.

    ## Bad
    ```xml
    <fragment><cache-lookup vary-by-developer="false" vary-by-developer-groups="false" /></fragment>
    ```

    ## Good
    ```xml
    <inbound>
      <base />
      <cache-lookup vary-by-developer="false" vary-by-developer-groups="false" />
    </inbound>
    ```

    ## Fix
    Move it into the policy document.
    """

    id = "SB125"
    name = "policy-not-for-fragments"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/cache-lookup-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield every policy of a fragment that fragments do not take."""
        if subject.kind is DocumentKind.FRAGMENT:
            for placed in place(subject).all:
                if placed.policy is not None and not placed.policy.in_fragment:
                    name = placed.policy.name
                    yield Problem(
                        placed.element, f"`{name}` may not stand in a fragment", "move it into the document"
                    )
