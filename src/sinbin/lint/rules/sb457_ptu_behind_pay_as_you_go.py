"""SB457: pool that prefers pay-as-you-go over provisioned throughput."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.estate import Estate
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import Resource
from sinbin.lint.rule import EstateRule


def _provisioned(estate: Estate, backend: Resource) -> bool | None:
    """Return whether all deployments behind the backend are provisioned; None when the file does not tell."""
    skus = [deployment.node.text("sku", "name") for deployment in estate.deployments_behind(backend)]
    if not skus or None in skus:
        return None
    return all("Provisioned" in str(sku) for sku in skus)


class PtuBehindPayAsYouGo(EstateRule):
    """Pool that prefers pay-as-you-go over provisioned throughput.

    ## Why
    Provisioned throughput is paid for whether it is used or not. With the pay-as-you-go deployment first, the
    reserved units idle until the other is full.

    ## Bad
    ```json
    [
      {
        "account": "aoai-a",
        "name": "ptu",
        "sku": {"name": "ProvisionedManaged", "capacity": 50},
        "properties": {"model": {"name": "gpt-4o"}}
      },
      {
        "account": "aoai-a",
        "name": "payg",
        "sku": {"name": "Standard", "capacity": 60},
        "properties": {"model": {"name": "gpt-4o"}}
      },
      {
        "name": "b-ptu",
        "properties": {"url": "https://aoai-a.openai.azure.com/openai/deployments/ptu", "protocol": "http"}
      },
      {
        "name": "b-payg",
        "properties": {"url": "https://aoai-a.openai.azure.com/openai/deployments/payg", "protocol": "http"}
      },
      {
        "name": "pool",
        "properties": {
          "type": "Pool",
          "pool": {
            "services": [{"id": "/backends/b-payg", "priority": 1}, {"id": "/backends/b-ptu", "priority": 2}]
          }
        }
      }
    ]
    ```

    ## Good
    ```json
    [
      {
        "name": "pool",
        "properties": {
          "type": "Pool",
          "pool": {
            "services": [{"id": "/backends/b-ptu", "priority": 1}, {"id": "/backends/b-payg", "priority": 2}]
          }
        }
      }
    ]
    ```

    ## Fix
    Give the provisioned members the lower priority number; pay-as-you-go takes the overflow.
    """

    id = "SB457"
    name = "ptu-behind-pay-as-you-go"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/ai-foundry/openai/concepts/provisioned-throughput"

    def check(self, estate: Estate, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for pool in estate.pools:
            members = [(m, _provisioned(estate, m.backend)) for m in estate.members(pool) if m.backend is not None]
            paid = [member.priority for member, provisioned in members if provisioned is False]
            for member, provisioned in members:
                if provisioned and paid and min(paid) <= member.priority:
                    yield Problem(
                        member.node.get("priority") or member.node,
                        f"`{member.name}` is provisioned but does not go before pay-as-you-go in {pool.label}",
                        "give it a lower priority number than theirs",
                    )
