"""SB555: backend whose managed identity asks for a token of the wrong audience."""

from collections.abc import Iterator

from sinbin.lint.breaker import serves_models
from sinbin.lint.context import Context
from sinbin.lint.finding import Edit, Problem, Severity
from sinbin.lint.resource import BACKEND, Resource
from sinbin.lint.rule import ResourceRule

_AUDIENCES = ("https://cognitiveservices.azure.com", "https://ai.azure.com")


class WrongAudience(ResourceRule):
    """Backend whose managed identity asks for a token of the wrong audience.

    ## Why
    The token is fetched without complaint and refused by the model with 401, "audience is incorrect
    (https://cognitiveservices.azure.com)". API Management's own logs show nothing.

    ## Bad
    ```json
    {
      "url": "https://aoai-a.openai.azure.com/openai",
      "protocol": "http",
      "credentials": {"managedIdentity": {"resource": "https://management.azure.com/"}}
    }
    ```

    ## Good
    ```json
    {
      "url": "https://aoai-a.openai.azure.com/openai",
      "protocol": "http",
      "credentials": {"managedIdentity": {"resource": "https://cognitiveservices.azure.com"}}
    }
    ```

    ## Fix
    Use https://cognitiveservices.azure.com for account endpoints, https://ai.azure.com for routes of a Foundry
    project.
    """

    id = "SB555"
    name = "wrong-audience"
    severity = Severity.ERROR
    source = "https://github.com/Azure/azure-sdk-for-python/issues/40260"
    types = (BACKEND,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:
        """Yield what is wrong."""
        node = resource.get("credentials", "managedIdentity", "resource")
        if (
            node is None
            or not isinstance(node.value, str)
            or not node.known
            or not serves_models(resource, context)
        ):
            return
        if node.value.rstrip("/").lower() not in _AUDIENCES:
            yield Problem(
                node,
                f"{node.shown} is no audience that a model endpoint accepts",
                f"use {_AUDIENCES[0]} (routes of a Foundry project: {_AUDIENCES[1]})",
                (Edit(node.start, node.end, f'"{_AUDIENCES[0]}"'),),
            )
