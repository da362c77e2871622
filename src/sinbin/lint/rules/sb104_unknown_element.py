"""SB104: an element that the policy reference does not know at this place."""

from collections.abc import Iterable, Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy import catalogue
from sinbin.policy.document import SECTIONS, Document
from sinbin.policy.placement import Placed, place
from sinbin.policy.suggest import closest

_ELSEWHERE = {
    "when": "`choose`",
    "otherwise": "`choose`",
    "value": "`set-header` or `set-query-parameter`",
} | dict.fromkeys(SECTIONS, "`policies`")


class UnknownElement(PolicyRule):
    """An element that the policy reference does not know at this place.

    ## Why
    API Management refuses a document with an unknown element when it is saved. Most are spelling mistakes, or
    children that belong to another policy.

    ## Bad
    ```xml
    <inbound><rate-limit-by-keys calls="10" renewal-period="60" counter-key="a" /></inbound>
    ```

    ## Good
    ```xml
    <inbound><rate-limit-by-key calls="10" renewal-period="60" counter-key="a" /></inbound>
    ```

    ## Fix
    Correct the name, or move the element to where it belongs.
    """

    id = "SB104"
    name = "unknown-element"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/api-management-policies"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield every element without a place in the reference; what is inside it is not judged."""
        for placed in place(subject).all:
            if placed.spec is not None or (placed.around is not None and placed.around.spec is None):
                continue
            name = placed.element.name
            around = placed.around
            if around is None:
                known: Iterable[str] = ("policies", "fragment")
                message = f"`{name}` is neither `policies` nor `fragment`, nor a policy"
            elif around.element.name == "policies":
                known = SECTIONS
                message = f"`{name}` is no section; a policy document has {', '.join(SECTIONS)}"
            elif around.holds_policies:
                known = catalogue.names() if name not in _ELSEWHERE else ()
                message = f"there is no policy `{name}`"
            else:
                known = around.spec.children if around.spec else ()
                message = f"`{around.element.name}` takes no `{name}`"
                if known:
                    message += f"; it takes {', '.join(known)}"
            if around is not None and around.spec is not None and around.spec.open:
                continue
            yield Problem(placed.element, message, self._advice(name, known, placed))

    @staticmethod
    def _advice(name: str, known: Iterable[str], placed: Placed) -> str:
        suggestion = closest(name, known)
        if suggestion:
            return f"did you mean `{suggestion}`?"
        if catalogue.is_policy(name):
            return f"`{name}` is a policy: put it into a section or a container such as `when`"
        if placed.around is not None and placed.around.holds_policies and name in _ELSEWHERE:
            return f"`{name}` belongs inside {_ELSEWHERE[name]}"
        return "delete it, or look the name up in the policy reference"
