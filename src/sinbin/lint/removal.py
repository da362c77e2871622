"""The edits that take members out of a JSON object."""

from collections.abc import Collection

from sinbin.lint.finding import Edit
from sinbin.lint.nodes import Node


def removals(keys: Collection[str], mapping: Node) -> dict[str, tuple[Edit, ...]]:
    """Return for each of `keys` the edit that removes it from `mapping`, with the one comma that goes with it.

    The edits fit together in any combination: a member goes up to the start of the next one, and those behind the
    last that stays go with the comma before them.
    """
    members = list(mapping.members().items())
    last_kept = max((index for index, (key, _) in enumerate(members) if key not in keys), default=-1)
    edits: dict[str, tuple[Edit, ...]] = {}
    for index, (key, node) in enumerate(members):
        if key not in keys or node.key is None:
            continue
        if index < last_kept:
            following = members[index + 1][1].key
            edits[key] = (Edit(node.key[0], following[0], ""),) if following else ()
        else:
            start = members[index - 1][1].end if index else node.key[0]
            edits[key] = (Edit(start, node.end, ""),)
    return edits
