"""SB507: the key of the caller goes on to the backend."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.effective import UNKNOWN, Judged
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import EffectivePolicyRule

_AUDIENCES = frozenset({"https://cognitiveservices.azure.com", "https://ai.azure.com"})


class ClientKeyForwarded(EffectivePolicyRule):
    """The key of the caller goes on to the backend.

    ## Why
    LLM APIs usually take the subscription key in the header `api-key`. It is forwarded together with the token
    of the managed identity; the backend may then refuse the call, and its logs hold keys of your callers.

    ## Bad
    ```xml
    <authentication-managed-identity resource="https://cognitiveservices.azure.com" />
    ```

    ## Good
    ```xml
    <authentication-managed-identity resource="https://cognitiveservices.azure.com" />
    <set-header name="api-key" exists-action="delete" />
    ```

    ## Fix
    Delete the header `api-key` in inbound.
    """

    id = "SB507"
    name = "client-key-forwarded"
    severity = Severity.NOTE
    source = "Derived: headers of the caller are forwarded unless a policy removes them"

    def check(self, subject: Judged, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield the own token for a model when no policy touches the header `api-key`."""
        headers = {(step.element.get("name") or "").strip().lower() for _, step in subject.named("set-header")}
        if "api-key" in headers or any(step.name == "include-fragment" for _, step in subject.named(*UNKNOWN)):
            return
        for section, step in subject.named("authentication-managed-identity"):
            resource = (step.element.literal("resource") or "").strip().rstrip("/")
            direct = next(step.element.ancestors(), None)
            if section != "inbound" or not subject.is_own(step) or resource not in _AUDIENCES:
                continue
            if direct is None or direct.name not in {"send-request", "send-one-way-request"}:
                message = "the header `api-key` of the caller is forwarded beside the token"
                yield Problem(step.element, message, 'add <set-header name="api-key" exists-action="delete" />')
