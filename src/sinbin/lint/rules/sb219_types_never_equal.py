"""SB219: comparison of a number with a text, or of another pair that C# does not compare."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.expression_types import type_of
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.placed_expression import PlacedExpression
from sinbin.lint.rule import ExpressionRule

_COMPARING = frozenset({"==", "!=", "<", ">", "<=", ">="})
_GROUPS = {
    "string": "text",
    "bool": "truth",
    **dict.fromkeys(("int", "long", "short", "byte", "double", "float", "decimal", "char"), "number"),
}


class TypesNeverEqual(ExpressionRule):
    """Comparison of a number with a text, or of another pair that C# does not compare.

    ## Why
    C# converts nothing here: a status code is an int, a header is a string, and comparing the two does not
    compile. The policy is refused when it is saved, or fails at its first use.

    ## Bad
    ```xml
    <when condition="@(context.Response.StatusCode == "429")">
    ```

    ## Good
    ```xml
    <when condition="@(context.Response.StatusCode == 429)">
    ```

    ## Fix
    Compare with the same type: drop the quotes, or convert one side.
    """

    id = "SB219"
    name = "types-never-equal"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/api-management-policy-expressions"
    mentions = ("==", "!=", "<", ">")

    def check(self, expression: PlacedExpression, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for node in expression.nodes("binary_expression"):
            left, right, operator = node.get("left"), node.get("right"), node.get("operator")
            if left is None or right is None or operator is None or operator.kind not in _COMPARING:
                continue
            one, other = type_of(left), type_of(right)
            if one is None or other is None:
                continue
            groups = {_GROUPS.get(one.removesuffix("?")), _GROUPS.get(other.removesuffix("?"))}
            if None not in groups and len(groups) > 1:
                yield Problem(
                    expression.place_of(node),
                    f"`{left.text}` is {one}, `{right.text}` is {other}: C# does not compare them",
                    "compare with the same type, or convert one side",
                )
