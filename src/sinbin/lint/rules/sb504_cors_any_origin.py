"""SB504: any web page may call the API."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place


class CorsAnyOrigin(PolicyRule):
    """Any web page may call the API.

    ## Why
    `*` as origin lets scripts of any web page call the API. With a key in the page, anyone can read and use
    it.

    ## Bad
    ```xml
    <allowed-origins><origin>*</origin></allowed-origins>
    ```

    ## Good
    ```xml
    <allowed-origins><origin>https://app.example.com</origin></allowed-origins>
    ```

    ## Fix
    Name the origins, if the API is not public.
    """

    id = "SB504"
    name = "cors-any-origin"
    severity = Severity.NOTE
    source = "https://learn.microsoft.com/azure/api-management/cors-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each wildcard origin."""
        for placed in place(subject).named("allowed-origins"):
            for origin in placed.element.elements:
                if origin.text == "*" and placed.spec is not None:
                    yield Problem(origin, "scripts of any origin may call the API", "name the origins")
