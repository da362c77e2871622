"""SB182: a base-url that ends in a slash."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Edit, Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place


class TrailingSlash(PolicyRule):
    """A base-url that ends in a slash.

    ## Why
    The path of the request is put behind the URL: a slash at the end makes two.

    ## Bad
    ```xml
    <set-backend-service base-url="https://api.example.com/v1/" />
    ```

    ## Good
    ```xml
    <set-backend-service base-url="https://api.example.com/v1" />
    ```

    ## Fix
    Delete the slash.
    """

    id = "SB182"
    name = "trailing-slash"
    severity = Severity.NOTE
    source = "https://learn.microsoft.com/azure/api-management/backends"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each base-url with a slash at its end."""
        for placed in place(subject).policies("set-backend-service"):
            url = placed.element.attribute("base-url")
            if (
                url is not None
                and not url.expressions
                and url.value.endswith("/")
                and url.value_end > url.value_start
            ):
                edit = Edit(url.value_end - 1, url.value_end, "")
                yield Problem(url, f'`base-url` "{url.value}" ends in a slash', "delete the slash", (edit,))
