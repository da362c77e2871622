"""SB456: one model in different versions, in deployments of the same name."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.estate import Estate, account_name
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import Resource
from sinbin.lint.rule import EstateRule


class VersionsDiffer(EstateRule):
    """One model in different versions, in deployments of the same name.

    ## Why
    Failover then changes the model that answers: other wording, other limits, other support for tools. It
    happens when one region does not yet offer the version of the others.

    ## Bad
    ```json
    [
      {
        "account": "a",
        "name": "chat",
        "sku": {"name": "Standard", "capacity": 10},
        "properties": {"model": {"name": "gpt-4o", "version": "2024-05-13"}}
      },
      {
        "account": "b",
        "name": "chat",
        "sku": {"name": "Standard", "capacity": 10},
        "properties": {"model": {"name": "gpt-4o", "version": "2024-08-06"}}
      }
    ]
    ```

    ## Good
    ```json
    [
      {
        "account": "a",
        "name": "chat",
        "sku": {"name": "Standard", "capacity": 10},
        "properties": {"model": {"name": "gpt-4o", "version": "2024-08-06"}}
      },
      {
        "account": "b",
        "name": "chat",
        "sku": {"name": "Standard", "capacity": 10},
        "properties": {"model": {"name": "gpt-4o", "version": "2024-08-06"}}
      }
    ]
    ```

    ## Fix
    Use a version that all the regions offer.
    """

    id = "SB456"
    name = "versions-differ"
    severity = Severity.WARNING
    source = "Derived: a pool answers with whichever member is chosen, https://learn.microsoft.com/azure/api-management/backends"

    def check(self, estate: Estate, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        first: dict[tuple[str, str], Resource] = {}
        for deployment in estate.deployments:
            model, version = (
                deployment.properties.text("model", "name"),
                deployment.properties.text("model", "version"),
            )
            if not model or not version or not deployment.name:
                continue
            other = first.setdefault((deployment.name, model), deployment)
            expected = other.properties.text("model", "version")
            if version != expected:
                where = account_name(other) or "another account"
                yield Problem(
                    deployment.get("model", "version") or deployment.place,
                    f"`{deployment.name}` is {model} {version} here and {expected} in {where}",
                    "use one version in all regions",
                )
