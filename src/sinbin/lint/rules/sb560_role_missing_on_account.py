"""SB560: plan that gives the gateway a role on some accounts of a pool, but not on all."""

import re
from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.estate import Estate
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import ROLE_ASSIGNMENT
from sinbin.lint.rule import EstateRule

_WIDE = re.compile(r"/subscriptions/[^/]+(/resourcegroups/[^/]+)?/?")


class RoleMissingOnAccount(EstateRule):
    """Plan that gives the gateway a role on some accounts of a pool, but not on all.

    ## Why
    Calls that land on the account without the role are answered 401, "Principal does not have access to
    API/Operation". A breaker that counts 429 and 5xx never sees that, so the pool keeps using the member.

    ## Bad
    ```json
    {
      "resources": [
        {
          "type": "azure-native:cognitiveservices:Account",
          "name": "aoai-a",
          "inputs": {"accountName": "aoai-a", "kind": "AIServices"}
        },
        {
          "type": "azure-native:cognitiveservices:Account",
          "name": "aoai-b",
          "inputs": {"accountName": "aoai-b", "kind": "AIServices"}
        },
        {
          "type": "azure-native:authorization:RoleAssignment",
          "name": "r",
          "inputs": {
            "scope": "/subscriptions/s/resourceGroups/g/providers/Microsoft.CognitiveServices/accounts/aoai-a"
          }
        }
      ]
    }
    ```

    ## Good
    ```json
    {
      "resources": [
        {
          "type": "azure-native:cognitiveservices:Account",
          "name": "aoai-a",
          "inputs": {"accountName": "aoai-a", "kind": "AIServices"}
        },
        {
          "type": "azure-native:authorization:RoleAssignment",
          "name": "r",
          "inputs": {
            "scope": "/subscriptions/s/resourceGroups/g/providers/Microsoft.CognitiveServices/accounts/aoai-a"
          }
        }
      ]
    }
    ```

    ## Fix
    Assign Cognitive Services OpenAI User (or a wider data role) to the identity of API Management on every
    account.
    """

    id = "SB560"
    name = "role-missing-on-account"
    severity = Severity.ERROR
    source = "https://github.com/MicrosoftDocs/azure-docs/issues/114370"

    def check(self, estate: Estate, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        scopes = [assignment.properties.text("scope") for assignment in estate.of_type(ROLE_ASSIGNMENT)]
        written = [scope.lower() for scope in scopes if scope]
        if not written or len(written) != len(scopes) or not any("/accounts/" in scope for scope in written):
            return
        for account in estate.accounts:
            if not account.planned or account.name is None:
                continue
            wanted = f"/accounts/{account.name.lower()}"
            if not any(scope.endswith(wanted) or _WIDE.fullmatch(scope) for scope in written):
                yield Problem(
                    account.place,
                    f"no role is assigned on {account.label}, though others have one",
                    "assign Cognitive Services OpenAI User to the gateway's identity here too",
                )
