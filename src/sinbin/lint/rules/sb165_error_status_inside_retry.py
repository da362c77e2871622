"""SB165: a retry on status codes whose forward-request turns them into errors."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place


class ErrorStatusInsideRetry(PolicyRule):
    """A retry on status codes whose forward-request turns them into errors.

    ## Why
    With `fail-on-error-status-code="true"` an answer from 400 to 599 leaves the pipeline for on-error. Whether
    the condition of the retry still sees it is not documented.

    ## Bad
    ```xml
    <retry condition="@(a)" count="2" interval="0">
      <forward-request buffer-request-body="true" fail-on-error-status-code="true" />
    </retry>
    ```

    ## Good
    ```xml
    <retry condition="@(a)" count="2" interval="0">
      <forward-request buffer-request-body="true" />
    </retry>
    ```

    ## Fix
    Leave the attribute out, and treat bad answers in outbound.
    """

    id = "SB165"
    name = "error-status-inside-retry"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/forward-request-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each such attribute inside a retry."""
        for placed in place(subject).policies("forward-request"):
            attribute = placed.element.attribute("fail-on-error-status-code")
            if attribute is None or attribute.value.strip().lower() != "true":
                continue
            if any(around.name == "retry" for around in placed.element.ancestors()):
                message = "a bad status becomes an error before the condition of the `retry` is asked"
                yield Problem(attribute, message, "leave the attribute out")
