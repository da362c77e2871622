"""SB186: a policy that the handshake of a WebSocket API skips."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.effective import Judged
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import EffectivePolicyRule
from sinbin.policy.handshake import SKIPPED_ON_HANDSHAKE

_MESSAGES = frozenset({"send-request", "send-one-way-request", "return-response"})


class SkippedOnHandshake(EffectivePolicyRule):
    """A policy that the handshake of a WebSocket API skips.

    ## Why
    The handshake (`onHandshake`) of a WebSocket API takes no policy that answers, caches, converts or checks
    content. Such a policy cannot be applied to it; inherited from a broader scope it is skipped without a
    word.

    ## Bad
    ```xml
    <!-- operations/onHandshake/policy.xml -->
    <inbound><base /><cors>…</cors></inbound>
    ```

    ## Good
    ```xml
    <!-- operations/onHandshake/policy.xml -->
    <inbound><base /><validate-jwt header-name="Authorization">…</validate-jwt></inbound>
    ```

    ## Fix
    Use a policy that works on the handshake: tokens, headers and addresses can be checked there.
    """

    id = "SB186"
    name = "skipped-on-handshake"
    severity = Severity.WARNING
    source = "https://learn.microsoft.com/azure/api-management/websocket-api"

    def check(self, subject: Judged, context: Context) -> Iterator[Problem]:
        """Yield each policy, own or inherited, that a handshake skips."""
        if not context.websocket:
            return
        for _, step in subject.named(*SKIPPED_ON_HANDSHAKE):
            if any(around.name in _MESSAGES for around in step.element.ancestors()):
                continue
            origin = "" if subject.is_own(step) or step.through else f" of the {step.scope} scope"
            message = f"`{step.name}`{origin} is skipped on the handshake of a WebSocket API"
            yield Problem(subject.where(step), message, "use a policy that works on the handshake")
