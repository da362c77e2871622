"""SB502: a token audience that looks misspelt."""

from collections.abc import Iterator
from difflib import SequenceMatcher

from sinbin.lint.audiences import KNOWN
from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place

_NEARLY = 0.93


class OddTokenAudience(PolicyRule):
    """A token audience that looks misspelt.

    ## Why
    A resource that differs from a known one by a letter, or by `/.default` of a scope, gets no token or one
    that is refused.

    ## Bad
    ```xml
    <authentication-managed-identity resource="https://cognitiveservice.azure.com" />
    ```

    ## Good
    ```xml
    <authentication-managed-identity resource="https://cognitiveservices.azure.com" />
    ```

    ## Fix
    Write the audience of the service.
    """

    id = "SB502"
    name = "odd-token-audience"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/authentication-managed-identity-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each resource that is nearly, but not quite, a known audience."""
        for placed in place(subject).named("authentication-managed-identity"):
            resource = placed.element.attribute("resource")
            value = (resource.literal or "").strip().rstrip("/").lower() if resource is not None else ""
            if resource is None or not value or "$" in value or value in KNOWN or placed.spec is None:
                continue
            meant = max(sorted(KNOWN), key=lambda known: _likeness(value, known))
            if _likeness(value, meant) >= _NEARLY:
                yield Problem(
                    resource, f'"{resource.literal}" is no audience of Azure', f'did you mean "{meant}"?'
                )


def _likeness(value: str, known: str) -> float:
    host = known.removeprefix("https://")
    if value.removesuffix("/.default") == known or value in {host, f"http://{host}"}:
        return 1
    matcher = SequenceMatcher(None, value, known, autojunk=False)
    return matcher.ratio() if matcher.quick_ratio() >= _NEARLY else 0
