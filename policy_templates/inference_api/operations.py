"""The operations of the inference API: what callers may send, in the shapes of the OpenAI clients.

The policy tells operations apart by these ids. Source of the shapes: openai-python 3.3.1, read 2026-11-29.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation below the API's path `openai`."""

    id: str
    title: str
    method: Literal["GET", "POST", "DELETE"]
    url_template: str

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of the parameters in the URL template."""
        return tuple(part[1:-1] for part in self.url_template.split("/") if part.startswith("{"))


OPERATIONS = (
    Operation("chat-completions", "Chat completions", "POST", "/deployments/{deployment-id}/chat/completions"),
    Operation("completions", "Completions", "POST", "/deployments/{deployment-id}/completions"),
    Operation("embeddings", "Embeddings", "POST", "/deployments/{deployment-id}/embeddings"),
    Operation("v1-chat-completions", "Chat completions, v1", "POST", "/v1/chat/completions"),
    Operation("v1-embeddings", "Embeddings, v1", "POST", "/v1/embeddings"),
    Operation("v1-responses-create", "Create a response", "POST", "/v1/responses"),
    Operation("v1-responses-get", "Get a response", "GET", "/v1/responses/{response-id}"),
    Operation("v1-responses-delete", "Delete a response", "DELETE", "/v1/responses/{response-id}"),
    Operation(
        "v1-responses-input-items", "Inputs of a response", "GET", "/v1/responses/{response-id}/input_items"
    ),
    Operation("v1-models", "Models of this gateway", "GET", "/v1/models"),
)
"""More specific templates are told apart by API Management itself."""
