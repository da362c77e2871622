"""SB455: deployment capacity that looks like a number of tokens."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import DEPLOYMENT, Resource
from sinbin.lint.rule import ResourceRule

_SUSPICIOUS = 10_000


class CapacityInTokens(ResourceRule):
    """Deployment capacity that looks like a number of tokens.

    ## Why
    Capacity of a pay-as-you-go SKU counts thousands of tokens per minute, that of a provisioned SKU counts PTU.
    60000 therefore asks for 60 million tokens per minute, or is refused for want of quota.

    ## Bad
    ```json
    {"sku": {"name": "Standard", "capacity": 60000}, "properties": {"model": {"name": "gpt-4o"}}}
    ```

    ## Good
    ```json
    {"sku": {"name": "Standard", "capacity": 60}, "properties": {"model": {"name": "gpt-4o"}}}
    ```

    ## Fix
    Divide by 1,000.
    """

    id = "SB455"
    name = "capacity-in-tokens"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/ai-foundry/openai/how-to/quota"
    types = (DEPLOYMENT,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        node = resource.node.get("sku", "capacity")
        value = resource.node.number("sku", "capacity")
        provisioned = "Provisioned" in (resource.node.text("sku", "name") or "")
        if node is not None and value is not None and value >= _SUSPICIOUS and not provisioned:
            yield Problem(
                node,
                f"capacity {value:g} is {value * 1000:,.0f} tokens per minute: it counts thousands",
                f"write {value / 1000:g} for {value:,.0f} tokens per minute",
            )
