"""SB149: a condition that is always the same."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.nodes import Attribute, Element
from sinbin.policy.placement import has_alternatives, place


class ConstantCondition(PolicyRule):
    """A condition that is always the same.

    ## Why
    A branch that is always taken hides the branches behind it. A retry whose condition is always true repeats
    requests that went well.

    ## Bad
    ```xml
    <retry condition="@(true)" count="2" interval="0"><forward-request /></retry>
    ```

    ## Good
    ```xml
    <retry condition="@(context.Response.StatusCode == 429)" count="2" interval="0">
      <forward-request />
    </retry>
    ```

    ## Fix
    Write the condition that is meant, or delete the branch.
    """

    id = "SB149"
    name = "constant-condition"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/choose-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield constant conditions that make other policies pointless."""
        for placed in place(subject).named("when", "retry"):
            condition = placed.element.attribute("condition")
            value = _constant(condition) if condition is not None and placed.spec is not None else None
            if value is None or condition is None:
                continue
            if placed.element.name == "retry":
                effect = "never repeats" if value == "false" else "repeats requests that went well"
                yield Problem(
                    condition, f"the retry {effect}: its condition is always {value}", "test the response"
                )
            elif value == "false":
                yield Problem(
                    condition, "the branch never runs: its condition is always false", "delete the branch"
                )
            elif _has_followers(placed.element):
                message = "the branches behind this one never run: its condition is always true"
                yield Problem(condition, message, "test something, or keep this branch only")


def _constant(condition: Attribute) -> str | None:
    text = condition.expression.code if condition.expression else condition.literal or ""
    word = text.strip().strip("()").strip().lower()
    return word if word in {"true", "false"} else None


def _has_followers(branch: Element) -> bool:
    choose = next(branch.ancestors(), None)
    if choose is None or has_alternatives(choose):
        return False
    return any(sibling.start > branch.start for sibling in choose.elements)
