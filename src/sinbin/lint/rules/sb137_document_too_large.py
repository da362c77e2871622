"""SB137: a policy larger than API Management takes."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Place, Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document

_LIMIT = 512 * 1024
_CONSUMPTION_LIMIT = 16 * 1024


class DocumentTooLarge(PolicyRule):
    """A policy larger than API Management takes.

    ## Why
    A policy document may have 512 KiB, 16 KiB in the Consumption tier, and a fragment 512 KiB. A larger one is
    refused when it is saved.

    ## Bad
    ```xml
    <!-- 20 KiB of policy, deployed to the Consumption tier -->
    ```

    ## Good
    ```xml
    <include-fragment fragment-id="routing" />
    ```

    ## Fix
    Move parts into fragments, or data into named values or an external cache.
    """

    id = "SB137"
    name = "document-too-large"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/service-limits"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:
        """Yield a document above the limit of its tier."""
        size = len(subject.source.to_bytes())
        limit = _CONSUMPTION_LIMIT if context.tier == "Consumption" else _LIMIT
        if size > limit:
            message = f"the document has {size / 1024:,.1f} KiB; the tier {context.tier} takes {limit // 1024} KiB"
            yield Problem(Place((0, 1), ""), message, "move parts of it into fragments")
