"""SB133: an unresolved merge conflict."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Place, Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document


class MergeConflict(PolicyRule):
    """An unresolved merge conflict.

    ## Why
    Git left both sides of a change in the file. API Management refuses it. The first side is judged, the
    second is not.

    ## Bad
    ```xml
    <<<<<<< HEAD
    <rate-limit calls="10" renewal-period="60" />
    =======
    <rate-limit calls="20" renewal-period="60" />
    >>>>>>> topic
    ```

    ## Good
    ```xml
    <rate-limit calls="20" renewal-period="60" />
    ```

    ## Fix
    Resolve the conflict and delete its three markers.
    """

    id = "SB133"
    name = "merge-conflict"
    severity = Severity.ERROR
    source = "Derived: lines of git are no XML"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each conflict once."""
        for problem in subject.problems:
            if problem.kind == "merge-marker":
                yield Problem(Place((problem.start, problem.end), ""), problem.message, problem.help)
