"""SB317: status code range that is reversed, out of bounds, or one of too many."""

from collections.abc import Iterator

from sinbin.lint.breaker import breaker_rules
from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.nodes import Node
from sinbin.lint.resource import BACKEND, Resource
from sinbin.lint.rule import ResourceRule

_MOST = 10
_LOWEST, _HIGHEST = 200, 599


def _judge(entry: Node) -> Iterator[Problem]:
    bounds = []
    for key in ("min", "max"):
        node, value = entry.get(key), entry.number(key)
        if node is not None and not node.known:
            return
        if value is None:
            yield Problem(node or entry, f"the range has no number for `{key}`", "a single code is written twice")
            return
        if not _LOWEST <= value <= _HIGHEST:
            yield Problem(
                node or entry,
                f"{key} {value:g} is not allowed; status codes from {_LOWEST} to {_HIGHEST}",
                "correct the code",
            )
        bounds.append(value)
    if bounds[0] > bounds[1]:
        yield Problem(
            entry.get("min") or entry,
            f"the range {bounds[0]:g} to {bounds[1]:g} is reversed and covers nothing",
            f"swap them: min {bounds[1]:g}, max {bounds[0]:g}",
        )


class StatusRange(ResourceRule):
    """Status code range that is reversed, out of bounds, or one of too many.

    ## Why
    A range needs `min` and `max` from 200 to 599 with `min` not above `max`. Reversed, as in published samples,
    it covers nothing. At most 10 ranges and 10 error reasons are taken.

    ## Bad
    ```json
    {"statusCodeRanges": [{"min": 503, "max": 500}]}
    ```

    ## Good
    ```json
    {"statusCodeRanges": [{"min": 500, "max": 503}]}
    ```

    ## Fix
    Put the smaller number into `min`; a single code is written twice.
    """

    id = "SB317"
    name = "status-range"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/templates/microsoft.apimanagement/service/backends"
    types = (BACKEND,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for rule in breaker_rules(resource):
            for key in ("statusCodeRanges", "errorReasons"):
                listed = rule.node.get("failureCondition", key)
                if listed is not None and len(listed.items()) > _MOST:
                    yield Problem(
                        listed,
                        f"{len(listed.items())} {key} are too many; the service takes {_MOST}",
                        "merge neighbouring ranges"
                        if key == "statusCodeRanges"
                        else "keep the reasons that matter",
                    )
            for entry in rule.status_ranges():
                yield from _judge(entry)
