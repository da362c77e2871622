"""SB103: a backend section with more than one policy."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import has_alternatives, place


class SeveralPoliciesInBackend(PolicyRule):
    """A backend section with more than one policy.

    ## Why
    The backend section may hold one policy element. With `set-backend-service` beside `forward-request`, or
    `<base />` beside `retry`, the document is refused when it is saved.

    ## Bad
    ```xml
    <backend><set-backend-service backend-id="pool-chat" /><forward-request /></backend>
    ```

    ## Good
    ```xml
    <backend><forward-request /></backend>
    ```

    ## Fix
    Route in inbound, or wrap the steps in one `retry`, `choose` or `limit-concurrency`.
    """

    id = "SB103"
    name = "several-policies-in-backend"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/set-edit-policies"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield the second policy of each backend section."""
        for placed in place(subject).named("backend"):
            policies = placed.element.elements
            if placed.section != "backend" or not placed.holds_policies or has_alternatives(placed.element):
                continue
            if len(policies) > 1:
                names = ", ".join(f"`{policy.name}`" for policy in policies)
                message = f"the backend section holds {len(policies)} policies ({names}); it takes one"
                yield Problem(
                    policies[1], message, "route in inbound, or wrap the steps in one `retry` or `choose`"
                )
