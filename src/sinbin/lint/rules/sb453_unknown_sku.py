"""SB453: deployment SKU that does not exist."""

import re
from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Edit, Problem, Severity
from sinbin.lint.resource import DEPLOYMENT, Resource
from sinbin.lint.rule import ResourceRule

_SKUS = (
    "Standard",
    "GlobalStandard",
    "DataZoneStandard",
    "ProvisionedManaged",
    "GlobalProvisionedManaged",
    "DataZoneProvisionedManaged",
    "GlobalBatch",
    "DataZoneBatch",
    "DeveloperTier",
)


class UnknownSku(ResourceRule):
    """Deployment SKU that does not exist.

    ## Why
    The names are one word each: `GlobalStandard`, not `Global-Standard` as pages and portals write it. A wrong
    name is refused, or taken for one that the region does not offer.

    ## Bad
    ```json
    {
      "sku": {"name": "Global-Standard", "capacity": 10},
      "properties": {"model": {"name": "gpt-4o"}}
    }
    ```

    ## Good
    ```json
    {"sku": {"name": "GlobalStandard", "capacity": 10}, "properties": {"model": {"name": "gpt-4o"}}}
    ```

    ## Fix
    Use one of the names that the message lists.
    """

    id = "SB453"
    name = "unknown-sku"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/ai-foundry/foundry-models/concepts/deployment-types"
    types = (DEPLOYMENT,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        sku = resource.node.get("sku", "name") or resource.get("sku", "name")
        if sku is None or not isinstance(sku.value, str) or not sku.known or sku.value in _SKUS:
            return
        bare = re.sub(r"[^a-z]", "", sku.value.lower())
        meant = next((name for name in _SKUS if name.lower() == bare), None)
        yield Problem(
            sku,
            f"there is no deployment SKU {sku.shown}",
            f"write {meant}" if meant else f"use one of {', '.join(_SKUS)}",
            (Edit(sku.start, sku.end, f'"{meant}"'),) if meant else (),
        )
