"""SB190: a request of a policy's own that has no method or no address."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document

_REQUESTS = frozenset({"send-request", "send-one-way-request"})
_NEEDED = ("set-url", "set-method")


class RequestIncomplete(PolicyRule):
    """A request of a policy's own that has no method or no address.

    ## Why
    A request with mode="new", which is the default, starts from nothing: `set-url` and `set-method` are required.
    Only mode="copy" takes them over from the caller's request.

    ## Bad
    ```xml
    <send-request mode="new" response-variable-name="reply" timeout="10" ignore-error="true">
      <set-url>https://example.com/check</set-url>
    </send-request>
    ```

    ## Good
    ```xml
    <send-request mode="new" response-variable-name="reply" timeout="10" ignore-error="true">
      <set-url>https://example.com/check</set-url>
      <set-method>GET</set-method>
    </send-request>
    ```

    ## Fix
    Say both, or copy the caller's request.
    """

    id = "SB190"
    name = "request-incomplete"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/send-request-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong; an expression or a placeholder may bring in what is missing."""
        for element in subject.walk():
            if element.name not in _REQUESTS:
                continue
            mode = element.attribute("mode")
            if mode is not None and (mode.literal is None or mode.literal.strip().lower() != "new"):
                continue
            present = {child.name for child in element.elements}
            if "include-fragment" in present or any("{" in text.value for text in element.texts):
                continue
            missing = [name for name in _NEEDED if name not in present]
            if missing:
                lacking = " and no ".join(f"`{name}`" for name in missing)
                yield Problem(
                    element,
                    f'`{element.name}` with mode="new" has no {lacking}',
                    f'add {" and ".join(f"`{name}`" for name in missing)}, or take mode="copy"',
                )
