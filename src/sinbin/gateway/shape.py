"""What may be written in a policy element, declared once per policy: the loader and the fidelity page read it.

class Wait(Policy):
    shape = Shape(attributes={"for": Attribute("text", choices=("all", "any"), default="all")}, policies=True)
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

Kind: TypeAlias = Literal["text", "integer", "number", "boolean", "any"]
"""`any` keeps what an expression returns; a literal is a text then."""

_NONE: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute that is modelled.

    `low` and `high` bound a number (a `high` has a `low`). A literal out of its bounds or choices is refused on
    load, an expression that returns such a value fails the request.
    """

    kind: Kind = "text"
    required: bool = False
    default: Any = None
    expression: bool = True
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    note: str = ""
    """What is assumed or known to differ, for the fidelity page."""

    def breach(self, value: Any) -> str:
        """Return what is allowed when `value` is not, an empty text when it is."""
        if self.choices and value not in self.choices:
            return ", ".join(self.choices)
        low, high = self.low, self.high
        if (low is not None and value < low) or (high is not None and value > high):
            return f"{low:g} or more" if high is None else f"{low:g} to {high:g}"
        return ""


@dataclass(frozen=True, slots=True)
class Text:
    """The text inside an element."""

    kind: Kind = "text"
    expression: bool = True
    required: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Attributes, children and text of an element; what is not named is refused when the document is loaded."""

    attributes: Mapping[str, Attribute] = field(default_factory=lambda: _NONE)
    children: "Mapping[str, Shape]" = field(default_factory=lambda: _NONE)
    text: Text | None = None
    policies: bool = False
    """Holds policies, which run where the element says."""
    message: bool = False
    """Holds policies that shape a message of its own (set-header in send-request), not the request at hand."""
    required: bool = False
    """As a child: at least one must be there."""
    repeated: bool = False
    """As a child: may be there more than once."""
    refused: Mapping[str, str] = field(default_factory=lambda: _NONE)
    """Attributes that exist in Azure and are not modelled, with the reason."""


ID = Attribute("text", expression=False)
"""`id`: every policy takes it; it becomes `context.LastError.PolicyId`."""
