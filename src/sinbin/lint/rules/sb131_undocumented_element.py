"""SB131: an element or attribute that only the editor schema knows."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place


class UndocumentedElement(PolicyRule):
    """An element or attribute that only the editor schema knows.

    ## Why
    The schema of the Visual Studio Code extension lists it, the policy reference does not. It may change
    without notice.

    ## Bad
    ```xml
    <llm-token-limit counter-key="a" tokens-per-minute="1000" ignore-prompt="true" />
    ```

    ## Good
    ```xml
    <llm-token-limit counter-key="a" tokens-per-minute="1000" estimate-prompt-tokens="false" />
    ```

    ## Fix
    Prefer what the reference documents.
    """

    id = "SB131"
    name = "undocumented-element"
    severity = Severity.NOTE
    source = "https://github.com/microsoft/vscode-apimanagement/tree/main/resources/policySchemas"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield every element and attribute that is known from the schema alone."""
        for placed in place(subject).all:
            spec = placed.spec
            if spec is None:
                continue
            if not spec.documented:
                yield Problem(
                    placed.element, f"`{spec.name}` is not in the policy reference", "prefer a documented policy"
                )
            for attribute in placed.element.attributes:
                known = spec.attributes.get(attribute.name)
                if known is not None and not known.documented:
                    message = f"`{attribute.name}` of `{spec.name}` is not in the policy reference"
                    yield Problem(attribute, message, "prefer what is documented")
