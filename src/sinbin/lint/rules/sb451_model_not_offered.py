"""SB451: model, version or SKU that the region does not offer."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.estate import Estate
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.quota import location_of, read_catalogue
from sinbin.lint.rule import EstateRule


class ModelNotOffered(EstateRule):
    """Model, version or SKU that the region does not offer.

    ## Why
    Each region offers its own set of models, versions and SKUs. What is not in it fails with "The specified SKU
    'Standard' for model … is not supported in this region".

    ## Bad
    ```json
    {
      "catalogue": [
        {
          "location": "francecentral",
          "model": "gpt-4o",
          "version": "2024-05-13",
          "skus": ["GlobalStandard"]
        }
      ],
      "deployments": [
        {
          "location": "francecentral",
          "name": "chat",
          "sku": {"name": "Standard", "capacity": 10},
          "properties": {"model": {"name": "gpt-4o", "version": "2024-05-13"}}
        }
      ]
    }
    ```

    ## Good
    ```json
    {
      "catalogue": [
        {
          "location": "francecentral",
          "model": "gpt-4o",
          "version": "2024-05-13",
          "skus": ["GlobalStandard"]
        }
      ],
      "deployments": [
        {
          "location": "francecentral",
          "name": "chat",
          "sku": {"name": "GlobalStandard", "capacity": 10},
          "properties": {"model": {"name": "gpt-4o", "version": "2024-05-13"}}
        }
      ]
    }
    ```

    ## Fix
    Choose from what the region offers, and keep the same version in all regions of a pool. `az
    cognitiveservices model list -l <region>` prints the list.
    """

    id = "SB451"
    name = "model-not-offered"
    severity = Severity.ERROR
    source = "https://github.com/Azure-Samples/azure-search-openai-demo/issues/1840"

    def check(self, estate: Estate, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        offers = read_catalogue(estate)
        for deployment in estate.deployments:
            here = [offer for offer in offers if offer.location == location_of(deployment, estate)]
            model = deployment.get("model", "name")
            version = deployment.get("model", "version")
            sku = deployment.node.get("sku", "name")
            if not here or model is None or not model.known:
                continue
            same = [offer for offer in here if offer.model == model.value]
            if not same:
                names = ", ".join(sorted({offer.model for offer in here}))
                yield Problem(
                    model, f"{model.shown} is not offered in {here[0].location}", f"offered there: {names}"
                )
                continue
            if (
                version is not None
                and version.known
                and version.value not in {None, *(offer.version for offer in same)}
            ):
                versions = ", ".join(sorted({offer.version for offer in same}))
                yield Problem(
                    version,
                    f"version {version.shown} of {model.value} is not offered in {here[0].location}",
                    f"offered there: {versions}",
                )
                continue
            fitting = [offer for offer in same if version is None or offer.version == version.value]
            skus = sorted({name for offer in fitting for name in offer.skus})
            if sku is not None and sku.known and sku.value not in skus:
                yield Problem(
                    sku,
                    f"SKU {sku.shown} is not offered for {model.value} in {here[0].location}",
                    f"offered there: {', '.join(skus) or 'none'}",
                )
