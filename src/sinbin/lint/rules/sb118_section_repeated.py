"""SB118: a section that stands in the document twice."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import SECTIONS, Document, DocumentKind
from sinbin.policy.nodes import Element
from sinbin.policy.placement import has_alternatives


class SectionRepeated(PolicyRule):
    """A section that stands in the document twice.

    ## Why
    Each section may stand once. The document is refused when it is saved.

    ## Bad
    ```xml
    <policies>
      <inbound>
        <base />
      </inbound>
      <inbound>
        <trace source="a">
          <message>b</message>
        </trace>
      </inbound>
    </policies>
    ```

    ## Good
    ```xml
    <policies><inbound><base /><trace source="a"><message>b</message></trace></inbound></policies>
    ```

    ## Fix
    Join the two.
    """

    id = "SB118"
    name = "section-repeated"
    severity = Severity.ERROR
    source = "https://github.com/microsoft/vscode-apimanagement/blob/main/resources/policySchemas/policies.xsd"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield every further section of a name, save alternatives in a template."""
        seen: dict[str, Element] = {}
        root = subject.root
        if subject.kind is not DocumentKind.POLICIES or root is None or has_alternatives(root):
            return
        for element in root.elements:
            first = seen.setdefault(element.name, element)
            if first is not element and element.name in SECTIONS:
                message = f"`{element.name}` stands in line {first.position.line} already"
                yield Problem(element, message, "join the two sections")
