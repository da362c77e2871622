"""SB505: a secret written into the policy."""

import re
from collections.abc import Iterator

from sinbin.lint.context import Context
from sinbin.lint.finding import Place, Problem, Severity
from sinbin.lint.rule import PolicyRule
from sinbin.policy.document import Document
from sinbin.policy.placement import place

_ADVICE = "use a managed identity or a named value with a secret, and change the key"
_SECRET_NAMES = frozenset(
    {
        "api-key",
        "x-api-key",
        "apikey",
        "authorization",
        "proxy-authorization",
        "ocp-apim-subscription-key",
        "subscription-key",
        "x-functions-key",
        "x-auth-token",
        "code",
        "sig",
    }
)
_KEY_IN_URL = re.compile(r"[?&](?:amp;)?(code|sig|key|api-key|subscription-key)=([^&\s\"'<]+)")
_SCHEME = re.compile(r"^(?:bearer|basic|sharedaccesssignature|token)\s+", re.IGNORECASE)
_UNMISTAKABLE = re.compile(
    r"^\s*(?:Bearer\s+)?(?:sk-[A-Za-z0-9_-]{20,}|eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+)\s*$|(?:AccountKey|SharedAccessKey)=[\w+/]{20,}"
)
"""Keys of OpenAI, tokens and connection strings; a bare row of digits and letters may be an identifier."""
_SHORTEST = 16


class SecretInPolicy(PolicyRule):
    """A secret written into the policy.

    ## Why
    Policy text lies in the repository, in the deployment history and in every export. A key or password in it
    is known to all who see one of these.

    ## Bad
    ```xml
    <set-header name="api-key" exists-action="override"><value>0f3c9a…</value></set-header>
    ```

    ## Good
    ```xml
    <set-header name="api-key" exists-action="override"><value>{{aoai-key}}</value></set-header>
    ```

    ## Fix
    Use a managed identity, or a named value with `secret` from Key Vault; then change the key.
    """

    id = "SB505"
    name = "secret-in-policy"
    severity = Severity.ERROR
    source = "https://learn.microsoft.com/azure/api-management/api-management-howto-properties"

    def check(self, subject: Document, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield each literal value that looks like a key where a key is sent; the finding does not show it."""
        for placed in place(subject).named("set-header", "set-query-parameter"):
            name = (placed.element.literal("name") or "").strip().lower()
            if placed.spec is None or name not in _SECRET_NAMES:
                continue
            for value in placed.element.elements:
                for text in value.texts:
                    if looks_secret(text.literal):
                        yield Problem(text, f"the value of `{name}` is a secret in clear", _ADVICE)
        for placed in place(subject).named("set-variable"):
            stored = placed.element.attribute("value")
            if stored is not None and placed.spec is not None and _UNMISTAKABLE.search(stored.literal or ""):
                yield Problem(stored, "the value of the variable is a secret in clear", _ADVICE)
        for placed in place(subject).named("authentication-basic", "authentication-certificate", "proxy"):
            password = placed.element.attribute("password")
            if password is not None and placed.spec is not None and (password.literal or "").strip():
                yield Problem(password, f"the password of `{placed.element.name}` stands in clear", _ADVICE)
        for placed in place(subject).named("set-url", "set-backend-service"):
            for valued in placed.element.valued():
                for match in _KEY_IN_URL.finditer(subject.source.code, valued.value_start, valued.value_end):
                    if not valued.expressions and looks_secret(match[2]):
                        where = Place(match.span(2), valued.path)
                        yield Problem(where, f"`{match[1]}` in the URL is a secret in clear", _ADVICE)


def looks_secret(value: str | None) -> bool:
    """Return whether `value` has the length and the mixture of a key, not of a word or a placeholder."""
    bare = _SCHEME.sub("", (value or "").strip())
    mixed = any(c.isdigit() for c in bare) and any(c.isalpha() for c in bare)
    placeholder = any(mark in bare for mark in ("{", "$", "<", "__", "...", "…", " "))
    return len(bare) >= _SHORTEST and mixed and not placeholder
