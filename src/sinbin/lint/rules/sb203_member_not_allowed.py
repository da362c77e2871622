"""SB203: expression that uses a member which is not there or not allowed."""

from collections.abc import Iterator

from sinbin.csharp.allowed import is_allowed_member, is_allowed_type
from sinbin.lint.context import Context
from sinbin.lint.expression_names import closest, context_members
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.placed_expression import PlacedExpression
from sinbin.lint.rule import ExpressionRule


class MemberNotAllowed(ExpressionRule):
    """Expression that uses a member which is not there or not allowed.

    ## Why
    `context` is documented member by member, and of some .NET types only certain members may be used. A wrong
    name is refused when the policy is saved.

    ## Bad
    ```xml
    <set-variable name="ip" value="@(context.Request.IPAddress)" />
    ```

    ## Good
    ```xml
    <set-variable name="ip" value="@(context.Request.IpAddress)" />
    ```

    ## Fix
    Use the member that the message names; names are case-sensitive.
    """

    id = "SB203"
    name = "member-not-allowed"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/api-management-policy-expressions#ContextVariables"
    mentions = (".",)

    def check(self, expression: PlacedExpression, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for node in expression.nodes("member_access_expression"):
            owner, name = node.get("expression"), node.get("name")
            if owner is None or name is None:
                continue
            path, member = "".join(owner.text.split()), name.text.partition("<")[0].strip()
            known = context_members().get(path)
            if known is not None and member not in known:
                close = closest(member, known)
                yield Problem(
                    expression.place_of(name),
                    f"`{path}` has no `{member}`",
                    f"did you mean `{close}`?" if close else f"known: {', '.join(known)}",
                )
            elif (
                is_allowed_type(path)
                and path not in expression.csharp.locals
                and not is_allowed_member(path, member)
            ):
                yield Problem(
                    expression.place_of(name),
                    f"`{path}.{member}` is not allowed in policy expressions",
                    "use another member",
                )
