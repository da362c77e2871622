"""Everything that was given to one run of the linter."""

from dataclasses import dataclass

from sinbin.lint.nodes import Node
from sinbin.lint.resource import Resource


@dataclass(frozen=True, slots=True)
class Estate:
    """The resources of one file or one plan, to be judged together."""

    resources: tuple[Resource, ...]
    root: Node
