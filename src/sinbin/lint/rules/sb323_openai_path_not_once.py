"""SB323: backend URL and operation that together do not have /openai exactly once."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from sinbin.lint.context import Context
from sinbin.lint.estate import Estate
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.nodes import Node
from sinbin.lint.resource import model_host
from sinbin.lint.rule import EstateRule

_OTHER_SHAPES = ("/models", "/anthropic", "/api/projects")
"""Routes of a Foundry account that have no /openai in them."""


def _times(path: str) -> int:
    return path.lower().split("/").count("openai")


def _joined(url: str, template: Node) -> str:
    return f"{urlsplit(url).path.rstrip('/')}/{str(template.value).lstrip('/')}"


def _fits(url: str, template: Node) -> bool:
    path = _joined(url, template)
    return _times(path) == 1 or path.lower().startswith(_OTHER_SHAPES)


def _corrected(url: str, times: int) -> str:
    return f"{url.rstrip('/')}/openai" if not times else url.rstrip("/").removesuffix("/openai")


class OpenaiPathNotOnce(EstateRule):
    """Backend URL and operation that together do not have /openai exactly once.

    ## Why
    API Management drops the path of the API before it forwards: what reaches the model is the backend's URL and
    the operation's template. With `/openai` only in the API's path it is lost, and the model answers 404
    "Resource not found". With `/openai` in both it is there twice, with the same answer.

    ## Bad
    ```json
    {
      "backend": {"url": "https://aoai-a.openai.azure.com", "protocol": "http"},
      "api": {"path": "openai", "operations": ["/deployments/{deployment-id}/chat/completions"]}
    }
    ```

    ## Good
    ```json
    {
      "backend": {"url": "https://aoai-a.openai.azure.com/openai", "protocol": "http"},
      "api": {"path": "openai", "operations": ["/deployments/{deployment-id}/chat/completions"]}
    }
    ```

    ## Fix
    Put `/openai` into the backend's URL (or `serviceUrl`), or into the operations, not into both.
    """

    id = "SB323"
    name = "openai-path-not-once"
    severity = Severity.ERROR
    source = "https://github.com/Azure-Samples/openai-python-enterprise-logging/issues/6"

    def check(self, estate: Estate, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        targets = [(backend, backend.get("url")) for backend in estate.single_backends]
        targets += [(api, api.get("serviceUrl")) for api in estate.apis]
        for resource, node in targets:
            url = node.value if node is not None and node.known else None
            if node is None or not isinstance(url, str) or model_host(url) is None:
                continue
            wrong = [
                template for api in estate.apis for template in estate.operations(api) if not _fits(url, template)
            ]
            judged = [template for api in estate.apis for template in estate.operations(api)]
            if wrong and len(wrong) == len(judged):
                path = _joined(url, wrong[0])
                times = _times(path)
                yield Problem(
                    node,
                    f"requests reach the model as `{path}`, with `/openai` {'twice' if times else 'missing'}",
                    f"change the URL of {resource.label} to {_corrected(url, times)}",
                )
