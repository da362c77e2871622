"""SB140: a retry inside a retry."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.effective import Judged
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import EffectivePolicyRule
from sinbin.policy.effective import Step


class RetryInRetry(EffectivePolicyRule):
    """A retry inside a retry.

    ## Why
    The attempts multiply: two retries inside two retries send a request nine times.

    ## Bad
    ```xml
    <retry condition="@(a)" count="2" interval="0">
      <retry condition="@(b)" count="2" interval="0">
        <forward-request buffer-request-body="true" />
      </retry>
    </retry>
    ```

    ## Good
    ```xml
    <retry condition="@(a || b)" count="2" interval="0">
      <forward-request buffer-request-body="true" />
    </retry>
    ```

    ## Fix
    Keep one retry.
    """

    id = "SB140"
    name = "retry-in-retry"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/retry-policy"

    def check(self, subject: Judged, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each retry in another, also one that base or a fragment brings in."""
        for _, outer in subject.named("retry"):
            for step in outer.walk():
                if step is outer or step.name != "retry" or not (subject.is_own(outer) or subject.is_own(step)):
                    continue
                attempts = _attempts(outer) * _attempts(step)
                sent = f": up to {attempts} attempts" if attempts else ""
                yield Problem(subject.where(step), f"`retry` inside `retry`{sent}", "keep one of them")


def _attempts(step: Step) -> int:
    count = (step.element.literal("count") or "").strip()
    return int(count) + 1 if count.isdecimal() else 0
