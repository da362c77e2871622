"""SB202: expression that uses a .NET type which policies may not use."""

from collections.abc import Iterator

from sinbin.csharp.allowed import is_allowed_type
from sinbin.lint.context import Context
from sinbin.lint.expression_names import INTERFACES, type_text
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.placed_expression import PlacedExpression
from sinbin.lint.rule import ExpressionRule

_KEYWORDS = frozenset({"var", "dynamic", "object", "void", "Func", "Action", "Predicate"})


class TypeNotAllowed(ExpressionRule):
    """Expression that uses a .NET type which policies may not use.

    ## Why
    Expressions run with a fixed list of types: no I/O, no tasks, no threads, no reflection, no
    System.Text.Json. A policy with any other type is refused when it is saved.

    ## Bad
    ```xml
    <set-variable name="now" value="@(System.IO.File.ReadAllText("/etc/hostname"))" />
    ```

    ## Good
    ```xml
    <set-variable name="now" value="@(DateTime.UtcNow.ToString("o"))" />
    ```

    ## Fix
    Use a type of the list: Newtonsoft.Json.Linq for JSON, WebUtility for encoding, `send-request` for calls.
    """

    id = "SB202"
    name = "type-not-allowed"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/api-management-policy-expressions#CLRTypes"

    def check(self, expression: PlacedExpression, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for node in expression.csharp.written_types:
            name = type_text(node)
            if not is_allowed_type(name) and name not in INTERFACES and name not in _KEYWORDS:
                yield Problem(
                    expression.place_of(node),
                    f"the type `{name}` is not allowed in policy expressions",
                    "use a type of the documented list",
                )
