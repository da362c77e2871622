"""SB143: a streamed response that a policy has to read as a whole."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.effective import Judged
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import EffectivePolicyRule
from sinbin.policy.effective import Step

_READERS = (
    "set-body",
    "find-and-replace",
    "validate-content",
    "cache-store",
    "json-to-xml",
    "xml-to-json",
    "xsl-transform",
    "redirect-content-urls",
)
_CONDITIONAL = frozenset({"when", "otherwise", "return-response", "send-request", "send-one-way-request"})


class StreamBroken(EffectivePolicyRule):
    """A streamed response that a policy has to read as a whole.

    ## Why
    `buffer-response="false"` lets a response through as it comes. A policy in outbound that replaces, checks,
    converts or stores the body waits for its end first, and the caller sees no stream.

    ## Bad
    ```xml
    <backend>
      <forward-request buffer-response="false" />
    </backend>
    <outbound>
      <base />
      <find-and-replace from="a" to="b" />
    </outbound>
    ```

    ## Good
    ```xml
    <backend><forward-request buffer-response="false" /></backend><outbound><base /></outbound>
    ```

    ## Fix
    Drop the policy, or do it for responses that do not stream only.
    """

    id = "SB143"
    name = "stream-broken"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/how-to-server-sent-events"

    def check(self, subject: Judged, context: Context) -> Iterator[Problem]:
        """Yield each policy of outbound that always reads the body."""
        unbuffered = any(
            (step.element.literal("buffer-response") or "").strip().lower() == "false"
            for _, step in subject.named("forward-request")
        )
        if not (unbuffered or context.streams):
            return
        for step in subject.effective.walk("outbound"):
            if not (subject.is_own(step) or step.through) or not (step.name in _READERS or _reads_body(step)):
                continue
            if any(around.name in _CONDITIONAL for around in step.element.ancestors()):
                continue
            message = f"`{step.name}` in outbound reads the whole body of a response that streams"
            yield Problem(subject.where(step), message, "drop it, or do it when the response does not stream")


def _reads_body(step: Step) -> bool:
    return any(
        "context.Response.Body" in expression.code
        for valued in step.element.valued()
        for expression in valued.expressions
    )
