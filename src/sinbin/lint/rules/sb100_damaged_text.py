"""SB100: a policy whose text cannot be read as it stands."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Place, Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document

# Kinds of damage that people want to find, or silence, by a rule of their own.
_OWN_RULE = frozenset({"merge-marker", "too-large"})


class DamagedText(PolicyRule):
    """A policy whose text cannot be read as it stands.

    ## Why
    API Management refuses a document that is not well formed, after minutes of other resources being deployed.
    A missing bracket, a wrong end tag or a string broken by a formatter is one problem each; everything else
    in the file is still judged.

    ## Bad
    ```xml
    <inbound><base /><choose><when condition="@(true)"></choose></inbound>
    ```

    ## Good
    ```xml
    <inbound><base /><choose><when condition="@(true)"></when></choose></inbound>
    ```

    ## Fix
    Repair the text at the place shown.
    """

    id = "SB100"
    name = "damaged-text"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/set-edit-policies"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what the parser could not read, save what has a rule of its own."""
        for problem in subject.problems:
            if problem.kind not in _OWN_RULE:
                yield Problem(Place((problem.start, problem.end), ""), problem.message, problem.help)
