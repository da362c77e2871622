"""SB121: `<base />` inside a policy fragment."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document, DocumentKind
from sinbin.policy.placement import place


class BaseInFragment(PolicyRule):
    """`<base />` inside a policy fragment.

    ## Why
    A fragment is put in where it is included and has no broader scope of its own. It is refused when it is
    saved.

    ## Bad
    ```xml
    <fragment><base /><set-variable name="a" value="b" /></fragment>
    ```

    ## Good
    ```xml
    <fragment><set-variable name="a" value="b" /></fragment>
    ```

    ## Fix
    Put `<base />` into the document that includes the fragment.
    """

    id = "SB121"
    name = "base-in-fragment"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/policy-fragments"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield every base in a fragment."""
        if subject.kind is DocumentKind.FRAGMENT:
            for placed in place(subject).named("base"):
                yield Problem(placed.element, "a fragment has no `<base />`", "put it into the including document")
