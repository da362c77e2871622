"""SB130: text where only elements belong."""

import re
from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place

_PLACEHOLDER = re.compile(r"__\w+__|\$\(|<%|#\w+#|%\w+%")


class TextBetweenPolicies(PolicyRule):
    """Text where only elements belong.

    ## Why
    Sections and containers hold policies, not text. A leftover of editing is refused, or hides that an element
    was meant.

    ## Bad
    ```xml
    <inbound><base /> todo: limit <rate-limit calls="1" renewal-period="60" /></inbound>
    ```

    ## Good
    ```xml
    <inbound><base /><!-- todo: limit --><rate-limit calls="1" renewal-period="60" /></inbound>
    ```

    ## Fix
    Delete the text, or make it a comment.
    """

    id = "SB130"
    name = "text-between-policies"
    severity = Severity.WARNING
    source = "https://github.com/microsoft/vscode-apimanagement/tree/main/resources/policySchemas"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each text outside of elements that take text, save placeholders of a template."""
        for placed in place(subject).all:
            spec = placed.spec
            if spec is None or spec.open or spec.content in {"text", "any"}:
                continue
            for text in placed.element.texts:
                shown = text.value.strip()
                if "{" not in shown and not _PLACEHOLDER.search(shown):
                    yield Problem(
                        text, f'text stands inside `{spec.name}`: "{shown[:40]}"', "delete it, or comment it out"
                    )
