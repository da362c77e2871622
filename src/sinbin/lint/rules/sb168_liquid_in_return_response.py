"""SB168: a Liquid template where there is no body to read."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place


class LiquidInReturnResponse(PolicyRule):
    """A Liquid template where there is no body to read.

    ## Why
    Inside `return-response` a Liquid template sees an empty body.

    ## Bad
    ```xml
    <return-response><set-body template="liquid">{"name": "{{body.name}}"}</set-body></return-response>
    ```

    ## Good
    ```xml
    <return-response>
      <set-body>@(context.Request.Body.As&lt;string&gt;(preserveContent: true))</set-body>
    </return-response>
    ```

    ## Fix
    Use an expression.
    """

    id = "SB168"
    name = "liquid-in-return-response"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/set-body-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each template inside return-response that reads the body."""
        for placed in place(subject).named("set-body"):
            around = placed.around
            template = placed.element.attribute("template")
            if around is None or around.element.name != "return-response" or template is None:
                continue
            if template.value == "liquid" and "body" in placed.element.text:
                message = "a Liquid template inside `return-response` reads an empty body"
                yield Problem(template, message, "use a policy expression")
