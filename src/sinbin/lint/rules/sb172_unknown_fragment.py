"""SB172: an include of a fragment that does not exist."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place
from sinbin.policy.suggest import closest


class UnknownFragment(PolicyRule):
    """An include of a fragment that does not exist.

    ## Why
    A document that includes an unknown fragment is refused when it is saved.

    ## Bad
    ```xml
    <include-fragment fragment-id="routng" />
    ```

    ## Good
    ```xml
    <include-fragment fragment-id="routing" />
    ```

    ## Fix
    Correct the id, or deploy the fragment first.
    """

    id = "SB172"
    name = "unknown-fragment"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/policy-fragments"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:
        """Yield each unknown fragment, when the fragments are known."""
        if context.fragments is None:
            return
        for placed in place(subject).policies("include-fragment"):
            attribute = placed.element.attribute("fragment-id")
            value = attribute.literal if attribute is not None else None
            if attribute is not None and value and value not in context.fragments:
                suggestion = closest(value, context.fragments)
                known = ", ".join(sorted(context.fragments)[:10]) or "none"
                advice = f"did you mean `{suggestion}`?" if suggestion else f"the fragments are {known}"
                yield Problem(attribute, f'there is no fragment "{value}"', advice)
