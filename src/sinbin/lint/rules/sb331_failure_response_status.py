"""SB331: failure response with a status code that is none."""

from collections.abc import Iterator

from sinbin.lint.breaker import breaker_rules
from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import BACKEND, Resource
from sinbin.lint.rule import ResourceRule

_LOWEST, _HIGHEST = 400, 599


class FailureResponseStatus(ResourceRule):
    """Failure response with a status code that is none.

    ## Why
    `failureResponse.statusCode` is what callers get while a breaker is open or a pool is exhausted; it must be
    100 to 599. A code below 400 would tell callers that their request was answered.

    ## Bad
    ```json
    {"failureResponse": {"statusCode": 200}}
    ```

    ## Good
    ```json
    {"failureResponse": {"statusCode": 429}}
    ```

    ## Fix
    Use 503, or 429 for clients that back off only on that.
    """

    id = "SB331"
    name = "failure-response-status"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/templates/microsoft.apimanagement/service/backends"
    types = (BACKEND,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        places = [resource.get("pool", "failureResponse", "statusCode")]
        places += [rule.node.get("failureResponse", "statusCode") for rule in breaker_rules(resource)]
        for node in places:
            if node is None or not node.known:
                continue
            value = node.number()
            if value is None or not _LOWEST <= value <= _HIGHEST:
                yield Problem(
                    node,
                    f"{node.shown} as the answer of an open breaker is not allowed; {_LOWEST} to {_HIGHEST}",
                    "use 503, or 429",
                )
