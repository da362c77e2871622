"""SB501: a managed-identity token for another service than the one that is called."""

from collections.abc import Iterator

from sinbin.lint.audiences import audiences_of, host_of
from sinbin.lint.context import Context
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.nodes import Element
from sinbin.policy.placement import Placed, place

_LLM = ("llm-", "azure-openai-")


class WrongTokenAudience(PolicyRule):
    """A managed-identity token for another service than the one that is called.

    ## Why
    The token itself is issued, so everything looks well in API Management; the backend answers 401 "audience
    is incorrect". Azure OpenAI and Foundry accounts take `https://cognitiveservices.azure.com`, Foundry
    projects `https://ai.azure.com`.

    ## Bad
    ```xml
    <!-- the backend is aoai-a.openai.azure.com -->
    <authentication-managed-identity resource="https://management.azure.com/" />
    ```

    ## Good
    ```xml
    <authentication-managed-identity resource="https://cognitiveservices.azure.com" />
    ```

    ## Fix
    Ask for a token of the service that is called.
    """

    id = "SB501"
    name = "wrong-token-audience"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/authentication-managed-identity-policy"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:
        """Yield each token whose audience does not fit the host that gets it, as far as the host is known."""
        for placed in place(subject).named("authentication-managed-identity"):
            resource = placed.element.attribute("resource")
            if resource is None or resource.literal is None or placed.spec is None:
                continue
            host = self._host(subject, placed, context)
            right = audiences_of(host) if host else ()
            value = resource.literal.strip().rstrip("/").lower()
            if right and value not in right and "$" not in value:
                message = f'the token is for "{resource.literal}", but it goes to {host}'
                yield Problem(resource, message, f'write resource="{right[0]}"')

    @staticmethod
    def _host(subject: Document, placed: Placed, context: Context) -> str | None:
        """Return the one host that gets the token; None when it is not known."""
        variable = placed.element.literal("output-token-variable-name")
        if variable is None and placed.element.attribute("output-token-variable-name") is not None:
            return None
        bearers = [placed]
        if variable is not None:
            bearers = [header for header in place(subject).named("set-header") if _reads(header.element, variable)]
        hosts = {_receiver(subject, bearer, context) for bearer in bearers}
        return hosts.pop() if len(hosts) == 1 else None


def _reads(header: Element, variable: str) -> bool:
    return any(
        f'"{variable}"' in expression.code
        for value in header.elements
        for text in value.texts
        for expression in text.expressions
    )


def _receiver(subject: Document, placed: Placed, context: Context) -> str | None:
    """Return the host that gets the message which `placed` is part of: the one around it, else the backend's."""
    around = placed.around
    if around is not None and around.element.name in {"send-request", "send-one-way-request"}:
        urls = [child.text for child in around.element.elements if child.name == "set-url"]
        return host_of(urls[0]) if urls else None
    if context.backend_host:
        return context.backend_host
    urls = [one.element.literal("base-url") or "" for one in place(subject).policies("set-backend-service")]
    hosts = {host for url in urls if (host := host_of(url))}
    if len(hosts) == 1:
        return hosts.pop()
    speaks = any(one.policy is not None and one.policy.name.startswith(_LLM) for one in place(subject).all)
    return "an Azure OpenAI backend" if speaks or context.backend_kind == "azure-openai" else None
