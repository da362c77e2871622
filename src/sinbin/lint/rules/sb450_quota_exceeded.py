"""SB450: deployments that together need more quota than is left."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.estate import Estate
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.quota import existing, read_usages
from sinbin.lint.rule import EstateRule


class QuotaExceeded(EstateRule):
    """Deployments that together need more quota than is left.

    ## Why
    Quota is given per subscription, region, SKU and model, in units of 1,000 tokens per minute. Each deployment
    alone may fit while together they do not: the last one fails with InsufficientQuota, after the others were
    made.

    ## Bad
    ```json
    {
      "usages": [
        {
          "location": "eastus2",
          "usageName": "OpenAI.Standard.gpt-4o",
          "limit": 30,
          "currentValue": 10
        }
      ],
      "deployments": [
        {
          "account": "a",
          "location": "eastus2",
          "name": "chat",
          "sku": {"name": "Standard", "capacity": 15},
          "properties": {"model": {"name": "gpt-4o"}}
        },
        {
          "account": "b",
          "location": "eastus2",
          "name": "chat",
          "sku": {"name": "Standard", "capacity": 15},
          "properties": {"model": {"name": "gpt-4o"}}
        }
      ]
    }
    ```

    ## Good
    ```json
    {
      "usages": [
        {
          "location": "eastus2",
          "usageName": "OpenAI.Standard.gpt-4o",
          "limit": 30,
          "currentValue": 10
        }
      ],
      "deployments": [
        {
          "account": "a",
          "location": "eastus2",
          "name": "chat",
          "sku": {"name": "Standard", "capacity": 10},
          "properties": {"model": {"name": "gpt-4o"}}
        },
        {
          "account": "b",
          "location": "eastus2",
          "name": "chat",
          "sku": {"name": "Standard", "capacity": 10},
          "properties": {"model": {"name": "gpt-4o"}}
        }
      ]
    }
    ```

    ## Fix
    Lower the capacities, move one to another region or SKU, ask for quota, or purge soft-deleted accounts,
    which keep theirs. A deployment that exists already is in the current use and is not counted again.
    """

    id = "SB450"
    name = "quota-exceeded"
    severity = Severity.ERROR
    source = "https://github.com/Azure-Samples/azure-search-openai-demo/issues/2091"

    def check(self, estate: Estate, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for usage in read_usages(estate):
            left = usage.limit - usage.used
            wanted = 0.0
            for deployment in estate.deployments:
                if existing(deployment) or not usage.counts(deployment, estate):
                    continue
                capacity = deployment.node.number("sku", "capacity") or 1
                wanted += capacity
                if wanted > left and wanted - capacity <= left:
                    where = f" in {usage.location}" if usage.location else ""
                    yield Problem(
                        deployment.node.get("sku", "capacity") or deployment.place,
                        f"up to here {wanted:g} units of {usage.name} are needed{where}; {left:g} are left"
                        f" (limit {usage.limit:g}, in use {usage.used:g})",
                        f"lower the capacities to {left:g} together, or ask for more quota",
                    )
