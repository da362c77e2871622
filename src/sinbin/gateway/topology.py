"""From a topology and its rendered policies to the configuration of a gateway."""

from collections.abc import Mapping

from sinbin.gateway.configuration import (
    DEFAULT_EPOCH_S,
    Api,
    Backend,
    GatewayConfiguration,
    PolicySource,
    Pool,
    Product,
    Subscription,
)
from sinbin.topology import Topology


def configuration_of(
    topology: Topology,
    *,
    api: Api,
    product_policies: Mapping[str, PolicySource],
    fragments: Mapping[str, PolicySource],
    named_values: Mapping[str, str],
    keys: Mapping[str, tuple[str, ...]],
    epoch_s: float = DEFAULT_EPOCH_S,
) -> GatewayConfiguration:
    """Return the configuration of the gateway that `topology` describes.

    Args:
        topology: backends, pools, consumers; every consumer has a product and a subscription of its name.
        api: the inference API with its operations and its policy.
        product_policies: the document of each product, by the name of its consumer.
        fragments: the fragments, by name.
        named_values: the named values, by name.
        keys: the subscription keys of each consumer; one that is not there cannot call.
        epoch_s: Unix time (s) at `now = 0`.
    """
    return GatewayConfiguration(
        backends=tuple(Backend.of(backend) for backend in topology.backends),
        pools=tuple(Pool.of(pool) for pool in topology.pools),
        apis=(api,),
        products=tuple(
            Product(name=consumer.name, display_name=consumer.name, policy=product_policies.get(consumer.name))
            for consumer in topology.consumers
        ),
        subscriptions=tuple(
            Subscription(
                id=consumer.name,
                display_name=consumer.name,
                keys=keys.get(consumer.name, ()),
                product=consumer.name,
            )
            for consumer in topology.consumers
        ),
        fragments=tuple(fragments.items()),
        named_values=tuple(named_values.items()),
        tier=topology.gateway.tier,
        region=topology.gateway.home.location,
        service_name=topology.gateway.name,
        epoch_s=epoch_s,
    )
