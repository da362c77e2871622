"""SB550: account that still takes API keys."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import ACCOUNT, Resource
from sinbin.lint.rule import ResourceRule


class LocalAuthEnabled(ResourceRule):
    """Account that still takes API keys.

    ## Why
    Whoever has a key of the account goes past the gateway: no limits, no metrics, no breaker, and nobody can
    tell who it was. Keys do not expire. `disableLocalAuth` is false when it is left out.

    ## Bad
    ```json
    {
      "type": "Microsoft.CognitiveServices/accounts",
      "kind": "AIServices",
      "name": "aoai-a",
      "properties": {"customSubDomainName": "aoai-a"}
    }
    ```

    ## Good
    ```json
    {
      "type": "Microsoft.CognitiveServices/accounts",
      "kind": "AIServices",
      "name": "aoai-a",
      "properties": {"customSubDomainName": "aoai-a", "disableLocalAuth": true}
    }
    ```

    ## Fix
    Set `disableLocalAuth` to true and give the gateway's identity a role on the account.
    """

    id = "SB550"
    name = "local-auth-enabled"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/ai-services/disable-local-auth"
    types = (ACCOUNT,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        node = resource.get("disableLocalAuth")
        if (node is not None and not node.known) or resource.properties.flag("disableLocalAuth"):
            return
        yield Problem(
            node or resource.place,
            f"{resource.label} takes API keys, with which callers go past the gateway",
            "set `disableLocalAuth` to true and use the managed identity of API Management",
        )
