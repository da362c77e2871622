"""SB169: a header or query parameter that is set to nothing."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place


class HeaderWithoutValue(PolicyRule):
    """A header or query parameter that is set to nothing.

    ## Why
    `set-header` needs a `value`, unless it deletes. With `exists-action="delete"` values are ignored.

    ## Bad
    ```xml
    <set-header name="x-region" exists-action="override" />
    ```

    ## Good
    ```xml
    <set-header name="x-region" exists-action="override"><value>uksouth</value></set-header>
    ```

    ## Fix
    Add `<value>`, or set `exists-action="delete"`.
    """

    id = "SB169"
    name = "header-without-value"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/set-header-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each header without a value, and each deletion with one."""
        for placed in place(subject).named("set-header", "set-query-parameter"):
            action = placed.element.attribute("exists-action")
            if placed.spec is None or (action is not None and action.literal is None) or placed.element.texts:
                continue
            deletes = action is not None and action.value.strip().lower() == "delete"
            values = [child for child in placed.element.elements if child.name == "value"]
            name = placed.element.get("name") or ""
            if not deletes and not placed.element.elements:
                message = f'`{placed.spec.name}` gives "{name}" no value'
                yield Problem(placed.element, message, 'add <value>, or set exists-action="delete"')
            elif deletes and values:
                message = f'`{placed.spec.name}` deletes "{name}" and gives it a value'
                yield Problem(values[0], message, 'delete the value, or set exists-action="override"')
