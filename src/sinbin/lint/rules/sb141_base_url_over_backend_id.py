"""SB141: a base-url that cannot override an inherited backend-id."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.effective import Judged
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import EffectivePolicyRule
from sinbin.policy.effective import Step


class BaseUrlOverBackendId(EffectivePolicyRule):
    """A base-url that cannot override an inherited backend-id.

    ## Why
    When a broader scope has set `backend-id`, a narrower one can override it by another `backend-id` only; a
    `base-url` is not taken.

    ## Bad
    ```xml
    <inbound>
      <base /> <!-- sets backend-id -->
      <set-backend-service base-url="https://other.example.com" />
    </inbound>
    ```

    ## Good
    ```xml
    <inbound>
      <base />
      <set-backend-service backend-id="other" />
    </inbound>
    ```

    ## Fix
    Make a backend of the URL and name it by `backend-id`.
    """

    id = "SB141"
    name = "base-url-over-backend-id"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/set-backend-service-policy"

    def check(self, subject: Judged, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each base-url that runs after a backend-id of a broader scope."""
        inherited: Step | None = None
        for _, step in subject.named("set-backend-service"):
            if step.element.attribute("backend-id") is not None:
                inherited = step if not subject.is_own(step) and not step.through else inherited
            elif inherited is not None and subject.is_own(step) and (url := step.element.attribute("base-url")):
                name = inherited.element.get("backend-id")
                message = f'`base-url` does not override the `backend-id` "{name}" of the {inherited.scope} scope'
                yield Problem(url, message, "name a backend by `backend-id`")
