"""SB551: backend that is called over plain http."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from sinbin.lint.context import Context
from sinbin.lint.finding import Edit, Problem, Severity
from sinbin.lint.resource import API, BACKEND, Resource, model_host
from sinbin.lint.rule import ResourceRule


def _is_local(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    return host in ("localhost", "127.0.0.1", "::1") or host.endswith((".local", ".internal", ".svc"))


class PlainHttpBackend(ResourceRule):
    """Backend that is called over plain http.

    ## Why
    Prompts, answers and the token of the managed identity travel readable. Model endpoints do not answer on
    http at all.

    ## Bad
    ```json
    {"type": "Single", "protocol": "http", "url": "http://aoai-a.openai.azure.com/openai"}
    ```

    ## Good
    ```json
    {"type": "Single", "protocol": "http", "url": "https://aoai-a.openai.azure.com/openai"}
    ```

    ## Fix
    Write https. (`protocol: http` stands for HTTP as such and is right.)
    """

    id = "SB551"
    name = "plain-http-backend"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/backends"
    types = (BACKEND, API)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for key in ("url", "serviceUrl"):
            node = resource.get(key)
            if node is None or not isinstance(node.value, str) or not node.known or resource.pool:
                continue
            if node.value.lower().startswith("http://") and not _is_local(node.value):
                secure = f"https://{node.value[len('http://') :]}"
                yield Problem(
                    node,
                    f"{resource.label} is called over plain http",
                    "write https",
                    (Edit(node.start, node.end, f'"{secure}"'),)
                    if '"' not in secure and model_host(secure)
                    else (),
                )
