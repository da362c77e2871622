"""SB189: a named value inside a named value."""

import re
from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Place, Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place

_NESTED = re.compile(r"\{\{[\w.\-]*\{\{[\w.\-]+\}\}[\w.\-]*\}\}")


class NestedNamedValue(PolicyRule):
    """A named value inside a named value.

    ## Why
    References are replaced once: a `{{name}}` inside another one is not resolved.

    ## Bad
    ```xml
    <set-backend-service backend-id="{{pool-{{stage}}}}" />
    ```

    ## Good
    ```xml
    <set-backend-service backend-id="{{pool-prod}}" />
    ```

    ## Fix
    Create one named value for each case.
    """

    id = "SB189"
    name = "nested-named-value"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/api-management-howto-properties"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each reference that is built of another one."""
        for placed in place(subject).all:
            for valued in placed.element.valued() if placed.spec is not None else ():
                for match in _NESTED.finditer(subject.source.code, valued.value_start, valued.value_end):
                    where = Place(match.span(), valued.path)
                    yield Problem(where, f"`{match[0]}` is not resolved", "create one named value for each case")
