"""SB181: a cors policy behind policies that refuse callers."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place

_REFUSING = frozenset(
    {
        "validate-jwt",
        "validate-azure-ad-token",
        "validate-client-certificate",
        "check-header",
        "ip-filter",
        "rate-limit",
        "rate-limit-by-key",
        "quota",
        "quota-by-key",
        "llm-token-limit",
        "azure-openai-token-limit",
        "return-response",
    }
)


class CorsNotFirst(PolicyRule):
    """A cors policy behind policies that refuse callers.

    ## Why
    A preflight request carries no token and no key. When it is checked or counted before `cors` answers it,
    browsers are locked out.

    ## Bad
    ```xml
    <inbound><base /><validate-jwt header-name="Authorization">…</validate-jwt><cors>…</cors></inbound>
    ```

    ## Good
    ```xml
    <inbound><base /><cors>…</cors><validate-jwt header-name="Authorization">…</validate-jwt></inbound>
    ```

    ## Fix
    Make `cors` the first policy of inbound, right behind `<base />`.
    """

    id = "SB181"
    name = "cors-not-first"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/cors-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each cors with a refusing policy in front of it, in the same block."""
        for placed in place(subject).policies("cors"):
            if placed.around is None:
                continue
            before = [
                e for e in placed.around.element.elements if e.start < placed.element.start and e.name in _REFUSING
            ]
            if before:
                message = f"`cors` stands behind `{before[0].name}`, which refuses preflight requests"
                yield Problem(placed.element, message, "make it the first policy of inbound")
