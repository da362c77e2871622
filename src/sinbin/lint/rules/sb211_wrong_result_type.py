"""SB211: expression whose result has not the type that its attribute takes."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.expression_types import result_type
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.placed_expression import PlacedExpression
from sinbin.lint.rule import ExpressionRule
from sinbin.policy import catalogue

_NUMBERS = frozenset({"int", "long", "short", "byte", "double", "decimal", "float"})
_FITTING = {"boolean": frozenset({"bool"}), "integer": _NUMBERS, "number": _NUMBERS}
_WORDS = {"boolean": "true or false", "integer": "a whole number", "number": "a number"}
_PLAIN = _NUMBERS | {"bool", "string", "char", "JObject", "JArray", "DateTime", "Guid", "TimeSpan"}


def _wanted(expression: PlacedExpression) -> str | None:
    """Return the catalogue's type of the attribute, where it is one that a text cannot have."""
    name = expression.attribute
    if name is None:
        return None
    if expression.element.name == "when":
        return "boolean" if name == "condition" else None
    policy = catalogue.policy(expression.element.name)
    attribute = policy.element.attributes.get(name) if policy is not None else None
    kind = attribute.type if attribute is not None else None
    return kind if kind in _FITTING else None


class WrongResultType(ExpressionRule):
    """Expression whose result has not the type that its attribute takes.

    ## Why
    A condition needs a bool, a count or an interval a number. A text of the same look is not converted, and the
    policy fails when the value is needed.

    ## Bad
    ```xml
    <when condition="@(context.Request.Method)">
    ```

    ## Good
    ```xml
    <when condition="@(context.Request.Method == "POST")">
    ```

    ## Fix
    Return the type that the attribute takes: compare, or parse the text.
    """

    id = "SB211"
    name = "wrong-result-type"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/api-management-policy-expressions"

    def check(self, expression: PlacedExpression, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        wanted = _wanted(expression)
        if wanted is None or expression.parsed.root is None:
            return
        found = result_type(expression.parsed.root)
        if found is not None and found.removesuffix("?") not in _FITTING[wanted] and found in _PLAIN:
            yield Problem(
                expression,
                f"`{expression.attribute}` takes {_WORDS[wanted]}, this gives {found}",
                "compare, so that it is true or false" if wanted == "boolean" else "convert it to a number",
            )
