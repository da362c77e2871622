"""SB461: limits at the gateway that add up to less than the capacity behind it."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.nodes import Node
from sinbin.lint.rule import StackRule
from sinbin.lint.stack import aliases


def _uses(consumer: Node, alias: str) -> bool:
    models = consumer.get("models")
    return models is not None and any(model.value == alias for model in models.items())


class GatewayCapBelowCapacity(StackRule):
    """Limits at the gateway that add up to less than the capacity behind it.

    ## Why
    What no consumer may use is paid for (PTU) or reserved (quota) in vain, and callers are refused at the
    gateway while the regions have room.

    ## Bad
    ```yaml
    models: [{alias: chat, deployments: [{sku: Standard, tokensPerMinute: 60000}]}]
    consumers: [{name: web, models: [chat], tokensPerMinute: 10000}]
    ```

    ## Good
    ```yaml
    models: [{alias: chat, deployments: [{sku: Standard, tokensPerMinute: 60000}]}]
    consumers: [{name: web, models: [chat], tokensPerMinute: 60000}]
    ```

    ## Fix
    Raise the consumers' limits, or deploy less.
    """

    id = "SB461"
    name = "gateway-cap-below-capacity"
    severity = Severity.NOTE
    source = "Derived: limits per consumer add up, https://learn.microsoft.com/azure/api-management/llm-token-limit-policy"

    def check(self, gateway: Node, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for alias in aliases(gateway):
            if not alias.tokens_per_minute:
                continue
            using = [c for c in (gateway.get("consumers") or gateway).items() if _uses(c, alias.name)]
            limits = [consumer.number("tokensPerMinute") for consumer in using]
            allowed = sum(limit for limit in limits if limit is not None)
            if using and None not in limits and allowed < alias.tokens_per_minute:
                yield Problem(
                    alias.node.get("alias") or alias.node,
                    f"consumers may use {allowed:,.0f} of the {alias.tokens_per_minute:,.0f} tokens per minute of"
                    f" {alias.name}",
                    "raise their limits, or deploy less",
                )
