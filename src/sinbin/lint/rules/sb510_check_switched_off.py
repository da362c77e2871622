"""SB510: a check of a token or certificate that is switched off."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place

_SWITCHES = {
    "require-signed-tokens": "false",
    "require-expiration-time": "false",
    "validate-trust": "false",
    "validate-not-before": "false",
    "validate-not-after": "false",
    "validate-revocation": "false",
    "ignore-error": "true",
}


class CheckSwitchedOff(PolicyRule):
    """A check of a token or certificate that is switched off.

    ## Why
    Unsigned or expired tokens and untrusted, revoked or expired certificates are what the policy is there to
    refuse.

    ## Bad
    ```xml
    <validate-jwt header-name="Authorization" require-signed-tokens="false">…</validate-jwt>
    ```

    ## Good
    ```xml
    <validate-jwt header-name="Authorization">…</validate-jwt>
    ```

    ## Fix
    Delete the attribute.
    """

    id = "SB510"
    name = "check-switched-off"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/validate-jwt-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each switch that is off, and each check whose failure is ignored."""
        for placed in place(subject).policies("validate-jwt", "validate-client-certificate"):
            for name, off in _SWITCHES.items():
                attribute = placed.element.attribute(name)
                if attribute is not None and attribute.value.strip().lower() == off:
                    message = f'`{name}` of `{placed.element.name}` is "{attribute.value}"'
                    yield Problem(attribute, message, "delete the attribute")
