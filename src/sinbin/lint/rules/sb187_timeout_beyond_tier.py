"""SB187: a timeout longer than the tier lets a request run."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place

_LONGEST_SECONDS = 30


class TimeoutBeyondTier(PolicyRule):
    """A timeout longer than the tier lets a request run.

    ## Why
    In the Consumption tier a request ends after 30 seconds, whatever the policy says.

    ## Bad
    ```xml
    <!-- tier Consumption --><forward-request timeout="120" />
    ```

    ## Good
    ```xml
    <!-- tier Consumption --><forward-request timeout="30" />
    ```

    ## Fix
    Write 30 seconds or less, or use another tier for slow models.
    """

    id = "SB187"
    name = "timeout-beyond-tier"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/service-limits"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:
        """Yield each timeout above the limit of the Consumption tier."""
        if context.tier != "Consumption":
            return
        for placed in place(subject).policies("forward-request"):
            for name, per_second in (("timeout", 1), ("timeout-ms", 1000)):
                attribute = placed.element.attribute(name)
                value = (attribute.literal or "").strip() if attribute is not None else ""
                if attribute is not None and value.isdecimal() and int(value) > _LONGEST_SECONDS * per_second:
                    message = (
                        f"`{name}` is {int(value):,}; in Consumption a request ends after {_LONGEST_SECONDS} s"
                    )
                    yield Problem(attribute, message, f"write {_LONGEST_SECONDS * per_second} or less")
