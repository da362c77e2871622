"""A Foundry region: the account, its model deployments, and the gateway's right to call them.

Does not own: the gateway, the backends in front of the deployments, networks, keys (local auth is off).
"""

import uuid
from dataclasses import dataclass

import pulumi
from pulumi_azure_native import authorization, cognitiveservices

from sinbin.topology import FoundryAccount, ModelDeployment

_OPENAI_USER_ROLE = "5e0bd9bd-7b93-4f28-af87-19fc36ad61bd"
"""Cognitive Services OpenAI User.

Source: https://learn.microsoft.com/azure/role-based-access-control/built-in-roles, read 2026-11-29.
"""


@dataclass(frozen=True, kw_only=True)
class FoundryRegionArgs:
    """Inputs of :class:`FoundryRegion`."""

    account: FoundryAccount
    resource_group_name: pulumi.Input[str]
    caller_principal_id: pulumi.Input[str]
    """Principal of the gateway's identity, which may call the models."""
    tags: dict[str, str]


class FoundryRegion(pulumi.ComponentResource):
    """The models of one region, callable by the gateway's identity and by nobody's key."""

    account_id: pulumi.Output[str]
    """ARM id of the account."""
    endpoint: pulumi.Output[str]
    """Where the account answers, `https://….cognitiveservices.azure.com/`."""
    grant: pulumi.Resource
    """The role assignment: a backend that exists before it would only collect refusals."""

    def __init__(self, name: str, args: FoundryRegionArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("sinbin:components:FoundryRegion", name, None, opts)
        account = cognitiveservices.Account(
            name,
            account_name=args.account.name,
            resource_group_name=args.resource_group_name,
            location=args.account.region,
            kind="AIServices",
            sku=cognitiveservices.SkuArgs(name="S0"),
            identity=cognitiveservices.IdentityArgs(type=cognitiveservices.ResourceIdentityType.SYSTEM_ASSIGNED),
            properties=cognitiveservices.AccountPropertiesArgs(
                # Tokens of a managed identity are only taken at a subdomain of the account's own.
                custom_sub_domain_name=args.account.subdomain,
                disable_local_auth=True,
                public_network_access="Enabled",
            ),
            tags=args.tags,
            opts=pulumi.ResourceOptions(parent=self),
        )
        previous: pulumi.Resource = account
        for deployment in args.account.deployments:
            # One after the other: Azure answers 409 to a second deployment while the account is still busy.
            previous = self._deployment(deployment, args, account, previous)
        role = f"/providers/Microsoft.Authorization/roleDefinitions/{_OPENAI_USER_ROLE}"
        self.grant = authorization.RoleAssignment(
            f"{name}-openai-user",
            # A name that follows from what is granted, so that a second run finds the first one's assignment.
            role_assignment_name=str(uuid.uuid5(uuid.NAMESPACE_URL, f"{args.account.name}/{_OPENAI_USER_ROLE}")),
            scope=account.id,
            role_definition_id=account.id.apply(lambda account_id: _subscription(account_id) + role),
            principal_id=args.caller_principal_id,
            # Without it Azure looks the principal up in a directory that may not know the new identity yet.
            principal_type=authorization.PrincipalType.SERVICE_PRINCIPAL,
            # The name is taken until the old assignment is gone.
            opts=pulumi.ResourceOptions(parent=self, delete_before_replace=True),
        )
        self.account_id = account.id
        self.endpoint = account.properties.endpoint
        self.register_outputs({"accountId": self.account_id, "endpoint": self.endpoint})

    def _deployment(
        self,
        deployment: ModelDeployment,
        args: FoundryRegionArgs,
        account: cognitiveservices.Account,
        previous: pulumi.Resource,
    ) -> pulumi.Resource:
        resource: pulumi.Resource = cognitiveservices.Deployment(
            deployment.logical_name,
            deployment_name=deployment.name,
            account_name=account.name,
            resource_group_name=args.resource_group_name,
            sku=cognitiveservices.SkuArgs(name=deployment.sku, capacity=deployment.capacity),
            properties=cognitiveservices.DeploymentPropertiesArgs(
                model=cognitiveservices.DeploymentModelArgs(
                    format=deployment.model.format, name=deployment.model.name, version=deployment.model.version
                ),
                version_upgrade_option=deployment.model.upgrade,
            ),
            opts=pulumi.ResourceOptions(parent=self, depends_on=[previous]),
        )
        return resource


def _subscription(resource_id: str) -> str:
    """Return `/subscriptions/ID`, the beginning of every ARM id."""
    return "/".join(resource_id.split("/")[:3])
