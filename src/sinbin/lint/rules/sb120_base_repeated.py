"""SB120: two `<base />` in one section."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.nodes import Element
from sinbin.policy.placement import has_alternatives, place


class BaseRepeated(PolicyRule):
    """Two `<base />` in one section.

    ## Why
    `<base />` is replaced by the whole section of the broader scope: twice means that limits count twice and
    requests are sent twice, if the document is accepted at all.

    ## Bad
    ```xml
    <inbound><base /><set-variable name="a" value="b" /><base /></inbound>
    ```

    ## Good
    ```xml
    <inbound><base /><set-variable name="a" value="b" /></inbound>
    ```

    ## Fix
    Keep one `<base />`.
    """

    id = "SB120"
    name = "base-repeated"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/set-edit-policies"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each further base of a section; those in branches exclude each other."""
        seen: dict[str, Element] = {}
        for placed in place(subject).named("base"):
            if placed.section is None or placed.around is None or placed.around.element.name != placed.section:
                continue
            if has_alternatives(placed.around.element):
                continue
            first = seen.setdefault(placed.section, placed.element)
            if first is not placed.element:
                message = f"{placed.section} has a `<base />` in line {first.position.line} already"
                yield Problem(placed.element, message, "keep one of them")
