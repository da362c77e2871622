"""The API Management service with its identity.

Does not own: APIs, backends, products; what the identity may do is granted where it is done.
"""

from dataclasses import dataclass

import pulumi
from pulumi_azure_native import apimanagement

from sinbin.topology import ApiManagement, GatewayLocation


@dataclass(frozen=True, kw_only=True)
class ApiGatewayArgs:
    """Inputs of :class:`ApiGateway`."""

    gateway: ApiManagement
    resource_group_name: pulumi.Input[str]
    tags: dict[str, str]


class ApiGateway(pulumi.ComponentResource):
    """An API Management service that proves who it is with a managed identity."""

    service_id: pulumi.Output[str]
    """ARM id of the service."""
    service_name: pulumi.Output[str]
    """Name of the service, known once it exists."""
    principal_id: pulumi.Output[str]
    """Principal of its system-assigned identity."""
    url: pulumi.Output[str]
    """Where callers reach the gateway, `https://….azure-api.net`."""

    def __init__(self, name: str, args: ApiGatewayArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("sinbin:components:ApiGateway", name, None, opts)
        tier = args.gateway.tier
        service = apimanagement.ApiManagementService(
            name,
            service_name=args.gateway.name,
            resource_group_name=args.resource_group_name,
            location=args.gateway.home.location,
            sku=_sku(tier, args.gateway.home),
            zones=list(args.gateway.home.zones) or None,
            additional_locations=[
                apimanagement.AdditionalLocationArgs(
                    location=place.location, sku=_sku(tier, place), zones=list(place.zones) or None
                )
                for place in args.gateway.additional
            ]
            or None,
            publisher_name=args.gateway.publisher_name,
            publisher_email=args.gateway.publisher_email,
            identity=apimanagement.ApiManagementServiceIdentityArgs(type="SystemAssigned"),
            tags=args.tags,
            opts=pulumi.ResourceOptions(parent=self),
        )
        self.service_id = service.id
        self.service_name = service.name
        self.principal_id = service.identity.principal_id
        self.url = service.gateway_url
        self.register_outputs({"serviceId": self.service_id, "url": self.url})


def _sku(tier: str, place: GatewayLocation) -> apimanagement.ApiManagementServiceSkuPropertiesArgs:
    return apimanagement.ApiManagementServiceSkuPropertiesArgs(name=tier, capacity=place.capacity)
