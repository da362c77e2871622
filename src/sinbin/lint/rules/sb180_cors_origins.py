"""SB180: a wildcard origin beside others."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place


class CorsOrigins(PolicyRule):
    """A wildcard origin beside others.

    ## Why
    `*` has to be the only origin.

    ## Bad
    ```xml
    <allowed-origins><origin>*</origin><origin>https://app.example.com</origin></allowed-origins>
    ```

    ## Good
    ```xml
    <allowed-origins><origin>https://app.example.com</origin></allowed-origins>
    ```

    ## Fix
    Delete the wildcard.
    """

    id = "SB180"
    name = "cors-origins"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/cors-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each wildcard that is not alone."""
        for placed in place(subject).named("allowed-origins"):
            origins = [child for child in placed.element.elements if child.name == "origin"]
            for origin in origins:
                if origin.text == "*" and len(origins) > 1 and placed.spec is not None:
                    yield Problem(origin, "`*` stands beside other origins", "delete the wildcard")
