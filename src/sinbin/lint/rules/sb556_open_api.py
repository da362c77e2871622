"""SB556: aPI that needs no subscription."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import API, Resource
from sinbin.lint.rule import ResourceRule


class OpenApi(ResourceRule):
    """API that needs no subscription.

    ## Why
    Without a required subscription everybody who knows the address may call, unless a policy validates a token.
    Limits per subscription (`rate-limit`, `quota`) do not apply to such calls.

    ## Bad
    ```json
    {"path": "openai", "subscriptionRequired": false}
    ```

    ## Good
    ```json
    {"path": "openai", "subscriptionRequired": true}
    ```

    ## Fix
    Require a subscription, or make sure that a policy validates a token and limits by its claims.
    """

    id = "SB556"
    name = "open-api"
    severity = Severity.NOTE
    source = "https://learn.microsoft.com/azure/api-management/api-management-subscriptions"
    types = (API,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        node = resource.get("subscriptionRequired")
        if node is not None and resource.properties.flag("subscriptionRequired") is False:
            yield Problem(
                node,
                f"{resource.label} needs no subscription: only a policy can tell callers apart",
                "require one, or validate a token in the policy",
            )
