"""SB208: context variable that is read as another type than it was set with."""

from collections.abc import Iterator, Sequence

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.inherited import inherited_types
from sinbin.lint.placed_expression import PlacedExpression
from sinbin.lint.rule import ExpressionRule
from sinbin.lint.stored_types import fits, repair
from sinbin.lint.variables import Write


def _where(writes: Sequence[Write]) -> str:
    if not writes:
        return "by a fragment or a broader scope"
    value = writes[0].value
    if value is not None and not value.expressions:
        return f'the literal value="{value.value}" is text'
    return f"set by `{writes[0].element.name}`"


def _advice(writes: Sequence[Write], wanted: str) -> str:
    value = writes[0].value if writes else None
    if value is not None and value.literal is not None and wanted in ("int", "bool", "double", "long"):
        return f'set it with value="@({value.value})", or convert instead of casting'
    return "convert instead of casting, for example with `Convert` or `ToString()`"


class CastFails(ExpressionRule):
    """Context variable that is read as another type than it was set with.

    ## Why
    A literal `value` makes a string, whatever it looks like, and a cast does not convert: `(int)` of a string
    throws "Specified cast is not valid". Behind `&&` that stays hidden until the first 429, when the caller
    gets an error 500 instead of the next region.

    ## Bad
    ```xml
    <set-variable name="left" value="1" />
    <retry condition="@(context.Response != null && (int)context.Variables["left"] > 0)" count="2" interval="0">
    ```

    ## Good
    ```xml
    <set-variable name="left" value="@(1)" />
    <retry condition="@(context.Response != null && (int)context.Variables["left"] > 0)" count="2" interval="0">
    ```

    ## Fix
    Set the variable with an expression of the right type (`@(1)`), or convert instead of casting (`int.Parse`,
    `Convert.ToInt32`).
    """

    id = "SB208"
    name = "cast-fails"
    severity = Severity.ERROR
    source = "https://github.com/Azure-Samples/openai-apim-lb/issues/13"
    mentions = ("Variables",)

    def check(self, expression: PlacedExpression, context: Context) -> Iterator[Problem]:
        """Yield what is wrong."""
        variables = expression.siblings.variables
        for read in variables.reads_in(expression):
            if read.type is None:
                continue
            writes = variables.writes.get(read.name, ())
            types = {write.type for write in writes} | inherited_types(expression.policy, context, read.name)
            if not types or None in types or any(fits(stored, read.type) for stored in types if stored):
                continue
            stored = " or ".join(sorted(stored for stored in types if stored))
            yield Problem(
                expression.place_of(read.node),
                f'"{read.name}" is stored as {stored} ({_where(writes)}), so reading it as {read.type} throws',
                _advice(writes, read.type),
                repair(variables, read),
            )
