"""What a stack consists of: which components, in which order, and what it tells at the end."""

import copy

import pulumi
from pulumi.runtime import register_stack_transformation
from pulumi_azure_native import resources

from components.api_gateway import ApiGateway, ApiGatewayArgs
from components.backend import Backend, BackendArgs
from components.backend_pool import BackendPool, BackendPoolArgs
from components.consumer import Consumer, ConsumerArgs
from components.foundry_region import FoundryRegion, FoundryRegionArgs
from components.inference_api import InferenceApi, InferenceApiArgs
from components.monitoring import Monitoring, MonitoringArgs
from policy_templates import API_ID, named_values, render_policies
from sinbin.errors import SinbinError
from sinbin.settings import parse_settings
from sinbin.topology import Topology


def main() -> None:
    """Deploy what the configuration of the selected stack describes."""
    stack = pulumi.get_stack()
    raw = {
        "environment": stack,
        "location": pulumi.Config("azure-native").get("location"),
        **pulumi.Config("sinbin").require_object("gateway"),
    }
    try:
        deploy(parse_settings(raw, source=f"stacks/Pulumi.{stack}.yaml").to_topology())
    except SinbinError as error:
        # Pulumi prints a RunError without a traceback: it is the configuration that needs a change.
        raise pulumi.RunError(str(error)) from error


def deploy(topology: Topology) -> None:
    """Declare every resource of `topology`, and export where the gateway answers and who may call it."""
    register_stack_transformation(_without_aliases)
    tags = dict(topology.tags)
    # What takes long to come back, or is bought: not what a change of routing has to be able to replace.
    keep = pulumi.ResourceOptions(protect=topology.protect)
    group = resources.ResourceGroup(
        topology.resource_group,
        resource_group_name=topology.resource_group,
        location=topology.location,
        tags=tags,
        opts=keep,
    )
    gateway = ApiGateway(
        topology.gateway.name,
        ApiGatewayArgs(gateway=topology.gateway, resource_group_name=group.name, tags=tags),
        opts=keep,
    )
    regions = {
        account.name: FoundryRegion(
            account.region,
            FoundryRegionArgs(
                account=account,
                resource_group_name=group.name,
                caller_principal_id=gateway.principal_id,
                tags=tags,
            ),
            opts=keep,
        )
        for account in topology.accounts
    }
    backends = {
        spec.name: Backend(
            spec.name,
            BackendArgs(
                spec=spec,
                resource_group_name=group.name,
                service_name=gateway.service_name,
                grant=regions[spec.account].grant,
            ),
        )
        for spec in topology.backends
    }
    backend_ids = {name: backend.backend_id for name, backend in backends.items()}
    pools = [
        BackendPool(
            spec.name,
            BackendPoolArgs(
                spec=spec,
                resource_group_name=group.name,
                service_name=gateway.service_name,
                backend_ids=backend_ids,
            ),
        )
        for spec in topology.pools
    ]
    monitoring = None
    if topology.monitoring.application_insights:
        monitoring = Monitoring(
            f"{topology.workload}-{topology.environment}",
            MonitoringArgs(
                resource_group_name=group.name,
                location=topology.location,
                service_name=gateway.service_name,
                principal_id=gateway.principal_id,
                alerts=topology.monitoring.alerts,
                tags=tags,
            ),
        )
    policies = render_policies(topology)
    api = InferenceApi(
        API_ID,
        InferenceApiArgs(
            resource_group_name=group.name,
            service_name=gateway.service_name,
            policies=policies,
            named_values=named_values(topology),
            backends=[*backends.values(), *pools],
            logger_id=monitoring.logger_id if monitoring else None,
        ),
    )
    consumers = {
        spec.name: Consumer(
            spec.name,
            ConsumerArgs(
                spec=spec,
                resource_group_name=group.name,
                service_name=gateway.service_name,
                api_id=api.api_id,
                policy=next(item for item in policies if (item.scope, item.name) == ("product", spec.name)),
            ),
        )
        for spec in topology.consumers
    }
    pulumi.export("gatewayUrl", gateway.url)
    pulumi.export("endpoints", {account.region: regions[account.name].endpoint for account in topology.accounts})
    pulumi.export("keys", {name: consumer.key for name, consumer in consumers.items()})


def _without_aliases(args: pulumi.ResourceTransformationArgs) -> pulumi.ResourceTransformationResult:
    """Drop the type names of other API versions that azure-native gives every resource as aliases.

    No stack of this program was ever deployed under one of them, and they take half the time of a run.
    """
    options = copy.copy(args.opts)
    if isinstance(options.aliases, list):
        options.aliases = [alias for alias in options.aliases if not _of_another_version(alias)]
    return pulumi.ResourceTransformationResult(args.props, options)


def _of_another_version(alias: "pulumi.Input[str | pulumi.Alias]") -> bool:
    return isinstance(alias, pulumi.Alias) and str(alias.type_).startswith("azure-native:")
