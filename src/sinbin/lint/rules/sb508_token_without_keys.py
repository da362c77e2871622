"""SB508: a token check that knows no keys."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place

_SOURCES = frozenset({"openid-config", "issuer-signing-keys", "issuer-signing-tokens", "decryption-keys"})


class TokenWithoutKeys(PolicyRule):
    """A token check that knows no keys.

    ## Why
    Without `openid-config` or `issuer-signing-keys` there is nothing to check a signature with.

    ## Bad
    ```xml
    <validate-jwt header-name="Authorization">
      <audiences>
        <audience>api://chat</audience>
      </audiences>
    </validate-jwt>
    ```

    ## Good
    ```xml
    <validate-jwt header-name="Authorization">
      <openid-config url="https://login.microsoftonline.com/…/openid-configuration" />
      <audiences><audience>api://chat</audience></audiences>
    </validate-jwt>
    ```

    ## Fix
    Add `openid-config` or `issuer-signing-keys`.
    """

    id = "SB508"
    name = "token-without-keys"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/validate-jwt-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each check without a source of keys."""
        for placed in place(subject).policies("validate-jwt"):
            names = {child.name for child in placed.element.elements}
            if not names & _SOURCES and not placed.element.texts:
                yield Problem(
                    placed.element, "`validate-jwt` knows no keys", "add `openid-config` or `issuer-signing-keys`"
                )
