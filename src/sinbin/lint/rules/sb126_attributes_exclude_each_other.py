"""SB126: attributes of which one excludes the other."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place

_PREFERRED: dict[tuple[str, ...], str] = {
    ("base-url", "backend-id"): ": `backend-id` when a breaker or a pool is meant"
}


class AttributesExcludeEachOther(PolicyRule):
    """Attributes of which one excludes the other.

    ## Why
    `backend-id` and `base-url` of `set-backend-service` are alternatives: only the id links to the backend
    entity with its breaker, pool and credentials. `timeout` and `timeout-ms`, the sources of a token, and
    partition id and key exclude each other as well.

    ## Bad
    ```xml
    <set-backend-service backend-id="pool-chat" base-url="https://aoai-a.openai.azure.com/openai" />
    ```

    ## Good
    ```xml
    <set-backend-service backend-id="pool-chat" />
    ```

    ## Fix
    Keep one of them; the id when a breaker or a pool is meant.
    """

    id = "SB126"
    name = "attributes-exclude-each-other"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/set-backend-service-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield the second of two attributes that exclude each other."""
        for placed in place(subject).all:
            if placed.spec is None:
                continue
            for group in (*placed.spec.exactly_one, *placed.spec.at_most_one):
                present = [attribute for attribute in placed.element.attributes if attribute.name in group]
                names = list(dict.fromkeys(attribute.name for attribute in present))
                if len(names) > 1:
                    listed = " and ".join(f"`{name}`" for name in names)
                    advice = f"keep one of them{_PREFERRED.get(group, '')}"
                    yield Problem(present[1], f"`{placed.spec.name}` has both {listed}", advice)
