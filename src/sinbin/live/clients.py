"""Clients of Azure Resource Manager: for Azure itself, or for a control plane on this machine."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

from azure.core.credentials import AccessToken
from azure.core.exceptions import (
    ClientAuthenticationError,
    HttpResponseError,
    ResourceNotFoundError,
    ServiceRequestError,
)
from azure.core.pipeline.policies import SansIOHTTPPolicy
from azure.mgmt.cognitiveservices import CognitiveServicesManagementClient

from sinbin.errors import SinbinError

_LOOPBACK = {"127.0.0.1", "localhost", "::1"}


@dataclass(frozen=True, slots=True)
class Target:
    """Where to read: a subscription, in Azure or at an endpoint of this machine."""

    subscription: str
    endpoint: str | None = None
    """None = Azure."""


def target_from(environment: Mapping[str, str] = os.environ) -> Target:
    """Return the target that the variables name, as `sinbin local env` and Pulumi's Azure provider use them.

    Raises:
        SinbinError: no subscription is named, or the endpoint is not on this machine.
    """
    subscription = environment.get("ARM_SUBSCRIPTION_ID") or environment.get("AZURE_SUBSCRIPTION_ID")
    if not subscription:
        raise SinbinError("ARM_SUBSCRIPTION_ID: is not set; set it to the id of your Azure subscription")
    endpoint = environment.get("ARM_ENDPOINT") or None
    if endpoint is not None and urlsplit(endpoint).hostname not in _LOOPBACK:
        raise SinbinError(f"ARM_ENDPOINT: {endpoint} is not on this machine; unset it to read Azure")
    return Target(subscription, endpoint)


def cognitive_services(target: Target) -> CognitiveServicesManagementClient:
    """Return a client for Foundry accounts and deployments."""
    if target.endpoint is None:
        # Importing it takes longer than a local run as a whole.
        from azure.identity import DefaultAzureCredential  # noqa: PLC0415

        return CognitiveServicesManagementClient(DefaultAzureCredential(), target.subscription)
    return CognitiveServicesManagementClient(
        _NoCredential(),
        target.subscription,
        base_url=target.endpoint,
        # azure-core sends tokens over https alone; this client, and no other, sends none.
        authentication_policy=SansIOHTTPPolicy(),
    )


@contextmanager
def told_plainly(what: str) -> Iterator[None]:
    """Turn what Azure answers inside the block into one message that begins with `what`.

    Raises:
        SinbinError: Azure cannot be reached, knows no such thing, or refuses.
    """
    try:
        yield
    except ClientAuthenticationError as error:
        raise SinbinError(f"{what}: Azure takes no credential of this machine; log in with `az login`") from error
    except ResourceNotFoundError as error:
        raise SinbinError(f"{what}: is not there; deploy the stack first (`pulumi up`)") from error
    except ServiceRequestError as error:
        raise SinbinError(f"{what}: cannot be reached ({_first_line(error)})") from error
    except HttpResponseError as error:
        raise SinbinError(f"{what}: Azure answers {error.status_code}: {_first_line(error)}") from error


class _NoCredential:
    """The local control plane asks for none; the client wants an object all the same."""

    def get_token(self, *scopes: str, **options: object) -> AccessToken:  # noqa: ARG002
        return AccessToken("none", 0)


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
