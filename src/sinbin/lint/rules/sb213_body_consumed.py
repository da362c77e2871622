"""SB213: body that is read without being preserved."""

from collections.abc import Iterator

from sinbin.csharp.syntax import Node
from sinbin.lint.context import Context
from sinbin.lint.finding import Edit, Problem, Severity
from sinbin.lint.placed_expression import PlacedExpression
from sinbin.lint.rule import ExpressionRule

_BODIES = frozenset({"context.Request.Body", "context.Response.Body"})
_ENDINGS = frozenset({"return-response"})


def preserves(arguments: Node) -> bool:
    """Whether the call passes something other than false for `preserveContent`."""
    return any(argument.parts[-1].text != "false" for argument in arguments.parts if argument.parts)


def _replaces_body(expression: PlacedExpression) -> bool:
    """Whether the message's body is written anew here, or never used again."""
    around = [element.name for element in expression.element.ancestors()]
    if any(name in _ENDINGS for name in around):
        return True
    other_message = any(name in ("send-request", "send-one-way-request") for name in around)
    if expression.element.name == "set-body" and not other_message:
        body = "context.Request.Body" if expression.section in ("inbound", "backend") else "context.Response.Body"
        return body in "".join(expression.code.split()).replace("?.", ".")
    return False


class BodyConsumed(ExpressionRule):
    """Body that is read without being preserved.

    ## Why
    `Body.As<T>()` consumes the stream: what is read later, or forwarded, is empty. The model then answers 400,
    or the caller gets an empty reply.

    ## Bad
    ```xml
    <set-variable name="prompt" value="@(context.Request.Body.As<string>())" />
    ```

    ## Good
    ```xml
    <set-variable name="prompt" value="@(context.Request.Body.As<string>(preserveContent: true))" />
    ```

    ## Fix
    Pass `preserveContent: true`. Only a `set-body` that writes the new body may consume the old one.
    """

    id = "SB213"
    name = "body-consumed"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/set-body-policy"
    mentions = ("Body",)

    def check(self, expression: PlacedExpression, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        if "Body" not in expression.code or _replaces_body(expression):
            return
        for call in expression.nodes("invocation_expression"):
            function, arguments = call.get("function"), call.get("arguments")
            if function is None or arguments is None:
                continue
            text = "".join(function.text.split()).replace("?.", ".")
            owner, _, method = text.rpartition(".")
            if (
                owner in _BODIES
                and method.startswith(("As<", "AsFormUrlEncodedContent"))
                and not preserves(arguments)
            ):
                empty = not arguments.parts
                start = expression.expression.offset(arguments.start + 1)
                yield Problem(
                    expression.place_of(call),
                    f"`{owner}` is consumed here, so what is read or forwarded later is empty",
                    "pass `preserveContent: true`",
                    (Edit(start, start, "preserveContent: true"),) if empty else (),
                )
