"""SB559: old TLS protocol or cipher switched on."""

import re
from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import SERVICE, Resource
from sinbin.lint.rule import ResourceRule

_OLD = re.compile(r"\.(Tls10|Tls11|Ssl30|TripleDes168)$", re.IGNORECASE)


class OldProtocol(ResourceRule):
    """Old TLS protocol or cipher switched on.

    ## Why
    TLS 1.0 and 1.1, SSL 3.0 and Triple DES are broken or out of support; they are off unless somebody switches
    them on.

    ## Bad
    ```json
    {
      "type": "Microsoft.ApiManagement/service",
      "name": "apim",
      "properties": {
        "customProperties": {"Microsoft.WindowsAzure.ApiManagement.Gateway.Security.Protocols.Tls10": "True"}
      }
    }
    ```

    ## Good
    ```json
    {
      "type": "Microsoft.ApiManagement/service",
      "name": "apim",
      "properties": {
        "customProperties": {"Microsoft.WindowsAzure.ApiManagement.Gateway.Security.Protocols.Tls10": "False"}
      }
    }
    ```

    ## Fix
    Set the property to False, or remove it.
    """

    id = "SB559"
    name = "old-protocol"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/api-management-howto-manage-protocols-ciphers"
    types = (SERVICE,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for key, node in (resource.get("customProperties") or resource.node).members().items():
            if _OLD.search(key) and str(node.value).lower() == "true":
                yield Problem(node, f"{resource.label} accepts {_OLD.search(key)[1]}", "set it to False")  # type: ignore[index]
