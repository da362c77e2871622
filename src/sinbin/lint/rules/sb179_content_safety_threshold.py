"""SB179: a threshold between two severities."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place


class ContentSafetyThreshold(PolicyRule):
    """A threshold between two severities.

    ## Why
    With four severity levels the severities are 0, 2, 4 and 6: an odd threshold works like the next even one.

    ## Bad
    ```xml
    <category name="Hate" threshold="3" />
    ```

    ## Good
    ```xml
    <category name="Hate" threshold="4" />
    ```

    ## Fix
    Write 0, 2, 4 or 6, or set `output-type="EightSeverityLevels"`.
    """

    id = "SB179"
    name = "content-safety-threshold"
    severity = Severity.NOTE
    source = "https://learn.microsoft.com/azure/api-management/llm-content-safety-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each odd threshold under four levels."""
        for placed in place(subject).named("category"):
            threshold = placed.element.attribute("threshold")
            around = placed.around
            if threshold is None or placed.spec is None or around is None:
                continue
            value = (threshold.literal or "").strip()
            eight = around.element.get("output-type") not in {None, "FourSeverityLevels"}
            if value in {"1", "3", "5", "7"} and not eight:
                message = f"the threshold {value} lies between two of the four severities"
                yield Problem(threshold, message, "write 0, 2, 4 or 6")
