"""An API Management backend pool.

Does not own: its members, which exist before it and keep breaker, address and credential of their own.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import pulumi
from pulumi_azure_native import apimanagement

from sinbin.errors import SinbinError
from sinbin.topology import BackendPool as BackendPoolSpec


@dataclass(frozen=True, kw_only=True)
class BackendPoolArgs:
    """Inputs of :class:`BackendPool`."""

    spec: BackendPoolSpec
    resource_group_name: pulumi.Input[str]
    service_name: pulumi.Input[str]
    backend_ids: Mapping[str, pulumi.Input[str]]
    """ARM id of each member, by the name of its backend."""


class BackendPool(pulumi.ComponentResource):
    """Backends that share the requests of an alias by priority and weight."""

    pool_id: pulumi.Output[str]
    """ARM id of the pool; a policy names it by the name in the topology."""

    def __init__(self, name: str, args: BackendPoolArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("sinbin:components:BackendPool", name, None, opts)
        if args.spec.affinity_cookie is not None:
            # Passing it on would lose it without a word: the SDK drops what its contract does not know.
            raise SinbinError(
                f"pool {args.spec.name}: sessionAffinity is not in the API Management contract that "
                "pulumi-azure-native binds (2024-05-01); leave it out"
            )
        pool = apimanagement.Backend(
            name,
            backend_id=args.spec.name,
            resource_group_name=args.resource_group_name,
            service_name=args.service_name,
            type=apimanagement.BackendType.POOL,
            pool=apimanagement.BackendBaseParametersPoolArgs(
                services=[
                    apimanagement.BackendPoolItemArgs(
                        id=args.backend_ids[member.backend], priority=member.priority, weight=member.weight
                    )
                    for member in args.spec.members
                ]
            ),
            opts=pulumi.ResourceOptions(parent=self),
        )
        self.pool_id = pool.id
        self.register_outputs({"poolId": self.pool_id})
