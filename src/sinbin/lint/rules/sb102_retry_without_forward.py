"""SB102: a retry in the backend section that sends nothing."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.effective import UNKNOWN, Judged
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import EffectivePolicyRule


class RetryWithoutForward(EffectivePolicyRule):
    """A retry in the backend section that sends nothing.

    ## Why
    Without `forward-request` nothing is sent: outbound runs at once and the caller gets an empty 200. The
    condition of the retry never sees an answer of the backend.

    ## Bad
    ```xml
    <backend>
      <retry condition="@(context.Response.StatusCode == 429)" count="2" interval="0">
        <set-backend-service backend-id="pool-chat" />
      </retry>
    </backend>
    ```

    ## Good
    ```xml
    <backend>
      <retry condition="@(context.Response.StatusCode == 429)" count="2" interval="0">
        <set-backend-service backend-id="pool-chat" />
        <forward-request buffer-request-body="true" />
      </retry>
    </backend>
    ```

    ## Fix
    Put `forward-request` as the last child into the `retry`.
    """

    id = "SB102"
    name = "retry-without-forward"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/forward-request-policy"

    def check(self, subject: Judged, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each retry of the backend section that neither forwards nor may do so by base or fragment."""
        forwards = any(section == "backend" for section, _ in subject.named("forward-request", *UNKNOWN))
        for section, retry in subject.named("retry"):
            if section != "backend" or not subject.is_own(retry):
                continue
            inside = {step.name for step in retry.walk()}
            if "forward-request" in inside or inside & UNKNOWN:
                continue
            if "send-request" in inside and forwards:
                continue
            if any("{" in text.value for text in retry.element.texts):
                continue
            message = "`retry` holds no `forward-request`: nothing is sent to the backend"
            yield Problem(retry.element, message, "add `forward-request` as its last child")
