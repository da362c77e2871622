"""SB145: `wait` inside `retry`."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place


class WaitInRetry(PolicyRule):
    """`wait` inside `retry`.

    ## Why
    A `retry` takes every policy but `wait`. The document is refused when it is saved.

    ## Bad
    ```xml
    <retry condition="@(a)" count="2" interval="1"><wait for="any"><choose /></wait></retry>
    ```

    ## Good
    ```xml
    <wait for="any">
      <send-request response-variable-name="a">
        <set-url>https://a</set-url>
      </send-request>
    </wait>
    ```

    ## Fix
    Move the `wait` out of the `retry`.
    """

    id = "SB145"
    name = "wait-in-retry"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/retry-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield every wait with a retry around it."""
        for placed in place(subject).policies("wait"):
            if any(around.name == "retry" for around in placed.element.ancestors()):
                yield Problem(placed.element, "`wait` stands inside `retry`", "move it out of the `retry`")
