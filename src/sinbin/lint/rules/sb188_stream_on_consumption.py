"""SB188: a stream through a tier that has none."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.effective import Judged
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import EffectivePolicyRule


class StreamOnConsumption(EffectivePolicyRule):
    """A stream through a tier that has none.

    ## Why
    The Consumption tier keeps no long connections: server-sent events do not work through it.

    ## Bad
    ```xml
    <!-- tier Consumption --><forward-request buffer-response="false" />
    ```

    ## Good
    ```xml
    <!-- tier Standard --><forward-request buffer-response="false" />
    ```

    ## Fix
    Use another tier, or answer in one piece.
    """

    id = "SB188"
    name = "stream-on-consumption"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/how-to-server-sent-events"

    def check(self, subject: Judged, context: Context) -> Iterator[Problem]:
        """Yield each forward-request that streams, or that serves an API that does."""
        if context.tier != "Consumption":
            return
        for _, step in subject.named("forward-request"):
            buffer = (step.element.literal("buffer-response") or "").strip().lower()
            if context.streams or buffer == "false":
                message = "the Consumption tier does not stream: it keeps no long connections"
                yield Problem(subject.where(step), message, "use another tier, or answer in one piece")
