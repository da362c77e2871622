"""SB148: a policy that never runs."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import has_alternatives, place


class UnreachablePolicy(PolicyRule):
    """A policy that never runs.

    ## Why
    `return-response` and `mock-response` end the pipeline: what follows them in the same block never runs.

    ## Bad
    ```xml
    <inbound><return-response /><base /></inbound>
    ```

    ## Good
    ```xml
    <inbound><base /><return-response /></inbound>
    ```

    ## Fix
    Delete it, or move it in front.
    """

    id = "SB148"
    name = "unreachable-policy"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/return-response-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield the first policy behind an answer, for each block."""
        for placed in place(subject).policies("return-response", "mock-response"):
            around = placed.around
            if around is None or has_alternatives(around.element):
                continue
            following = [sibling for sibling in around.element.elements if sibling.start > placed.element.start]
            if following and following[0].name not in {"return-response", "mock-response"}:
                line = placed.element.position.line
                message = (
                    f"`{following[0].name}` never runs: `{placed.element.name}` in line {line} ends the pipeline"
                )
                yield Problem(following[0], message, "delete it, or move it in front")
