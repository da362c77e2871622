"""SB105: an attribute that the policy reference does not know."""

from collections.abc import Iterable, Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Place, Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place
from sinbin.policy.suggest import closest

_FOREIGN = frozenset({"xmlns", "xml", "xsi"})


class UnknownAttribute(PolicyRule):
    """An attribute that the policy reference does not know.

    ## Why
    API Management refuses a document with an unknown attribute when it is saved.

    ## Bad
    ```xml
    <llm-token-limit counter-key="a" tokens-per-minute="100" estimate-prompt-token="true" />
    ```

    ## Good
    ```xml
    <llm-token-limit counter-key="a" tokens-per-minute="100" estimate-prompt-tokens="true" />
    ```

    ## Fix
    Correct the name.
    """

    id = "SB105"
    name = "unknown-attribute"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/api-management-policies"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield every attribute that its element does not have; `id` is allowed on every policy."""
        for placed in place(subject).all:
            spec = placed.spec
            if spec is None or spec.open:
                continue
            for attribute in placed.element.attributes:
                name = attribute.name
                if (
                    name in spec.attributes
                    or name.partition(":")[0] in _FOREIGN
                    or (name == "id" and spec.is_policy)
                ):
                    continue
                suggestion = closest(name, spec.attributes)
                advice = f"did you mean `{suggestion}`?" if suggestion else self._known(spec.attributes)
                yield Problem(
                    Place((attribute.start, attribute.start + len(name)), attribute.path),
                    f"`{spec.name}` has no attribute `{name}`",
                    advice,
                )

    @staticmethod
    def _known(attributes: Iterable[str]) -> str:
        names = ", ".join(attributes)
        return f"delete it; the attributes are {names}" if names else "delete it; there are none"
