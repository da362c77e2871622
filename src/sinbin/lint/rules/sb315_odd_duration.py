"""SB315: breaker duration that is no duration, or not the one it looks like."""

import re
from collections.abc import Iterator

from sinbin.durations import parse_duration
from sinbin.lint.breaker import breaker_rules
from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import BACKEND, Resource
from sinbin.lint.rule import ResourceRule

_CALENDAR = re.compile(r"P(\d+[YMW])+(\d+D)?(T.*)?")


def _fault(value: object) -> str:
    if not isinstance(value, str):
        return f'{value} is no text; write for example "PT1M" for one minute'
    if _CALENDAR.fullmatch(value):
        return f'"{value}" counts calendar years, months or weeks; minutes stand behind a T: PT1M is one minute'
    try:
        parse_duration(value)
    except ValueError as error:
        return str(error)
    return ""


class OddDuration(ResourceRule):
    """Breaker duration that is no duration, or not the one it looks like.

    ## Why
    Durations are ISO 8601: `PT1M` is a minute, `P1M` is a calendar month, `1m` and `60` are refused. A month
    for an interval means that the breaker trips on failures that have nothing to do with each other.

    ## Bad
    ```json
    {"interval": "P1M", "tripDuration": "1m"}
    ```

    ## Good
    ```json
    {"interval": "PT1M", "tripDuration": "PT1M"}
    ```

    ## Fix
    Write `PT` and hours, minutes or seconds: `PT1H`, `PT1M`, `PT30S`.
    """

    id = "SB315"
    name = "odd-duration"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/templates/microsoft.apimanagement/service/backends"
    types = (BACKEND,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for rule in breaker_rules(resource):
            for what, node in (
                ("interval", rule.node.get("failureCondition", "interval")),
                ("tripDuration", rule.node.get("tripDuration")),
            ):
                if node is None or node.value is None or not node.known:
                    continue
                fault, _, advice = _fault(node.value).partition("; ")
                if fault:
                    yield Problem(node, f"{what} {fault}", advice)
