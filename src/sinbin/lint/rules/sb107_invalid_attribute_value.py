"""SB107: an attribute value outside of what the reference allows."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.catalogue import AttributeSpec
from sinbin.policy.document import Document
from sinbin.policy.placement import place
from sinbin.policy.suggest import closest


class InvalidAttributeValue(PolicyRule):
    """An attribute value outside of what the reference allows.

    ## Why
    A number out of range, a word that is not in the list or text where true or false is expected is refused
    when the document is saved, or fails at run time.

    ## Bad
    ```xml
    <retry condition="@(true)" count="60" interval="0"><forward-request /></retry>
    ```

    ## Good
    ```xml
    <retry condition="@(true)" count="3" interval="0"><forward-request /></retry>
    ```

    ## Fix
    Write a value that is allowed. Values with an expression, a named value or a placeholder are not judged.
    """

    id = "SB107"
    name = "invalid-attribute-value"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/api-management-policies"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield every literal value of the wrong type, word or size."""
        for placed in place(subject).all:
            if placed.spec is None:
                continue
            for attribute in placed.element.attributes:
                known = placed.spec.attributes.get(attribute.name)
                if known is None or (known.type == "string" and not known.required):
                    continue
                value = attribute.literal
                if value is None or "$" in value or "%" in value or "__" in value:
                    continue
                expected = _expected(known, value.strip())
                if expected:
                    yield Problem(
                        attribute,
                        f'`{attribute.name}` of `{placed.spec.name}` is "{value}"',
                        f"write {expected}",
                    )


def _expected(known: AttributeSpec, value: str) -> str | None:
    """Return what should stand there instead of `value`; None when it is right."""
    if known.type == "boolean":
        return None if value.lower() in {"true", "false"} else "true or false"
    if known.type == "enum":
        if value in known.values:
            return None
        suggestion = closest(value, known.values)
        return f"{', '.join(known.values)}" + (f"; did you mean {suggestion}?" if suggestion else "")
    if known.type in {"integer", "number"}:
        number = _number(value, known.type)
        if number is None:
            return f"{'a whole' if known.type == 'integer' else 'a'} number{_range(known)}"
        low, high = known.minimum, known.maximum
        if (low is not None and number < low) or (high is not None and number > high):
            return f"a number{_range(known)}"
        return None
    return "a value; it is empty" if known.required and not value and not known.may_be_empty else None


def _number(value: str, kind: str) -> float | None:
    try:
        return int(value) if kind == "integer" else float(value)
    except ValueError:
        return None


def _range(known: AttributeSpec) -> str:
    low, high = known.minimum, known.maximum
    if low is not None and high is not None:
        return f" from {low:g} to {high:g}"
    return f" of at least {low:g}" if low is not None else ""
