"""Parameters of a consumer's product policy."""

from typing import Annotated

from pydantic import Field

from policy_templates.names import Alias, Name
from sinbin.policy.render import TemplateParams
from sinbin.topology import Consumer as ConsumerSpec
from sinbin.topology import Period, Traffic


class TokenQuotaParams(TemplateParams):
    """Tokens in a fixed period."""

    tokens: Annotated[int, Field(ge=1)]
    period: Period


class Consumer(TemplateParams):
    """What one consumer may call, and how much of it."""

    name: Name
    traffic: Traffic
    aliases: Annotated[tuple[Alias, ...], Field(min_length=1)]
    tokens_per_minute: Annotated[int, Field(ge=1)] | None = None
    requests_per_minute: Annotated[int, Field(ge=1)] | None = None
    token_quota: TokenQuotaParams | None = None
    data_zone: str = ""
    routing_headers: bool = False


def from_consumer(consumer: ConsumerSpec) -> Consumer:
    """Return the parameters that a consumer of the topology means."""
    return Consumer(
        name=consumer.name,
        traffic=consumer.traffic,
        aliases=consumer.aliases,
        tokens_per_minute=consumer.tokens_per_minute,
        requests_per_minute=consumer.requests_per_minute,
        token_quota=TokenQuotaParams(tokens=consumer.token_quota.tokens, period=consumer.token_quota.period)
        if consumer.token_quota
        else None,
        data_zone=consumer.segment,
        routing_headers=consumer.routing_headers,
    )
