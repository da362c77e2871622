"""SB116: a section below the global scope that drops what the broader scopes say."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import SECTIONS, Document, DocumentKind

_ANSWERS = frozenset({"return-response", "mock-response"})


class SectionWithoutBase(PolicyRule):
    """A section below the global scope that drops what the broader scopes say.

    ## Why
    Without `<base />` a section loses the policies of all broader scopes: authentication, limits, logging.
    That is rarely meant. A backend section with a forwarder of its own is right: it replaces the inherited
    one.

    ## Bad
    ```xml
    <inbound><set-backend-service backend-id="pool-chat" /></inbound>
    ```

    ## Good
    ```xml
    <inbound><base /><set-backend-service backend-id="pool-chat" /></inbound>
    ```

    ## Fix
    Put `<base />` at the start of the section, or say in a suppression why it is left out.
    """

    id = "SB116"
    name = "section-without-base"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/api-management-howto-policies"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:
        """Yield each section without base, unless it answers the call itself or there is nothing to inherit."""
        if subject.kind is not DocumentKind.POLICIES or context.scope in {"global", "fragment"}:
            return
        answered = False
        for section in subject.root.elements if subject.root else ():
            if section.name not in SECTIONS:
                continue
            children = {element.name for element in section.elements}
            answered = answered or bool(children & _ANSWERS)
            if "base" in children or answered or section.name == "backend":
                continue
            unknown = any("{" in text.value for text in section.texts)
            if unknown or any(element.name in {"base", "include-fragment"} for element in section.walk()):
                continue
            message = f"{section.name} has no `<base />`: it drops what the broader scopes say"
            yield Problem(section, message, "put `<base />` at the start of the section")
