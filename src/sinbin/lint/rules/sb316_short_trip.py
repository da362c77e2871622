"""SB316: trip duration of less than five seconds."""

from collections.abc import Iterator
from contextlib import suppress

from sinbin.durations import parse_duration
from sinbin.lint.breaker import breaker_rules
from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.resource import BACKEND, Resource
from sinbin.lint.rule import ResourceRule

_SHORTEST_S = 5


class ShortTrip(ResourceRule):
    """Trip duration of less than five seconds.

    ## Why
    A model's token budget is counted over a minute. After a trip of a second or two the member is still full:
    the breaker opens and closes all the time, and each closing costs a refused call.

    ## Bad
    ```json
    {"tripDuration": "PT1S"}
    ```

    ## Good
    ```json
    {"tripDuration": "PT1M", "acceptRetryAfter": true}
    ```

    ## Fix
    Use a minute, and `acceptRetryAfter: true` so that the model may say less.
    """

    id = "SB316"
    name = "short-trip"
    severity = Severity.WARNING
    source = (
        "Derived: https://learn.microsoft.com/azure/ai-foundry/openai/quotas-limits counts tokens over a minute"
    )
    types = (BACKEND,)

    def check(self, resource: Resource, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield what is wrong."""
        for rule in breaker_rules(resource):
            node = rule.node.get("tripDuration")
            if node is None or not isinstance(node.value, str):
                continue
            with suppress(ValueError):  # what is no duration is another rule's matter
                seconds = parse_duration(node.value)
                if seconds < _SHORTEST_S:
                    yield Problem(
                        node,
                        f"a trip of {seconds:g} s is over before the model has room again",
                        "use PT1M, with `acceptRetryAfter` for a shorter wait when the model says so",
                    )
