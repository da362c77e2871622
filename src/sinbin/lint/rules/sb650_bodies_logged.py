"""SB650: diagnostics that log bodies of a model's API."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import DIAGNOSTICS, Resource
from sinbin.lint.rule import ResourceRule


class BodiesLogged(ResourceRule):
    """Diagnostics that log bodies of a model's API.

    ## Why
    Logging response bodies makes the gateway hold the answer back: a stream arrives in one lump. Logged prompts
    and answers are also personal data in a place where nobody looks for it.

    ## Bad
    ```json
    {
      "type": "Microsoft.ApiManagement/service/apis/diagnostics",
      "name": "applicationinsights",
      "properties": {"backend": {"response": {"body": {"bytes": 8192}}}}
    }
    ```

    ## Good
    ```json
    {
      "type": "Microsoft.ApiManagement/service/apis/diagnostics",
      "name": "applicationinsights",
      "properties": {"backend": {"response": {"body": {"bytes": 0}}}}
    }
    ```

    ## Fix
    Set the body bytes to 0; for prompts and answers there is the LLM log of its own.
    """

    id = "SB650"
    name = "bodies-logged"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/how-to-server-sent-events"
    types = DIAGNOSTICS

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for side in ("frontend", "backend"):
            for direction in ("request", "response"):
                node = resource.get(side, direction, "body", "bytes")
                value = resource.properties.number(side, direction, "body", "bytes")
                if node is not None and value:
                    harm = "a stream is held back" if direction == "response" else "prompts end up in the log"
                    yield Problem(
                        node,
                        f"{value:g} bytes of every {direction} body are logged at the {side}: {harm}",
                        "set `bytes` to 0",
                    )
