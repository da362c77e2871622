"""SB101: a retry that sends the request again without its body."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.effective import Judged
from sinbin.lint.finding import Edit, Problem, Severity
from sinbin.lint.rule import EffectivePolicyRule
from sinbin.policy.nodes import Element


class UnbufferedRetry(EffectivePolicyRule):
    """A retry that sends the request again without its body.

    ## Why
    The body of a request is read once. Without `buffer-request-body="true"` the second attempt fails inside
    the gateway (content length mismatch) or reaches the backend empty, exactly when failover should have
    happened. Requests without a body are not affected: suppress the finding for an API of GET operations.

    ## Bad
    ```xml
    <retry condition="@(context.Response.StatusCode == 429)" count="2" interval="0">
      <forward-request />
    </retry>
    ```

    ## Good
    ```xml
    <retry condition="@(context.Response.StatusCode == 429)" count="2" interval="0">
      <forward-request buffer-request-body="true" />
    </retry>
    ```

    ## Fix
    Set `buffer-request-body="true"` on every `forward-request` inside a `retry`.
    """

    id = "SB101"
    name = "unbuffered-retry"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/forward-request-policy"

    def check(self, subject: Judged, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each forward-request in a retry that does not keep the body."""
        seen: set[int] = set()
        for _, retry in subject.named("retry"):
            for step in retry.walk():
                if step.name != "forward-request" or id(step.element) in seen:
                    continue
                if not (subject.is_own(step) or subject.is_own(retry)):
                    continue
                seen.add(id(step.element))
                buffer = step.element.attribute("buffer-request-body")
                if buffer is not None and (buffer.literal is None or buffer.literal.strip().lower() != "false"):
                    continue
                message = (
                    "`forward-request` inside `retry` does not buffer the request body: a second attempt has none"
                )
                edits = _edits(step.element) if subject.is_own(step) else ()
                yield Problem(subject.where(step), message, 'set buffer-request-body="true"', edits)


def _edits(element: Element) -> tuple[Edit, ...]:
    attribute = element.attribute("buffer-request-body")
    if attribute is not None:
        return (Edit(attribute.value_start, attribute.value_end, "true"),)
    return (Edit(element.name_end, element.name_end, ' buffer-request-body="true"'),)
