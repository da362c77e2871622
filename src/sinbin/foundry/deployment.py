"""A model deployment at work: its facts and its quota."""

from dataclasses import replace

from sinbin.foundry.account import DeploymentConfig
from sinbin.foundry.models import ModelFacts, is_provisioned, model_facts, requests_per_minute, tokens_per_minute
from sinbin.foundry.quota import PayAsYouGo, Provisioned, Quota

_LEAST_SHARE = 1e-9
"""No request fits into it, and what is charged still runs off at some rate."""


class Deployment:
    """A deployment whose configuration may change while its counters live on."""

    def __init__(self, config: DeploymentConfig) -> None:
        self.config = config
        self.facts: ModelFacts = _facts(config)
        self.quota: Quota = self._make_quota()
        self._share = 1.0

    def adopt(self, now: float, config: DeploymentConfig) -> None:
        """Become `config` from `now` on.

        Counters survive unless the model, the kind of capacity, or the way to count changed.
        """
        old, self.config = self.config, config
        self.facts = _facts(config)
        same = (old.model, old.options, is_provisioned(old.sku)) == (
            config.model,
            config.options,
            is_provisioned(config.sku),
        )
        if not same:
            self.quota = self._make_quota()
        elif isinstance(self.quota, Provisioned):
            self.quota.configure(now, config.capacity)
        elif isinstance(self.quota, PayAsYouGo):
            self.quota.configure(now, *self._limits())

    def scale(self, now: float, share: float) -> None:
        """Make `share` of the quota available."""
        if share != self._share:
            self._share = share
            self.quota.scale(now, max(share, _LEAST_SHARE))

    def _make_quota(self) -> Quota:
        config = self.config
        if is_provisioned(config.sku):
            return Provisioned(self.facts, config.capacity, config.options)
        return PayAsYouGo(self.facts, *self._limits(), config.options)

    def _limits(self) -> tuple[float, float]:
        config = self.config
        requests = config.requests_per_minute or requests_per_minute(config.model, config.sku, config.capacity)
        tokens = config.tokens_per_minute or tokens_per_minute(config.model, config.sku, config.capacity) or 0
        return float(requests), float(tokens)


def _facts(config: DeploymentConfig) -> ModelFacts:
    return replace(model_facts(config.model), version=config.version)
