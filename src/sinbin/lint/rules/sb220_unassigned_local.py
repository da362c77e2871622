"""SB220: local variable that is read before it has a value."""

from collections.abc import Iterator

from sinbin.csharp.assignment import unassigned_reads
from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.placed_expression import PlacedExpression
from sinbin.lint.rule import ExpressionRule


class UnassignedLocal(ExpressionRule):
    """Local variable that is read before it has a value.

    ## Why
    C# refuses to compile a block that reads a variable which some path has not given a value (CS0165), so the
    policy is refused.

    ## Bad
    ```xml
    <set-variable name="limit" value="@{
      int limit;
      if (context.Product != null) { limit = 100; }
      return limit;
    }" />
    ```

    ## Good
    ```xml
    <set-variable name="limit" value="@{
      int limit = 10;
      if (context.Product != null) { limit = 100; }
      return limit;
    }" />
    ```

    ## Fix
    Give the variable a value where it is declared, or on every path to the place that reads it.
    """

    id = "SB220"
    name = "unassigned-local"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/dotnet/csharp/language-reference/compiler-messages/cs0165"

    def check(self, expression: PlacedExpression, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        root = expression.parsed.root
        if root is not None and root.kind == "block":
            for name in unassigned_reads(root):
                yield Problem(
                    expression.place_of(name),
                    f"the variable `{name.text}` may have no value here",
                    "give it a value where it is declared",
                )
