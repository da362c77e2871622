"""SB558: account without a custom subdomain that takes no keys."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import ACCOUNT, Resource
from sinbin.lint.rule import ResourceRule


class NoSubdomain(ResourceRule):
    """Account without a custom subdomain that takes no keys.

    ## Why
    Tokens of Microsoft Entra are only accepted at an account's custom subdomain. Without one and with keys off,
    nobody can call the account.

    ## Bad
    ```json
    {
      "type": "Microsoft.CognitiveServices/accounts",
      "kind": "AIServices",
      "name": "aoai-a",
      "properties": {"disableLocalAuth": true}
    }
    ```

    ## Good
    ```json
    {
      "type": "Microsoft.CognitiveServices/accounts",
      "kind": "AIServices",
      "name": "aoai-a",
      "properties": {"disableLocalAuth": true, "customSubDomainName": "aoai-a"}
    }
    ```

    ## Fix
    Set `customSubDomainName`; it cannot be changed later.
    """

    id = "SB558"
    name = "no-subdomain"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/ai-services/cognitive-services-custom-subdomains"
    types = (ACCOUNT,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        if resource.properties.flag("disableLocalAuth") and resource.get("customSubDomainName") is None:
            yield Problem(
                resource.get("disableLocalAuth") or resource.place,
                f"{resource.label} takes no keys and has no custom subdomain, so nobody can call it",
                "set `customSubDomainName`",
            )
