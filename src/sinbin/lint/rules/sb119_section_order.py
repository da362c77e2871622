"""SB119: sections in another order than people expect."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import SECTIONS, Document, DocumentKind


class SectionOrder(PolicyRule):
    """Sections in another order than people expect.

    ## Why
    Any order is accepted; inbound, backend, outbound, on-error is the order in which they run and in which
    everyone writes them.

    ## Bad
    ```xml
    <policies><outbound><base /></outbound><inbound><base /></inbound></policies>
    ```

    ## Good
    ```xml
    <policies><inbound><base /></inbound><outbound><base /></outbound></policies>
    ```

    ## Fix
    Move the section.
    """

    id = "SB119"
    name = "section-order"
    severity = Severity.NOTE
    source = "https://learn.microsoft.com/azure/api-management/api-management-howto-policies"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield the first section that comes too late."""
        if subject.root is None or subject.kind is not DocumentKind.POLICIES:
            return
        latest = 0
        for element in subject.root.elements:
            if element.name not in SECTIONS:
                continue
            rank = SECTIONS.index(element.name)
            if rank < latest:
                message = f"{element.name} comes after {SECTIONS[latest]}"
                yield Problem(element, message, f"keep the order {', '.join(SECTIONS)}")
                return
            latest = rank
