"""SB557: openAI API that looks for the key where its clients do not put it."""

import re
from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import API, Resource, names_model_host
from sinbin.lint.rule import ResourceRule

_OPENAI = re.compile(r"(?i)(^|[/_-])(openai|inference|llm|gpt|chat)([/_-]|$)")


def _for_openai_clients(api: Resource, context: Context) -> bool:
    told = any("openai" in client.lower() for client in context.clients)
    return (
        told or names_model_host(api.get("serviceUrl")) or bool(_OPENAI.search(api.properties.text("path") or ""))
    )


class OpenaiKeyHeader(ResourceRule):
    """OpenAI API that looks for the key where its clients do not put it.

    ## Why
    The clients of the OpenAI SDKs for Azure send their key as `api-key`. API Management looks for
    `Ocp-Apim-Subscription-Key` unless it is told otherwise, and answers 401, "missing subscription key".

    ## Bad
    ```json
    {"path": "openai", "subscriptionRequired": true}
    ```

    ## Good
    ```json
    {
      "path": "openai",
      "subscriptionRequired": true,
      "subscriptionKeyParameterNames": {"header": "api-key", "query": "subscription-key"}
    }
    ```

    ## Fix
    Set `subscriptionKeyParameterNames.header` to `api-key`, and drop that header before forwarding when the
    backend uses the managed identity.
    """

    id = "SB557"
    name = "openai-key-header"
    severity = Severity.WARNING
    source = "https://github.com/Azure-Samples/openai-apim-lb/issues/31"
    types = (API,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:
        """Yield what is wrong."""
        if resource.properties.flag("subscriptionRequired") is False or not _for_openai_clients(resource, context):
            return
        if resource.get("subscriptionRequired") is None and not context.clients:
            return
        names = resource.get("subscriptionKeyParameterNames")
        if names is not None and not names.known:
            return
        header = resource.get("subscriptionKeyParameterNames", "header")
        if header is not None and (not header.known or str(header.value).lower() in ("api-key", "authorization")):
            return
        current = header.value if header is not None else "Ocp-Apim-Subscription-Key"
        yield Problem(
            header or resource.get("subscriptionRequired") or resource.place,
            f"{resource.label} takes the key from `{current}`, OpenAI clients send it as `api-key`",
            'set `subscriptionKeyParameterNames.header` to "api-key"',
        )
