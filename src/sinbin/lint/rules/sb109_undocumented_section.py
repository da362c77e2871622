"""SB109: a policy in a section that the reference does not list, though samples in service use it there."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.lint.rules.sb108_wrong_section import SHIPPED_ELSEWHERE
from sinbin.policy.document import Document
from sinbin.policy.placement import place


class UndocumentedSection(PolicyRule):
    """A policy in a section that the reference does not list, though samples in service use it there.

    ## Why
    `set-body` in on-error and `authentication-managed-identity` in outbound are outside of the reference. They
    have been seen to work; nothing promises that they will.

    ## Bad
    ```xml
    <on-error><base /><set-body>sorry</set-body></on-error>
    ```

    ## Good
    ```xml
    <on-error>
      <base />
      <return-response>
        <set-status code="503" />
        <set-body>sorry</set-body>
      </return-response>
    </on-error>
    ```

    ## Fix
    Use `return-response` with its own `set-body`, or take the token inside the `send-request` that needs it.
    """

    id = "SB109"
    name = "undocumented-section"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/authentication-managed-identity-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield the policies that are tolerated where they stand."""
        for name, section in sorted(SHIPPED_ELSEWHERE):
            for placed in place(subject).policies(name):
                if placed.section == section and placed.policy is not None:
                    message = f"`{name}` stands in {section}, which its reference does not list"
                    yield Problem(placed.element, message, f"move it to {' or '.join(placed.policy.sections)}")
