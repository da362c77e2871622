"""SB184: a failover whose end nobody explains."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.effective import Judged
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import EffectivePolicyRule

_HANDLERS = (
    "choose",
    "return-response",
    "set-body",
    "set-header",
    "set-status",
    "include-fragment",
)


class ExhaustedPoolUnexplained(EffectivePolicyRule):
    """A failover whose end nobody explains.

    ## Why
    When every member of the pool sits out, the call ends with a 503 from API Management itself, in on-error.
    Without a policy there callers see its default text and no Retry-After.

    ## Bad
    ```xml
    <backend>
      <retry condition="@(a)" count="2" interval="0">
        <forward-request buffer-request-body="true" />
      </retry>
    </backend>
    <on-error>
      <base />
    </on-error>
    ```

    ## Good
    ```xml
    <on-error>
      <base />
      <choose>
        <when condition="@(context.Response.StatusCode == 503)">
          <set-header name="Retry-After"><value>10</value></set-header>
        </when>
      </choose>
    </on-error>
    ```

    ## Fix
    Answer the 503 in on-error: say why, and when to come back.
    """

    id = "SB184"
    name = "exhausted-pool-unexplained"
    severity = Severity.NOTE
    source = "https://learn.microsoft.com/azure/api-management/backends"

    def check(self, subject: Judged, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield the retry of a document whose on-error has nothing of its own."""
        own = [s for s, step in subject.named(*_HANDLERS) if s == "on-error"]
        if own or subject.document.section("on-error") is None:
            return
        for section, retry in subject.named("retry"):
            if section == "backend" and subject.is_own(retry):
                message = "when every backend is out, callers get the default 503: on-error says nothing"
                yield Problem(retry.element, message, "answer the 503 in on-error")
                return
