"""SB173: a reference to a named value that does not exist."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Place, Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place
from sinbin.policy.suggest import closest


class UnknownNamedValue(PolicyRule):
    """A reference to a named value that does not exist.

    ## Why
    `{{name}}` is replaced by the named value of that display name. A document with an unknown one is refused
    when it is saved: an existing environment deploys, a fresh one fails.

    ## Bad
    ```xml
    <set-backend-service backend-id="{{pol}}" />
    ```

    ## Good
    ```xml
    <set-backend-service backend-id="{{pool}}" />
    ```

    ## Fix
    Correct the name, or create the named value before the policy.
    """

    id = "SB173"
    name = "unknown-named-value"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/api-management-howto-properties"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:
        """Yield each unknown name, when the named values are known; Liquid has braces of its own."""
        if context.named_values is None:
            return
        for placed in place(subject).all:
            if placed.element.get("template") == "liquid":
                continue
            for valued in placed.element.valued():
                for reference in valued.named_values():
                    if reference.name in context.named_values:
                        continue
                    suggestion = closest(reference.name, context.named_values)
                    advice = f"did you mean `{suggestion}`?" if suggestion else "create it before the policy"
                    where = Place((reference.start, reference.end), valued.path)
                    yield Problem(where, f'there is no named value "{reference.name}"', advice)
