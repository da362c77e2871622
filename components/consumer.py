"""A consumer of the gateway: its product with limits, and its subscription.

Does not own: the API, and what the limits say (that is policy text).
"""

from dataclasses import dataclass

import pulumi
from pulumi_azure_native import apimanagement

from policy_templates import RenderedPolicy
from sinbin.topology import Consumer as ConsumerSpec


@dataclass(frozen=True, kw_only=True)
class ConsumerArgs:
    """Inputs of :class:`Consumer`."""

    spec: ConsumerSpec
    resource_group_name: pulumi.Input[str]
    service_name: pulumi.Input[str]
    api_id: pulumi.Input[str]
    """ARM id of the API that the product opens."""
    policy: RenderedPolicy
    """The product's policy: what the consumer may use, and how much of it."""


class Consumer(pulumi.ComponentResource):
    """A team or application with a product of its own, so that its limits share no counter with another's."""

    key: pulumi.Output[str]
    """Primary key of the subscription; a secret."""

    def __init__(self, name: str, args: ConsumerArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("sinbin:components:Consumer", name, None, opts)
        place = {"resource_group_name": args.resource_group_name, "service_name": args.service_name}
        product = apimanagement.Product(
            name,
            product_id=args.spec.name,
            display_name=args.spec.name,
            description=f"{args.spec.traffic} traffic of {args.spec.name}",
            subscription_required=True,
            approval_required=False,
            state=apimanagement.ProductState.PUBLISHED,
            **place,
            opts=pulumi.ResourceOptions(parent=self),
        )
        apimanagement.ProductApiLink(
            name,
            api_link_id=args.spec.name,
            product_id=product.name,
            api_id=args.api_id,
            **place,
            opts=pulumi.ResourceOptions(parent=self),
        )
        apimanagement.ProductPolicy(
            name,
            policy_id="policy",
            product_id=product.name,
            value=args.policy.text,
            format=apimanagement.PolicyContentFormat.RAWXML,
            **place,
            opts=pulumi.ResourceOptions(parent=self),
        )
        subscription = apimanagement.Subscription(
            name,
            sid=args.spec.name,
            display_name=args.spec.name,
            scope=product.id,
            state=apimanagement.SubscriptionState.ACTIVE,
            **place,
            # Azure gives the keys back in the answer to the request that creates the subscription.
            opts=pulumi.ResourceOptions(parent=self, additional_secret_outputs=["primaryKey", "secondaryKey"]),
        )
        keys = apimanagement.list_subscription_secrets_output(sid=subscription.name, **place)
        self.key = pulumi.Output.secret(keys.apply(lambda answer: answer.primary_key))
        self.register_outputs({"key": self.key})
