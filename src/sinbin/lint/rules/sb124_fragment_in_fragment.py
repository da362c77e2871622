"""SB124: a fragment that includes a fragment."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document, DocumentKind
from sinbin.policy.placement import place


class FragmentInFragment(PolicyRule):
    """A fragment that includes a fragment.

    ## Why
    A fragment may not include another one. It is refused when it is saved.

    ## Bad
    ```xml
    <fragment><include-fragment fragment-id="routing" /></fragment>
    ```

    ## Good
    ```xml
    <inbound>
      <include-fragment fragment-id="routing" />
      <include-fragment fragment-id="limits" />
    </inbound>
    ```

    ## Fix
    Include both fragments in the policy document.
    """

    id = "SB124"
    name = "fragment-in-fragment"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/policy-fragments"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:
        """Yield every include in a fragment."""
        if subject.kind is DocumentKind.FRAGMENT or context.scope == "fragment":
            for placed in place(subject).policies("include-fragment"):
                name = placed.element.get("fragment-id")
                message = f"the fragment includes the fragment `{name}`; a fragment includes no other"
                yield Problem(placed.element, message, "include both in the policy document")
