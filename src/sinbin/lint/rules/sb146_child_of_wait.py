"""SB146: a policy inside `wait` that is not documented there."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place


class ChildOfWait(PolicyRule):
    """A policy inside `wait` that is not documented there.

    ## Why
    `wait` runs its children side by side. The reference lists `send-request`, `cache-lookup-value` and
    `choose`.

    ## Bad
    ```xml
    <wait for="all"><set-variable name="a" value="b" /></wait>
    ```

    ## Good
    ```xml
    <set-variable name="a" value="b" /><wait for="all"><choose /></wait>
    ```

    ## Fix
    Move it out of the `wait`.
    """

    id = "SB146"
    name = "child-of-wait"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/wait-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield the policies that a parent with a list of its own does not name."""
        for placed in place(subject).all:
            around = placed.around
            if placed.policy is None or around is None or around.spec is None or not around.spec.only:
                continue
            if placed.policy.name not in around.spec.only:
                only = ", ".join(around.spec.only)
                message = f"`{placed.policy.name}` stands inside `{around.spec.name}`, which takes {only}"
                yield Problem(placed.element, message, f"move it out of the `{around.spec.name}`")
