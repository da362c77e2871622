"""SB554: backend that carries an API key."""

import re
from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.nodes import Node
from sinbin.lint.resource import BACKEND, Resource
from sinbin.lint.rule import ResourceRule

_KEYS = re.compile(
    r"(?i)^(api-?key|ocp-apim-subscription-key|authorization|x-api-key|x-functions-key|code|sig|key)$"
)
_IN_URL = re.compile(r"(?i)([?&](api-?key|code|sig|subscription-key)=[^&]+|//[^/@\s]+:[^/@\s]+@)")
_NOTHING = Node({}, 0, 0, "")


class KeyInBackend(ResourceRule):
    """Backend that carries an API key.

    ## Why
    A key in the backend's credentials or URL is copied into exports, plans and states, and it works for
    everybody who sees it. The managed identity needs no key and has a role that can be taken away.

    ## Bad
    ```json
    {
      "url": "https://aoai-a.openai.azure.com/openai",
      "protocol": "http",
      "credentials": {"header": {"api-key": ["3f1c0c52b0d94f6d8f6e2f0d5a9b7c1e"]}}
    }
    ```

    ## Good
    ```json
    {
      "url": "https://aoai-a.openai.azure.com/openai",
      "protocol": "http",
      "credentials": {"managedIdentity": {"resource": "https://cognitiveservices.azure.com"}}
    }
    ```

    ## Fix
    Use the managed identity; where a key must be, refer to a secret named value: `{{name}}`.
    """

    id = "SB554"
    name = "key-in-backend"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/backends"
    types = (BACKEND,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for place in ("header", "query"):
            for key, values in (resource.get("credentials", place) or _NOTHING).members().items():
                for value in values.items() or [values]:
                    if isinstance(value.value, str) and value.known and value.value and _KEYS.search(key):
                        yield Problem(
                            value,
                            f"{resource.label} carries a key in clear in the {place} `{key}`",
                            "use the managed identity, or a secret named value",
                        )
        url = resource.get("url")
        if url is not None and isinstance(url.value, str) and url.known and _IN_URL.search(url.value):
            yield Problem(url, f"the URL of {resource.label} carries a key", "use the managed identity")
        parameter = resource.get("credentials", "authorization", "parameter")
        if parameter is not None and isinstance(parameter.value, str) and parameter.known:
            yield Problem(
                parameter,
                f"{resource.label} carries its authorization in clear",
                "use the managed identity, or a secret named value",
            )
