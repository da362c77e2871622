"""SB503: any origin may call with the credentials of the user."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place


class CorsWildcardWithCredentials(PolicyRule):
    """Any origin may call with the credentials of the user.

    ## Why
    With `*` and `allow-credentials="true"` any web page may call the API with the cookies of its visitor.

    ## Bad
    ```xml
    <cors allow-credentials="true"><allowed-origins><origin>*</origin></allowed-origins></cors>
    ```

    ## Good
    ```xml
    <cors allow-credentials="true">
      <allowed-origins>
        <origin>https://app.example.com</origin>
      </allowed-origins>
    </cors>
    ```

    ## Fix
    Name the origins.
    """

    id = "SB503"
    name = "cors-wildcard-with-credentials"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/cors-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each wildcard origin under allow-credentials."""
        for placed in place(subject).named("allowed-origins"):
            around = placed.around
            if around is None or (around.element.get("allow-credentials") or "").strip().lower() != "true":
                continue
            for origin in placed.element.elements:
                if origin.text == "*":
                    yield Problem(origin, "any origin may call with credentials", "name the origins")
