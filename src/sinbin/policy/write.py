"""Writing a document tree back: what was not replaced comes out as it was read, character by character."""

from collections.abc import Iterator, Mapping

from sinbin.policy.document import Document
from sinbin.policy.nodes import Element, Node

_NOTHING: Mapping[Node, str] = {}


def write(document: Document, replaced: Mapping[Node, str] = _NOTHING) -> str:
    """Return the text of `document`, with each node in `replaced` (element, attribute, text, …) as given there.

    Nodes inside a replaced node are gone with it. `Source.to_bytes` makes the bytes of a file of the result.
    """
    return "".join(_between(document.children, 0, len(document.source.text), document.source.text, replaced))


def _between(children: list[Node], start: int, end: int, text: str, replaced: Mapping[Node, str]) -> Iterator[str]:
    at = start
    for child in children:
        yield text[at : child.start]
        yield from _node(child, text, replaced)
        at = child.end
    yield text[at:end]


def _node(node: Node, text: str, replaced: Mapping[Node, str]) -> Iterator[str]:
    if node in replaced:
        yield replaced[node]
    elif isinstance(node, Element):
        yield from _between([*node.attributes], node.start, node.open_end, text, replaced)
        yield from _between(node.children, node.open_end, node.end, text, replaced)
    else:
        yield text[node.start : node.end]
