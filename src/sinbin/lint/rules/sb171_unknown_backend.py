"""SB171: a backend id that names no backend."""

from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place
from sinbin.policy.suggest import closest

_REFERENCES = (
    ("set-backend-service", "backend-id"),
    ("llm-content-safety", "backend-id"),
    ("llm-semantic-cache-lookup", "embeddings-backend-id"),
    ("azure-openai-semantic-cache-lookup", "embeddings-backend-id"),
)


class UnknownBackend(PolicyRule):
    """A backend id that names no backend.

    ## Why
    `backend-id` is the name of a backend or pool, not its title and not its ARM id. A policy that names one
    that does not exist is refused or fails at run time.

    ## Bad
    ```xml
    <set-backend-service backend-id="/subscriptions/…/backends/pool-chat" />
    ```

    ## Good
    ```xml
    <set-backend-service backend-id="pool-chat" />
    ```

    ## Fix
    Write the name of a backend or pool that exists.
    """

    id = "SB171"
    name = "unknown-backend"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/set-backend-service-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:
        """Yield ids that cannot be a name, and, when the backends are known, names of none of them."""
        for element_name, attribute_name in _REFERENCES:
            for placed in place(subject).policies(element_name):
                attribute = placed.element.attribute(attribute_name)
                value = attribute.literal if attribute is not None else None
                if (
                    attribute is None
                    or not value
                    or "$" in value
                    or "__" in value
                    or placed.element.get("dapr-app-id")
                ):
                    continue
                if "/" in value:
                    message = f'`{attribute_name}` is "{value}": an id or a path, not the name of a backend'
                    yield Problem(
                        attribute, message, f'write the name, e.g. "{value.rstrip("/").rpartition("/")[2]}"'
                    )
                elif context.backends is not None and value not in context.backends:
                    suggestion = closest(value, context.backends)
                    known = ", ".join(sorted(context.backends)[:10]) or "none"
                    advice = f"did you mean `{suggestion}`?" if suggestion else f"the backends are {known}"
                    yield Problem(attribute, f'there is no backend "{value}"', advice)
