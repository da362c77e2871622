"""The aliases of a stack file, read from its YAML so that every finding has its line."""

from collections.abc import Iterator
from dataclasses import dataclass

from sinbin.lint.nodes import Node


@dataclass(frozen=True, slots=True)
class Alias:
    """One entry of `models`."""

    node: Node
    regions: int
    """How many regions the stack has."""

    @property
    def name(self) -> str:
        """The alias that callers use."""
        return self.node.text("alias") or "this alias"

    @property
    def deployments(self) -> tuple[Node, ...]:
        """Its deployments, as they are written."""
        listed = self.node.get("deployments")
        return tuple(listed.items()) if listed else ()

    @property
    def members(self) -> int:
        """How many backends stand behind it: each deployment in each of its regions."""
        if self.node.text("routing", "strategy") == "single":
            return 1
        return sum(self._count(deployment) for deployment in self.deployments)

    @property
    def tokens_per_minute(self) -> float | None:
        """The capacity of its pay-as-you-go deployments; None when some of it is provisioned."""
        total = 0.0
        for deployment in self.deployments:
            tokens = deployment.number("tokensPerMinute")
            if tokens is None:
                return None
            total += tokens * self._count(deployment)
        return total

    @property
    def retries(self) -> bool:
        """Whether refused requests are tried again: yes, unless it is switched off."""
        retry = self.node.get("retry")
        return retry is None or retry.value is not None

    def number(self, *keys: str) -> float | None:
        """Return a number of the entry."""
        return self.node.number(*keys)

    def flag(self, *keys: str) -> bool | None:
        """Return a boolean of the entry."""
        return self.node.flag(*keys)

    def _count(self, deployment: Node) -> int:
        own = deployment.get("regions")
        return len(own.items()) if own is not None else self.regions


def aliases(gateway: Node) -> Iterator[Alias]:
    """Yield the aliases of the object `sinbin:gateway`."""
    regions, models = gateway.get("regions"), gateway.get("models")
    for model in models.items() if models else ():
        yield Alias(model, len(regions.items()) if regions else 0)
