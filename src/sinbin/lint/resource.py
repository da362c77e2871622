"""One ARM resource, whatever form it came in."""

from dataclasses import dataclass

from sinbin.lint.nodes import Node


@dataclass(frozen=True, slots=True)
class Resource:
    """An ARM resource: `az … show`, an entry of a template, a line of a plan."""

    type: str
    """Full type in lower case: `microsoft.apimanagement/service/backends`."""
    name: str | None
    """Last segment of the name; None when a template computes it."""
    node: Node
    """The resource as a whole."""
    properties: Node
    """`properties`, or the resource itself where a tool flattens it."""
