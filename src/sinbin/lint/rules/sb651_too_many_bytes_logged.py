"""SB651: diagnostics that ask for more than 8,192 bytes of a body."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import DIAGNOSTICS, Resource
from sinbin.lint.rule import ResourceRule

_MOST = 8_192


class TooManyBytesLogged(ResourceRule):
    """Diagnostics that ask for more than 8,192 bytes of a body.

    ## Why
    The service logs at most 8,192 bytes and refuses a larger number.

    ## Bad
    ```json
    {
      "type": "Microsoft.ApiManagement/service/diagnostics",
      "name": "applicationinsights",
      "properties": {"frontend": {"request": {"body": {"bytes": 65536}}}}
    }
    ```

    ## Good
    ```json
    {
      "type": "Microsoft.ApiManagement/service/diagnostics",
      "name": "applicationinsights",
      "properties": {"frontend": {"request": {"body": {"bytes": 0}}}}
    }
    ```

    ## Fix
    Write a number from 0 to 8192.
    """

    id = "SB651"
    name = "too-many-bytes-logged"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/diagnostic-logs-reference"
    types = DIAGNOSTICS

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for node in resource.properties.walk():
            if (
                node.path.endswith("/body/bytes")
                and (value := node.number()) is not None
                and not 0 <= value <= _MOST
            ):
                yield Problem(node, f"{value:g} bytes are not allowed; 0 to {_MOST}", "write a smaller number")
