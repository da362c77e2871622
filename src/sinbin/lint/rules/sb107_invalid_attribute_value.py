"""SB107: an attribute value outside of what the reference allows."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.attribute_value import wrong_value
from sinbin.policy.document import Document
from sinbin.policy.placement import place


class InvalidAttributeValue(PolicyRule):
    """An attribute value outside of what the reference allows.

    ## Why
    A number out of range, a word that is not in the list or text where true or false is expected is refused
    when the document is saved, or fails at run time.

    ## Bad
    ```xml
    <retry condition="@(true)" count="60" interval="0"><forward-request /></retry>
    ```

    ## Good
    ```xml
    <retry condition="@(true)" count="3" interval="0"><forward-request /></retry>
    ```

    ## Fix
    Write a value that is allowed. Values with an expression, a named value or a placeholder are not judged.
    """

    id = "SB107"
    name = "invalid-attribute-value"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/api-management-policies"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield every literal value of the wrong type, word or size."""
        for placed in place(subject).all:
            if placed.spec is None:
                continue
            for attribute in placed.element.attributes:
                known = placed.spec.attributes.get(attribute.name)
                expected = wrong_value(known, attribute) if known is not None else None
                if expected:
                    yield Problem(
                        attribute,
                        f'`{attribute.name}` of `{placed.spec.name}` is "{attribute.value}"',
                        f"write {expected}",
                    )
