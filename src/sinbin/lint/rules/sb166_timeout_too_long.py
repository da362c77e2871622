"""SB166: a timeout that the network does not keep."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place

_IDLE_SECONDS = 240


class TimeoutTooLong(PolicyRule):
    """A timeout that the network does not keep.

    ## Why
    The infrastructure drops connections that are idle for about four minutes: timeouts above 240 seconds may
    not be honoured.

    ## Bad
    ```xml
    <forward-request timeout="600" />
    ```

    ## Good
    ```xml
    <forward-request timeout="240" />
    ```

    ## Fix
    Lower the timeout to 240 seconds or less, or stream the response.
    """

    id = "SB166"
    name = "timeout-too-long"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/forward-request-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each timeout above four minutes."""
        for placed in place(subject).policies("forward-request"):
            for name, per_second in (("timeout", 1), ("timeout-ms", 1000)):
                attribute = placed.element.attribute(name)
                value = (attribute.literal or "").strip() if attribute is not None else ""
                if attribute is not None and value.isdecimal() and int(value) > _IDLE_SECONDS * per_second:
                    message = (
                        f"`{name}` is {int(value):,}; connections that are idle for {_IDLE_SECONDS} s are dropped"
                    )
                    yield Problem(
                        attribute, message, f"write {_IDLE_SECONDS * per_second:,} or less".replace(",", "")
                    )
