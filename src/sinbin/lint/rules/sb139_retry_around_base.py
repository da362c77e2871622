"""SB139: a retry around `<base />`."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.effective import Judged
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import EffectivePolicyRule


class RetryAroundBase(EffectivePolicyRule):
    """A retry around `<base />`.

    ## Why
    What `<base />` brings in is decided elsewhere. The default is a `forward-request` without a buffered body,
    so the second attempt has none; a broader scope with a retry of its own multiplies the attempts.

    ## Bad
    ```xml
    <backend>
      <retry condition="@(context.Response.StatusCode == 429)" count="2" interval="0">
        <base />
      </retry>
    </backend>
    ```

    ## Good
    ```xml
    <backend>
      <retry condition="@(context.Response.StatusCode == 429)" count="2" interval="0">
        <forward-request buffer-request-body="true" />
      </retry>
    </backend>
    ```

    ## Fix
    Forward here with `buffer-request-body="true"`; or judge the scopes together (`parents` in the context
    file).
    """

    id = "SB139"
    name = "retry-around-base"
    severity = Severity.WARNING
    source = "Derived: base inside retry repeats what the broader scope does"

    def check(self, subject: Judged, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each base in a retry as long as the broader scopes are not known."""
        for section, retry in subject.named("retry"):
            for step in retry.walk():
                if step.name == "base" and section == "backend":
                    message = "`retry` repeats `<base />`; by default that forwards without a buffered body"
                    yield Problem(
                        step.element, message, 'use <forward-request buffer-request-body="true" /> instead'
                    )
