"""Limits inside rate-limit and quota that hold for one API or one operation of it."""

from collections.abc import Callable, Iterator

from sinbin.gateway.context import Context
from sinbin.gateway.reading import Node
from sinbin.gateway.shape import Attribute

WHICH = {"name": Attribute("text", expression=False), "id": Attribute("text", expression=False)}
"""Attributes by which an `api` or `operation` element says what it is about; `id` wins over the display name."""

Applies = Callable[[Context], bool]


def entity_limits(node: Node) -> Iterator[tuple[Node, Applies]]:
    """Yield each element that holds limits, `node` itself first, and whether it applies to a request."""
    yield node, lambda _: True
    for api in node.all("api"):
        yield api, _about(api, None)
        for operation in api.all("operation"):
            yield operation, _about(api, operation)


def _about(api: Node, operation: Node | None) -> Applies:
    return lambda context: _is(api, context.api) and (operation is None or _is(operation, context.operation))


def _is(limit: Node, entity: object) -> bool:
    if limit.constant("id") is not None:
        return bool(getattr(entity, "name", None) == limit.constant("id"))
    return limit.constant("name") in {getattr(entity, "display_name", None), getattr(entity, "name", None)}
