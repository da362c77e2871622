"""SB207: context variable that is read but set nowhere before."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.expression_names import closest
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.inherited import inherited_variables
from sinbin.lint.null_flow import is_guarded
from sinbin.lint.placed_expression import PlacedExpression
from sinbin.lint.rule import ExpressionRule


def _sets_unseen(expression: PlacedExpression, context: Context) -> bool:
    """Whether the variable may be set out of sight.

    By a fragment that nobody gave, or, in a fragment or at a broad scope, by the narrower policy around it: what
    stands before its `<base />` runs first.
    """
    known = context.fragments or {}
    included = expression.policy.named("include-fragment")
    broad = context.scope not in ("api", "operation")
    return (
        expression.section is None
        or broad
        or any((element.get("fragment-id") or "") not in known for element in included)
    )


class VariableNeverSet(ExpressionRule):
    """Context variable that is read but set nowhere before.

    ## Why
    `context.Variables["x"]` throws when x was not set. A misspelt name shows only when a request comes that
    way, as an error 500.

    ## Bad
    ```xml
    <set-variable name="left" value="@(2)" />
    <set-variable name="more" value="@((int)context.Variables["lefts"] > 0)" />
    ```

    ## Good
    ```xml
    <set-variable name="left" value="@(2)" />
    <set-variable name="more" value="@((int)context.Variables["left"] > 0)" />
    ```

    ## Fix
    Correct the name, set the variable before, or read it with `GetValueOrDefault`. A variable that another
    scope sets: test with `ContainsKey`, or suppress the finding with that reason.
    """

    id = "SB207"
    name = "variable-never-set"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/api-management-policy-expressions"
    mentions = ("Variables",)

    def check(self, expression: PlacedExpression, context: Context) -> Iterator[Problem]:
        """Yield what is wrong."""
        root = expression.parsed.root
        if (
            root is None
            or "Variables[" not in "".join(expression.code.split())
            or _sets_unseen(expression, context)
        ):
            return
        variables = expression.siblings.variables
        for read in variables.reads_in(expression):
            if read.defaulted:
                continue
            writes = variables.writes.get(read.name, ())
            if any(write.when < read.when for write in writes) or read.name in inherited_variables(context):
                continue
            if is_guarded(root, read.access):
                continue
            close = closest(read.name, list(variables.writes))
            yield Problem(
                expression.place_of(read.access),
                f'the variable "{read.name}" is ' + ("set only later" if writes else "set nowhere in this policy"),
                "set it before"
                if writes
                else f'did you mean "{close}"?'
                if close
                else "set it before, or read it with `context.Variables.GetValueOrDefault`",
            )
