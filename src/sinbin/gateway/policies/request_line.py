"""set-backend-service, rewrite-uri, set-method: where a request goes."""

import re
from typing import ClassVar
from urllib.parse import quote

from sinbin.gateway.blocks import Step, calling
from sinbin.gateway.compiler import SectionCompiler
from sinbin.gateway.context import Context
from sinbin.gateway.reading import Node
from sinbin.gateway.registry import REFERENCE, Policy
from sinbin.gateway.shape import Attribute, Shape, Text
from sinbin.gateway.url import Url

_FABRIC = (
    "sf-resolve-condition",
    "sf-service-instance-name",
    "sf-partition-key",
    "sf-replica-type",
    "sf-listener-name",
    "dapr-app-id",
    "dapr-method",
    "dapr-namespace",
)
_PARAMETER = re.compile(r"\{\*?([^{}]+)\}")


class SetBackendService(Policy):
    """Chooses the backend, the pool or the base URL for forwards to come; the last one that runs wins."""

    names: ClassVar = ("set-backend-service",)
    sections = frozenset({"inbound", "backend"})
    shape = Shape(
        attributes={"backend-id": Attribute(), "base-url": Attribute()},
        refused=dict.fromkeys(_FABRIC, "Service Fabric and Dapr are not modelled"),
    )
    source = REFERENCE.format("set-backend-service")
    assumed = ("A base URL set after a backend id replaces it.",)

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:
        """Return the step that chooses."""
        if node.has("backend-id") == node.has("base-url"):
            node.refuse("takes exactly one of backend-id and base-url")
        value = node.value("backend-id" if node.has("backend-id") else "base-url")
        if node.has("base-url"):
            return Step(
                written=lambda writer: writer.line(
                    f"context.base_url, context.target = {value.code(writer)}, None"
                )
            )
        known = compiler.loader.backends
        if value.known and value.constant not in known:
            names = ", ".join(sorted(known)) or "none"
            node.refuse(
                f'names the backend "{value.constant}", which is not there (backends and pools: {names})',
                "backend-id",
            )

        return Step(written=lambda writer: writer.line(f"context.target = {value.code(writer)}"))


class RewriteUri(Policy):
    """Changes path and query for the backend."""

    names: ClassVar = ("rewrite-uri",)
    sections = frozenset({"inbound"})
    shape = Shape(
        attributes={
            "template": Attribute("text", required=True),
            "copy-unmatched-params": Attribute("boolean", default=True),
        }
    )
    source = REFERENCE.format("rewrite-uri")
    assumed = ("A parameter of the URL template that the new template names is not copied to the query.",)

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:  # noqa: ARG003
        """Return the step that rewrites."""

        def rewrite(context: Context, template: str, copy: bool) -> None:
            request, parameters = context.request, context.matched
            if "{" in template:
                template = _PARAMETER.sub(
                    lambda found: quote(parameters.get(found[1], found[0]), safe="/{}*"), template
                )
            path, _, query = template.partition("?")
            old = request.url
            copied = old.query_string if copy else ""
            url = Url(old.scheme, old.host, path if path.startswith("/") else f"/{path}", query or copied)
            if query and copied:
                for name, values in old.pairs.items():
                    if not url.query_values(name):
                        url.set_query(name, list(values))
            request.url = url

        return calling(rewrite, node.value("template"), node.value("copy-unmatched-params"))


class SetMethod(Policy):
    """Changes the method of the request."""

    names: ClassVar = ("set-method",)
    sections = frozenset({"inbound", "on-error"})
    shape = Shape(text=Text())
    source = REFERENCE.format("set-method")

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:  # noqa: ARG003
        """Return the step that sets the method."""
        method = node.text

        def assign(context: Context) -> None:
            context.request.method = method.read(context).strip().upper()

        return Step(plain=assign)
