"""SB136: sections without a `<policies>` around them."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document, DocumentKind


class SectionsWithoutPolicies(PolicyRule):
    """Sections without a `<policies>` around them.

    ## Why
    A document that is deployed has one root, `policies`. Templates keep bare sections; as it stands the file
    cannot be deployed.

    ## Bad
    ```xml
    <inbound><base /></inbound><backend><base /></backend>
    ```

    ## Good
    ```xml
    <policies><inbound><base /></inbound><backend><base /></backend></policies>
    ```

    ## Fix
    Wrap the sections in `<policies>`.
    """

    id = "SB136"
    name = "sections-without-policies"
    severity = Severity.NOTE
    source = "https://learn.microsoft.com/azure/api-management/api-management-howto-policies"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield the first section of a document without a root."""
        if subject.kind is DocumentKind.SECTIONS:
            yield Problem(
                subject.elements[0], "the sections have no `<policies>` around them", "wrap them in `<policies>`"
            )
