"""SB106: a required attribute is missing."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.nodes import Element
from sinbin.policy.placement import attribute_names, place


class MissingAttribute(PolicyRule):
    """A required attribute is missing.

    ## Why
    API Management refuses a document when a required attribute is missing, only when it is saved.

    ## Bad
    ```xml
    <llm-token-limit tokens-per-minute="5000" estimate-prompt-tokens="true" />
    ```

    ## Good
    ```xml
    <llm-token-limit counter-key="a" tokens-per-minute="5000" estimate-prompt-tokens="true" />
    ```

    ## Fix
    Add the attribute.
    """

    id = "SB106"
    name = "missing-attribute"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/api-management-policies"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each element that lacks required attributes, all of them at once."""
        for placed in place(subject).all:
            spec = placed.spec
            if spec is None or spec.open or not spec.attributes:
                continue
            present = attribute_names(placed)
            missing = [name for name, known in spec.attributes.items() if known.required and name not in present]
            if missing and "{" not in _open_tag(placed.element):
                names = " and ".join(f"`{name}`" for name in missing)
                yield Problem(placed.element, f"`{spec.name}` has no {names}", f"add {names}")


def _open_tag(element: Element) -> str:
    """Return the start tag without its attributes: a placeholder left there may bring in any attribute."""
    code, at, rest = element.source.code, element.name_end, ""
    for attribute in element.attributes:
        rest += code[at : attribute.start]
        at = attribute.end
    return rest + code[at : element.open_end]
