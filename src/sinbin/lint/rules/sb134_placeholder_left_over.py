"""SB134: a placeholder of another tool is still in the document."""

import re
from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Place, Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.nodes import Attribute
from sinbin.policy.placement import place

_PLACEHOLDER = re.compile(
    r"(?<![{\w])\{[A-Za-z_][\w.\-]*\}(?!\})|[$#]\{[^{}\r\n]*\}|\{%.*?%\}|__[A-Z][A-Z0-9_]*__"
)
# The braces of a URI template are filled in by API Management itself.
_URI_TEMPLATES = frozenset({"template"})


class PlaceholderLeftOver(PolicyRule):
    """A placeholder of another tool is still in the document.

    ## Why
    `{backend-id}`, `${var.pool}` or `{% if %}` mean nothing to API Management: the tool that fills them in has
    not run yet, or forgot one. Everything else in the file is judged.

    ## Bad
    ```xml
    <set-backend-service backend-id="{backend-id}" />
    ```

    ## Good
    ```xml
    <set-backend-service backend-id="pool-chat" />
    ```

    ## Fix
    Judge the rendered document as well, or write a named value `{{name}}`.
    """

    id = "SB134"
    name = "placeholder-left-over"
    severity = Severity.NOTE
    source = "Derived: `{name}` is no syntax of API Management"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each placeholder in a value or between policies, outside of expressions and bodies."""
        for placed in place(subject).all:
            if placed.spec is None or placed.spec.content == "any":
                continue
            for valued in placed.element.valued():
                uri = isinstance(valued, Attribute) and valued.name in _URI_TEMPLATES
                if valued.expressions or uri:
                    continue
                for match in _PLACEHOLDER.finditer(subject.source.code, valued.value_start, valued.value_end):
                    where = Place(match.span(), valued.path)
                    yield Problem(
                        where, f"the placeholder `{match[0][:40]}` is not filled in", "render the template"
                    )
