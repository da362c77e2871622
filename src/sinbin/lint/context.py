"""What is known about a file besides its text."""

from dataclasses import dataclass
from typing import Literal

from sinbin.topology import Tier

Scope = Literal["global", "workspace", "product", "api", "operation", "fragment"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Facts about a policy or a resource file that its text does not hold.

    None means unknown: a rule that needs the fact then says nothing.
    """

    scope: Scope = "api"
    tier: Tier = "Standard"
    streams: bool = False
    """The API answers with server-sent events."""
    backend_host: str | None = None
    backend_kind: str | None = None
    """`azure-openai` when the backends are Azure OpenAI or Foundry accounts."""
    backends: frozenset[str] | None = None
    """Names of every backend and pool there is."""
    fragments: frozenset[str] | None = None
    named_values: frozenset[str] | None = None
