"""SB509: a token check that accepts tokens of any application."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place

_NARROWING = frozenset({"audiences", "client-application-ids", "backend-application-ids", "required-claims"})


class TokenForAnyone(PolicyRule):
    """A token check that accepts tokens of any application.

    ## Why
    Without `audiences` a token that the same issuer made for another API is accepted here.

    ## Bad
    ```xml
    <validate-azure-ad-token tenant-id="contoso.com" />
    ```

    ## Good
    ```xml
    <validate-azure-ad-token tenant-id="contoso.com">
      <audiences><audience>api://chat</audience></audiences>
    </validate-azure-ad-token>
    ```

    ## Fix
    Add `audiences`, or the client applications that may call.
    """

    id = "SB509"
    name = "token-for-anyone"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/validate-jwt-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each check that neither names an audience, nor a client, nor claims."""
        for placed in place(subject).policies("validate-jwt", "validate-azure-ad-token"):
            names = {child.name for child in placed.element.elements}
            if not names & _NARROWING and not placed.element.texts:
                message = f"`{placed.element.name}` accepts tokens made for any application"
                yield Problem(placed.element, message, "add `audiences`")
