"""SB122: `<base />` where there is nothing above."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document, DocumentKind
from sinbin.policy.placement import place


class BaseAtGlobalScope(PolicyRule):
    """`<base />` where there is nothing above.

    ## Why
    The global scope has no broader one: `<base />` does nothing there. In the backend section it leaves
    nothing that forwards the request.

    ## Bad
    ```xml
    <!-- global.xml --><inbound><base /></inbound>
    ```

    ## Good
    ```xml
    <!-- global.xml --><inbound />
    ```

    ## Fix
    Delete it.
    """

    id = "SB122"
    name = "base-at-global-scope"
    severity = Severity.NOTE
    source = "https://learn.microsoft.com/azure/api-management/set-edit-policies"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:
        """Yield every base of a global document."""
        if context.scope == "global" and subject.kind is DocumentKind.POLICIES:
            for placed in place(subject).named("base"):
                yield Problem(placed.element, "`<base />` does nothing at global scope", "delete it")
