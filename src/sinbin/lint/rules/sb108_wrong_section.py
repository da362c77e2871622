"""SB108: a policy in a section that does not take it."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place

SHIPPED_ELSEWHERE = frozenset({("authentication-managed-identity", "outbound"), ("set-body", "on-error")})
"""Policies outside of their documented sections that samples in service use; SB109 speaks of them."""


class WrongSection(PolicyRule):
    """A policy in a section that does not take it.

    ## Why
    Not every policy works in every section. API Management refuses the document when it is saved.

    ## Bad
    ```xml
    <outbound><base /><llm-token-limit counter-key="a" tokens-per-minute="1000" /></outbound>
    ```

    ## Good
    ```xml
    <inbound><base /><llm-token-limit counter-key="a" tokens-per-minute="1000" /></inbound>
    ```

    ## Fix
    Move the policy to a section that takes it.
    """

    id = "SB108"
    name = "wrong-section"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/set-edit-policies"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield every policy outside of its sections, looking through containers."""
        for placed in place(subject).all:
            policy = placed.policy
            if policy is None or placed.section is None or not policy.sections:
                continue
            if placed.section in policy.sections or (policy.name, placed.section) in SHIPPED_ELSEWHERE:
                continue
            sections = " and ".join(policy.sections)
            message = f"`{policy.name}` stands in {placed.section}; it works in {sections}"
            yield Problem(placed.element, message, f"move it to {' or '.join(policy.sections)}")
