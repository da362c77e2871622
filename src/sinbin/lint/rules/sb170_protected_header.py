"""SB170: a header that cannot be changed."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place

_PROTECTED = frozenset({"connection", "content-length", "keep-alive", "transfer-encoding"})


class ProtectedHeader(PolicyRule):
    """A header that cannot be changed.

    ## Why
    `Connection`, `Content-Length`, `Keep-Alive` and `Transfer-Encoding` cannot be modified or deleted, and
    `Server` cannot be removed.

    ## Bad
    ```xml
    <set-header name="Content-Length" exists-action="delete" />
    ```

    ## Good
    ```xml
    <set-header name="x-powered-by" exists-action="delete" />
    ```

    ## Fix
    Delete the policy.
    """

    id = "SB170"
    name = "protected-header"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/set-header-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each attempt on the message itself; what is sent by send-request is another message."""
        for placed in place(subject).policies("set-header"):
            name = (placed.element.literal("name") or "").strip().lower()
            deletes = (placed.element.get("exists-action") or "").strip().lower() == "delete"
            if name in _PROTECTED or (name == "server" and deletes):
                message = (
                    f"the header `{placed.element.get('name')}` cannot be {'deleted' if deletes else 'changed'}"
                )
                yield Problem(placed.element, message, "delete this `set-header`")
