"""SB462: provisioned deployment that does not go first."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.nodes import Node
from sinbin.lint.rule import StackRule
from sinbin.lint.stack import aliases


def _priority(deployment: Node) -> float:
    value = deployment.number("priority")
    return 1 if value is None else value


class StackPtuBehindPayAsYouGo(StackRule):
    """Provisioned deployment that does not go first.

    ## Why
    Provisioned throughput is paid for whether it is used or not; pay-as-you-go in front of it, or beside it,
    leaves it idle.

    ## Bad
    ```yaml
    deployments:
      - {sku: Standard, tokensPerMinute: 60000, priority: 1}
      - {sku: ProvisionedManaged, capacityUnits: 50, priority: 2}
    ```

    ## Good
    ```yaml
    deployments:
      - {sku: ProvisionedManaged, capacityUnits: 50, priority: 1}
      - {sku: Standard, tokensPerMinute: 60000, priority: 2}
    ```

    ## Fix
    Give the provisioned deployment the lower priority number.
    """

    id = "SB462"
    name = "stack-ptu-behind-pay-as-you-go"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/ai-foundry/openai/concepts/provisioned-throughput"

    def check(self, gateway: Node, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for alias in aliases(gateway):
            deployments = alias.deployments
            paid = [_priority(d) for d in deployments if "Provisioned" not in (d.text("sku") or "Provisioned")]
            for deployment in deployments:
                if "Provisioned" in (deployment.text("sku") or "") and paid and min(paid) <= _priority(deployment):
                    yield Problem(
                        deployment.get("priority") or deployment.get("sku") or deployment,
                        f"the provisioned deployment of {alias.name} does not go before pay-as-you-go",
                        "give it a lower priority number",
                    )
