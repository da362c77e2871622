"""SB553: named value that looks like a secret and is not marked as one."""

import re
from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import NAMED_VALUE, Resource
from sinbin.lint.rule import ResourceRule
from sinbin.lint.secrets import looks_secret

_NAME = re.compile(
    r"(?i)(secret|password|passwd|api-?key|access-?key|connection-?string|token|credential|\bkey\b|-key$)"
)
_HARMLESS = re.compile(
    r"(?i)(tokens?-?per|token-?(limit|quota|endpoint|audience|url)|key-?name|key-?vault|uri$|url$|header)"
)


class SecretInClear(ResourceRule):
    """Named value that looks like a secret and is not marked as one.

    ## Why
    A named value without `secret: true` is shown in the portal, in exports and in traces to everybody who may
    read the service.

    ## Bad
    ```json
    {"displayName": "openai-api-key", "value": "3f1c0c52b0d94f6d8f6e2f0d5a9b7c1e", "secret": false}
    ```

    ## Good
    ```json
    {
      "displayName": "openai-api-key",
      "secret": true,
      "keyVault": {"secretIdentifier": "https://kv.vault.azure.net/secrets/openai"}
    }
    ```

    ## Fix
    Set `secret` to true, better with a reference to Key Vault; for models, use the managed identity and no key
    at all.
    """

    id = "SB553"
    name = "secret-in-clear"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/api-management-howto-properties"
    types = (NAMED_VALUE,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        if resource.properties.flag("secret") or resource.get("keyVault") is not None:
            return
        secret = resource.get("secret")
        if secret is not None and not secret.known:
            return
        name = resource.properties.text("displayName") or resource.name or ""
        value = resource.get("value")
        by_value = value is not None and isinstance(value.value, str) and looks_secret(value.value)
        if (_NAME.search(name) and not _HARMLESS.search(name)) or by_value:
            yield Problem(
                secret or resource.get("displayName") or resource.place,
                f"the named value `{name}` looks like a secret and is readable for all who may read the service",
                "set `secret` to true, or refer to Key Vault",
            )
