"""The routes of a region: which path means which operation.

    /openai/deployments/{d}/…   dated: need api-version; the deployment is in the path
    /openai/…                   dated: responses, models, deployments, realtime (a WebSocket)
    /openai/v1/…                no api-version; the deployment is the body's `model`
    /models/…                   Foundry inference: api-version, the deployment is the body's `model`

Source: https://learn.microsoft.com/azure/ai-foundry/openai/reference,
https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle and
https://learn.microsoft.com/rest/api/aifoundry/modelinference, read 2026-11-29.
"""

import re
from dataclasses import dataclass
from typing import Literal

Action = Literal[
    "chat",
    "completions",
    "embeddings",
    "responses",
    "stored-response",
    "input-items",
    "models",
    "model",
    "deployments",
    "model-info",
    "realtime",
    "unmodelled",
]


@dataclass(frozen=True, slots=True)
class Route:
    """What a path asks for."""

    action: Action
    methods: tuple[str, ...]
    dated: bool
    """Whether `api-version` is needed."""
    deployment: str | None = None
    item: str | None = None
    """Id of the stored response, name of the model, or name of an operation that is not modelled."""
    foundry: bool = False
    """Whether it is a Foundry inference route, where a header decides about extra parameters."""


_OPERATIONS: dict[str, Action] = {
    "chat/completions": "chat",
    "completions": "completions",
    "embeddings": "embeddings",
}
_UNMODELLED = re.compile(
    r"(?:audio/(?:transcriptions|translations|speech)|images/(?:generations|edits|embeddings)|files|batches|"
    r"fine_tuning/jobs|assistants|threads|vector_stores|evals|realtime/|videos?)\b.*"
)
_DEPLOYMENT = re.compile(r"/openai/deployments/(?P<deployment>[^/]+)/(?P<rest>.+)")
_RESPONSE = re.compile(r"responses/(?P<item>[^/]+)(?P<items>/input_items)?")


def find_route(path: str) -> Route | None:
    """Return the route of `path`; None = the service has no such path."""
    match = _DEPLOYMENT.fullmatch(path)
    if match:
        return _operation(match["rest"], dated=True, deployment=match["deployment"])
    if path.startswith("/openai/v1/"):
        rest = path.removeprefix("/openai/v1/")
        return _operation(rest, dated=False) or _shared(rest, dated=False)
    if path.startswith("/openai/"):
        rest = path.removeprefix("/openai/")
        return Route("deployments", ("GET",), dated=True) if rest == "deployments" else _shared(rest, dated=True)
    if path == "/models/info":
        return Route("model-info", ("GET",), dated=True)
    if path.startswith("/models/"):
        return _operation(path.removeprefix("/models/"), dated=True, foundry=True)
    return None


def _operation(rest: str, *, dated: bool, deployment: str | None = None, foundry: bool = False) -> Route | None:
    if rest in _OPERATIONS and not (foundry and rest == "completions"):
        return Route(_OPERATIONS[rest], ("POST",), dated, deployment, foundry=foundry)
    return (
        Route("unmodelled", ("GET", "POST", "DELETE"), dated, item=rest) if _UNMODELLED.fullmatch(rest) else None
    )


def _shared(rest: str, *, dated: bool) -> Route | None:
    if rest == "responses":
        return Route("responses", ("POST",), dated)
    if rest == "models":
        return Route("models", ("GET",), dated)
    if rest.rstrip("/") == "realtime":
        return Route("realtime", ("GET",), dated)
    if rest.startswith("models/"):
        return Route("model", ("GET",), dated, item=rest.removeprefix("models/"))
    match = _RESPONSE.fullmatch(rest)
    if match and match["items"]:
        return Route("input-items", ("GET",), dated, item=match["item"])
    if match:
        return Route("stored-response", ("GET", "DELETE"), dated, item=match["item"])
    return (
        Route("unmodelled", ("GET", "POST", "DELETE"), dated, item=rest) if _UNMODELLED.fullmatch(rest) else None
    )
