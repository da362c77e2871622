"""SB454: template that makes several deployments of one account at the same time."""

import re
from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.estate import Estate
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.nodes import Node
from sinbin.lint.resource import Resource
from sinbin.lint.rule import EstateRule


def account_of_template(deployment: Resource) -> str | None:
    """Return what stands for the account in the deployment's name: `aoai-a/chat`, or a format expression."""
    name = deployment.node.get("name")
    if name is None or not isinstance(name.value, str):
        return None
    if name.known:
        return name.value.rpartition("/")[0] or None
    # [format('{0}/{1}', parameters('account'), 'chat')]: the first argument names the account.
    arguments = name.value.split(",")
    return arguments[1].strip() if name.value.startswith("[format('{0}/{1}'") and len(arguments) > 2 else None


def _serial(copied: Node) -> bool:
    return (copied.text("mode") or "").lower() == "serial" and copied.number("batchSize") in (None, 1)


def _waits(deployment: Resource, before: Resource) -> bool:
    listed = deployment.node.get("dependsOn")
    texts = [str(entry.value) for entry in listed.items()] if listed else []
    symbol = before.node.path.rpartition("/")[2]
    wanted = [before.name or "", symbol if not symbol.isdigit() else ""]
    if not before.name and any("deployments" in text for text in texts):
        return True  # the name is computed, and so is what it waits for
    return any(
        re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) for text in texts for name in wanted if name
    )


class ParallelDeployments(EstateRule):
    """Template that makes several deployments of one account at the same time.

    ## Why
    An account takes one change at a time. Deployments that do not wait for each other end in 409
    RequestConflict, "Another operation is being performed on the parent resource", and which of them fails
    changes from run to run.

    ## Bad
    ```json
    {
      "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
      "resources": [
        {"type": "Microsoft.CognitiveServices/accounts/deployments", "name": "aoai-a/chat"},
        {"type": "Microsoft.CognitiveServices/accounts/deployments", "name": "aoai-a/embed"}
      ]
    }
    ```

    ## Good
    ```json
    {
      "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
      "resources": [
        {"type": "Microsoft.CognitiveServices/accounts/deployments", "name": "aoai-a/chat"},
        {
          "type": "Microsoft.CognitiveServices/accounts/deployments",
          "name": "aoai-a/embed",
          "dependsOn": ["[resourceId('Microsoft.CognitiveServices/accounts/deployments', 'aoai-a', 'chat')]"]
        }
      ]
    }
    ```

    ## Fix
    Let each deployment depend on the one before it (`dependsOn`, `dependsOn:` in Pulumi), or copy with `mode:
    serial` and `batchSize: 1`. Accounts may run in parallel.
    """

    id = "SB454"
    name = "parallel-deployments"
    severity = Severity.ERROR
    source = "https://github.com/hashicorp/terraform-provider-azurerm/issues/22607"

    def check(self, estate: Estate, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        previous: dict[str, Resource] = {}
        for deployment in estate.deployments:
            if not deployment.planned or deployment.pulumi is not None:
                continue
            copied = deployment.node.get("copy")
            if copied is not None and not _serial(copied):
                yield Problem(
                    copied,
                    "the copies of this deployment are made at the same time",
                    "set `mode` to serial, `batchSize` to 1",
                )
            account = account_of_template(deployment)
            if account is None:
                continue
            before = previous.get(account)
            if before is not None and not _waits(deployment, before):
                yield Problem(
                    deployment.place,
                    f"{deployment.label} does not wait for {before.label} of the same account: Azure answers 409",
                    "add the deployment before it to `dependsOn`",
                )
            previous[account] = deployment
