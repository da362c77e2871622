"""SB452: model deployment whose version can change by itself."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.estate import Estate
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import EstateRule


class UnpinnedModel(EstateRule):
    """Model deployment whose version can change by itself.

    ## Why
    Without a version the service picks its default; without `versionUpgradeOption` it upgrades when a new
    default appears (OnceNewDefaultVersionAvailable). Regions upgrade on different days, so the members of a
    pool answer differently for a while, and the next plan wants to change what nobody touched.

    ## Bad
    ```json
    {
      "sku": {"name": "Standard", "capacity": 10},
      "properties": {"model": {"format": "OpenAI", "name": "gpt-4o"}}
    }
    ```

    ## Good
    ```json
    {
      "sku": {"name": "Standard", "capacity": 10},
      "properties": {
        "model": {"format": "OpenAI", "name": "gpt-4o", "version": "2024-08-06"},
        "versionUpgradeOption": "NoAutoUpgrade"
      }
    }
    ```

    ## Fix
    Set the version and choose the option on purpose. Pinned with NoAutoUpgrade means a hard stop when the
    version is retired: note that date.
    """

    id = "SB452"
    name = "unpinned-model"
    severity = Severity.WARNING
    source = "https://github.com/hashicorp/terraform-provider-azurerm/issues/22520"

    def check(self, estate: Estate, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        # Beside usages or a catalogue stands only what the question of quota needs.
        abridged = estate.root.get("usages") is not None or estate.root.get("catalogue") is not None
        for deployment in estate.deployments:
            model = deployment.get("model")
            if model is None or not model.members():
                continue
            name = model.text("name") or "the model"
            option = deployment.get("versionUpgradeOption")
            version = model.get("version")
            if version is None or version.value in (None, ""):
                yield Problem(
                    model, f"{name} has no version: the service takes its default of the day", "add `version`"
                )
            elif (option is None or option.value is None) and not abridged:
                yield Problem(
                    version,
                    f"{name} has no `versionUpgradeOption`, so it is upgraded when a new default appears",
                    'set `versionUpgradeOption`, for example to "NoAutoUpgrade"',
                )
