"""Functions of azure-native (`get…`, `list…`) that a program may call; any other is refused by name."""

from collections.abc import Callable
from typing import Any

from sinbin.errors import SinbinError
from sinbin.local.provider import mapping
from sinbin.local.provider.arm import ArmClient
from sinbin.local.provider.types import PULUMI_TYPES, PulumiType

_CLIENT = "00000000-0000-0000-0000-000000000000"


def call(token: str, arm: ArmClient, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return what the function `token` answers.

    Raises:
        SinbinError: the function is not modelled, or what it asks for is not there.
    """
    if token in _FUNCTIONS:
        return _FUNCTIONS[token](arm, arguments)
    package, module, name = token.split(":")
    resource = f"{package}:{module}:{name[3:]}" if name.startswith("get") else ""
    if resource not in PULUMI_TYPES:
        raise SinbinError(
            f'function "{token}" is not modelled by the local azure-native provider; it has '
            f"{', '.join(sorted(_FUNCTIONS))} and `get…` of its resource types"
        )
    kind = PULUMI_TYPES[resource]
    path = _path(token, kind, arm, arguments)
    body = arm.get(path, kind.api_version)
    if body is None:
        raise SinbinError(f"{token}: there is no {path}")
    return {"id": body["id"], **mapping.to_outputs(kind, body)}


def answers_secrets(token: str) -> bool:
    """Return whether what `token` answers is secret: keys and values that a plain `get…` hides."""
    return token.rpartition(":")[2].startswith("list")


def _client_config(arm: ArmClient, arguments: dict[str, Any]) -> dict[str, Any]:
    del arguments
    subscription = arm.get(f"/subscriptions/{arm.subscription}", "2022-12-01") or {}
    return {
        "clientId": _CLIENT,
        "objectId": _CLIENT,
        "subscriptionId": arm.subscription,
        "tenantId": subscription.get("tenantId", ""),
    }


def _action(token: str, action: str) -> Callable[[ArmClient, dict[str, Any]], dict[str, Any]]:
    kind = PULUMI_TYPES[token]

    def post(arm: ArmClient, arguments: dict[str, Any]) -> dict[str, Any]:
        return arm.post(f"{_path(token, kind, arm, arguments)}/{action}", kind.api_version)

    return post


def _path(token: str, kind: PulumiType, arm: ArmClient, arguments: dict[str, Any]) -> str:
    missing = [name for name in kind.parameters if arguments.get(name) is None]
    if missing:
        raise SinbinError(f"{token}: missing required argument `{missing[0]}`")
    return mapping.path_of(kind, arguments, arm.subscription)


_FUNCTIONS: dict[str, Callable[[ArmClient, dict[str, Any]], dict[str, Any]]] = {
    "azure-native:authorization:getClientConfig": _client_config,
    "azure-native:apimanagement:listNamedValue": _action("azure-native:apimanagement:NamedValue", "listValue"),
    "azure-native:apimanagement:listSubscriptionSecrets": _action(
        "azure-native:apimanagement:Subscription", "listSecrets"
    ),
    "azure-native:cognitiveservices:listAccountKeys": _action(
        "azure-native:cognitiveservices:Account", "listKeys"
    ),
}
