"""cors: which web pages may call, and the answers to their browsers' preflights."""

from typing import ClassVar

from sinbin.gateway.blocks import Step
from sinbin.gateway.compiler import SectionCompiler
from sinbin.gateway.context import Context
from sinbin.gateway.failures import Finished
from sinbin.gateway.messages import Headers, HttpResponse
from sinbin.gateway.reading import Node
from sinbin.gateway.registry import REFERENCE, Policy
from sinbin.gateway.shape import Attribute, Shape, Text


def _listed(child: str, *, required: bool = False, **attributes: Attribute) -> Shape:
    return Shape(
        attributes=attributes,
        children={child: Shape(text=Text(), required=True, repeated=True)},
        required=required,
    )


class Cors(Policy):
    """Answers preflights and marks replies to the allowed origins."""

    names: ClassVar = ("cors",)
    sections = frozenset({"inbound"})
    shape = Shape(
        attributes={
            "allow-credentials": Attribute("boolean", default=False),
            "terminate-unmatched-request": Attribute("boolean", default=True),
        },
        children={
            "allowed-origins": _listed("origin", required=True),
            "allowed-methods": Shape(
                attributes={"preflight-result-max-age": Attribute("integer", default=0, low=0)},
                children={"method": Shape(text=Text(), required=True, repeated=True)},
            ),
            "allowed-headers": _listed("header"),
            "expose-headers": _listed("header"),
        },
    )
    source = REFERENCE.format("cors")
    assumed = (
        "terminate-unmatched-request is true unless the document says otherwise: the page names both.",
        "A preflight that is not allowed is answered 200 without CORS headers, an unmatched request likewise.",
    )

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:  # noqa: ARG003
        """Return the step that answers preflights and marks replies."""
        origins = _texts(node, "allowed-origins", "origin")
        if "*" in origins and len(origins) > 1:
            node.refuse("takes the origin * only alone")
        methods = _texts(node, "allowed-methods", "method") or ["GET", "POST"]
        headers, exposed = _texts(node, "allowed-headers", "header"), _texts(node, "expose-headers", "header")
        allowed_methods = node.one("allowed-methods")
        max_age = allowed_methods.value("preflight-result-max-age") if allowed_methods else None
        credentials, terminate = node.value("allow-credentials"), node.value("terminate-unmatched-request")

        def marks(context: Context, origin: str) -> list[tuple[str, str]]:
            any_origin = origins == ["*"] and not credentials.read(context)
            found = [("Access-Control-Allow-Origin", "*" if any_origin else origin)]
            if credentials.read(context):
                found.append(("Access-Control-Allow-Credentials", "true"))
            return found

        def preflight(context: Context, origin: str, method: str) -> HttpResponse:
            reply = HttpResponse(200, Headers(), b"")
            asked = context.original.headers.get("Access-Control-Request-Headers")
            names = [name.strip() for name in asked.split(",")] if asked else []
            if _matches(method, methods) and all(_matches(name, headers) for name in names):
                for name, value in marks(context, origin):
                    reply.headers.set(name, value)
                reply.headers.set("Access-Control-Allow-Methods", method if "*" in methods else ",".join(methods))
                if names:
                    reply.headers.set("Access-Control-Allow-Headers", ",".join(names))
                age = max_age.read(context) if max_age else 0
                if age:
                    reply.headers.set("Access-Control-Max-Age", str(age))
            return reply

        def run(context: Context) -> None:
            origin = context.original.headers.get("Origin")
            if origin is None:
                return
            method = context.original.headers.get("Access-Control-Request-Method")
            is_preflight = context.original.method == "OPTIONS" and method is not None
            if origins != ["*"] and origin.rstrip("/") not in origins:
                if is_preflight or terminate.read(context):
                    context.response = HttpResponse(200, Headers(), b"")
                    raise Finished
                return
            if is_preflight and method is not None:
                context.response = preflight(context, origin, method)
                raise Finished
            for name, value in marks(context, origin):
                context.reply_headers.append((name, lambda value=value: value))  # type: ignore[misc]
            if exposed:
                context.reply_headers.append(("Access-Control-Expose-Headers", lambda: ",".join(exposed)))

        return Step(plain=run)


def _texts(node: Node, parent: str, child: str) -> list[str]:
    holder = node.one(parent)
    if holder is None:
        return []
    found = []
    for item in holder.all(child):
        if item.text.known:
            found.append(str(item.text.constant).strip().rstrip("/"))
        else:
            item.refuse("takes no expression here: lists of cors are only modelled as literals")
    return found


def _matches(name: str, allowed: list[str]) -> bool:
    return "*" in allowed or name.lower() in {one.lower() for one in allowed}
