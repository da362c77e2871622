"""SB138: a backend section that forwards nothing."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.effective import UNKNOWN, Judged
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import EffectivePolicyRule


class BackendSendsNothing(EffectivePolicyRule):
    """A backend section that forwards nothing.

    ## Why
    Without `forward-request` nothing is sent: outbound runs at once and the caller gets an empty 200.

    ## Bad
    ```xml
    <backend><set-backend-service backend-id="pool-chat" /></backend>
    ```

    ## Good
    ```xml
    <backend><forward-request /></backend>
    ```

    ## Fix
    Add `forward-request`, or `<base />` below the global scope.
    """

    id = "SB138"
    name = "backend-sends-nothing"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/forward-request-policy"

    def check(self, subject: Judged, context: Context) -> Iterator[Problem]:
        """Yield the backend section when neither it nor an answer in inbound replies to the caller."""
        section = subject.document.section("backend")
        if section is None or any("{" in text.value for text in section.texts):
            return
        answers = any(
            where in {"inbound", "backend"} for where, _ in subject.named("return-response", "mock-response")
        )
        unknown = UNKNOWN if context.scope != "global" else UNKNOWN - {"base"}
        sends = any(where == "backend" for where, _ in subject.named("forward-request", "retry", *sorted(unknown)))
        unseen = any(
            where == "inbound" and step.name == "include-fragment" for where, step in subject.named(*UNKNOWN)
        )
        if not (answers or sends or unseen):
            yield Problem(section, "the backend section forwards nothing", "add `forward-request`")
