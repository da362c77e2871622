"""What a region says about its models: lists of models and deployments.

Not modelled: Azure lists every base model of the region, here only those that the account deploys are listed.

Source of the shapes: https://learn.microsoft.com/rest/api/azureopenai/models, read 2026-11-29.
"""

from typing import Any

from sinbin.foundry.account import AccountConfig, DeploymentConfig
from sinbin.foundry.models import model_facts
from sinbin.foundry.replies.errors import front_error

_CREATED = 1_700_000_000
"""Azure gives the day the model was released; any fixed time serves."""


def list_models(account: AccountConfig) -> dict[str, Any]:
    """Return the models that the account deploys, each once."""
    models = {deployment.model: _model(deployment) for deployment in account.deployments.values()}
    return {"object": "list", "data": list(models.values())}


def get_model(account: AccountConfig, name: str) -> dict[str, Any]:
    """Return the model `name` (of a deployment, or a model's own).

    Raises:
        WireError: the account deploys none of that name.
    """
    for deployment in account.deployments.values():
        if name in (deployment.name, deployment.model, f"{deployment.model}-{deployment.version}"):
            return _model(deployment) | {"id": name}
    raise front_error(404, "ModelNotFound", f"The model '{name}' does not exist.")


def list_deployments(account: AccountConfig) -> dict[str, Any]:
    """Return the deployments in the older data-plane shape that gateways use to discover them."""
    data = [
        {
            "id": deployment.name,
            "model": deployment.model,
            "object": "deployment",
            "status": "succeeded",
            "owner": "organization-owner",
            "scale_settings": {"scale_type": "standard"},
            "created_at": _CREATED,
            "updated_at": _CREATED,
        }
        for deployment in account.deployments.values()
    ]
    return {"object": "list", "data": data}


def model_info(deployment: DeploymentConfig) -> dict[str, Any]:
    """Return what Foundry inference says about a deployment."""
    kind = "embeddings" if "embeddings" in model_facts(deployment.model).operations else "chat-completion"
    return {"model_name": deployment.model, "model_type": kind, "model_provider_name": "OpenAI"}


def _model(deployment: DeploymentConfig) -> dict[str, Any]:
    operations = model_facts(deployment.model).operations
    return {
        "id": deployment.model,
        "object": "model",
        "created": _CREATED,
        "created_at": _CREATED,
        "owned_by": "azure",
        "status": "succeeded",
        "lifecycle_status": "generally-available",
        "capabilities": {
            "chat_completion": "chat" in operations,
            "completion": "completions" in operations,
            "embeddings": "embeddings" in operations,
            "fine_tune": False,
            "inference": True,
        },
    }
