"""The circuit breaker of a backend resource, read for the rules about it."""

from collections.abc import Iterator
from dataclasses import dataclass

from sinbin.lint.context import Context
from sinbin.lint.nodes import Node
from sinbin.lint.resource import Resource, model_host, names_model_host


@dataclass(frozen=True, slots=True)
class BreakerRule:
    """One rule of a breaker."""

    node: Node

    @property
    def condition(self) -> Node | None:
        """What counts as a failure, and how many of them trip."""
        return self.node.get("failureCondition")

    @property
    def ranges(self) -> Node | None:
        """The list of status code ranges."""
        return self.node.get("failureCondition", "statusCodeRanges")

    @property
    def judged(self) -> bool:
        """Whether the status codes are written out, not computed by a template."""
        return all(r.number("min") is not None and r.number("max") is not None for r in self.status_ranges())

    def status_ranges(self) -> tuple[Node, ...]:
        """Return the ranges."""
        return tuple(self.ranges.items()) if self.ranges else ()

    def counts(self, status: int) -> bool:
        """Whether a reply with this status is a failure."""
        for entry in self.status_ranges():
            low, high = entry.number("min"), entry.number("max")
            if low is not None and high is not None and low <= status <= high:
                return True
        return False


def breaker_rules(backend: Resource) -> Iterator[BreakerRule]:
    """Yield the rules of the backend's breaker."""
    rules = backend.get("circuitBreaker", "rules")
    for node in rules.items() if rules else ():
        if isinstance(node.value, dict):
            yield BreakerRule(node)


def serves_models(backend: Resource, context: Context) -> bool:
    """Whether the backend is an Azure OpenAI or Foundry account, by its URL or by what is known of the file."""
    if names_model_host(backend.get("url")):
        return True
    host = context.backend_host
    return context.backend_kind == "azure-openai" or (
        host is not None and model_host(f"https://{host}") is not None
    )
