"""SB653: diagnostics that log headers with secrets."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.nodes import Node
from sinbin.lint.resource import DIAGNOSTICS, Resource
from sinbin.lint.rule import ResourceRule

_SECRET = frozenset(
    {
        "authorization",
        "api-key",
        "ocp-apim-subscription-key",
        "x-api-key",
        "cookie",
        "set-cookie",
        "proxy-authorization",
    }
)
_NOTHING = Node([], 0, 0, "")


class SecretsLogged(ResourceRule):
    """Diagnostics that log headers with secrets.

    ## Why
    A logged `Authorization` or `api-key` header lets everybody who reads the log call in the caller's name.

    ## Bad
    ```json
    {
      "type": "Microsoft.ApiManagement/service/diagnostics",
      "name": "applicationinsights",
      "properties": {"frontend": {"request": {"headers": ["api-key", "x-request-id"]}}}
    }
    ```

    ## Good
    ```json
    {
      "type": "Microsoft.ApiManagement/service/diagnostics",
      "name": "applicationinsights",
      "properties": {"frontend": {"request": {"headers": ["x-request-id"]}}}
    }
    ```

    ## Fix
    Remove the header from the list, or mask it with `dataMasking`.
    """

    id = "SB653"
    name = "secrets-logged"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/api-management-howto-app-insights"
    types = DIAGNOSTICS

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for side in ("frontend", "backend"):
            for direction in ("request", "response"):
                masked = {
                    (entry.text("value") or "").lower()
                    for entry in (resource.get(side, direction, "dataMasking", "headers") or _NOTHING).items()
                }
                for header in (resource.get(side, direction, "headers") or _NOTHING).items():
                    name = str(header.value).lower()
                    if name in _SECRET and name not in masked:
                        yield Problem(
                            header, f"the header `{header.value}` is logged in clear", "remove it, or mask it"
                        )
