"""SB142: a streaming API whose answers are buffered."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.effective import Judged
from sinbin.lint.finding import Edit, Problem, Severity
from sinbin.lint.rule import EffectivePolicyRule
from sinbin.policy.nodes import Attribute


class StreamBuffered(EffectivePolicyRule):
    """A streaming API whose answers are buffered.

    ## Why
    `forward-request` buffers the response by default. A streamed answer then arrives in lumps, and the first
    token is late.

    ## Bad
    ```xml
    <backend><forward-request /></backend>
    ```

    ## Good
    ```xml
    <backend><forward-request buffer-response="false" /></backend>
    ```

    ## Fix
    Set `buffer-response="false"`.
    """

    id = "SB142"
    name = "stream-buffered"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/how-to-server-sent-events"

    def check(self, subject: Judged, context: Context) -> Iterator[Problem]:
        """Yield each forward-request that buffers, for an API that is known to stream."""
        if not context.streams:
            return
        for section, step in subject.named("forward-request"):
            buffer = step.element.attribute("buffer-response")
            if section not in {"backend", None} or (buffer is not None and _may_be_off(buffer)):
                continue
            edits: tuple[Edit, ...] = ()
            if subject.is_own(step) and buffer is None:
                edits = (Edit(step.element.name_end, step.element.name_end, ' buffer-response="false"'),)
            elif subject.is_own(step) and buffer is not None:
                edits = (Edit(buffer.value_start, buffer.value_end, "false"),)
            message = "`forward-request` buffers the response of an API that streams"
            yield Problem(subject.where(step), message, 'set buffer-response="false"', edits)


def _may_be_off(buffer: Attribute) -> bool:
    return buffer.literal is None or buffer.literal.strip().lower() == "false"
