"""cache-lookup and cache-store: answer a GET from the cache, and keep its reply there."""

from collections.abc import Callable
from typing import ClassVar

from sinbin.gateway.blocks import Step
from sinbin.gateway.compiler import SectionCompiler
from sinbin.gateway.context import CacheKey, Context
from sinbin.gateway.failures import Finished
from sinbin.gateway.messages import HttpResponse
from sinbin.gateway.policies.cached_values import CACHING_TYPE, DIFFERS
from sinbin.gateway.reading import Node
from sinbin.gateway.registry import REFERENCE, Policy
from sinbin.gateway.shape import Attribute, Shape, Text

LARGEST = 2 * 1024 * 1024
"""Bytes of a reply that is kept.

Source: https://learn.microsoft.com/azure/api-management/service-limits, read 2026-11-29
"""


class CacheLookup(Policy):
    """Answers a GET with the reply that was kept for the same URL."""

    names: ClassVar = ("cache-lookup",)
    sections = frozenset({"inbound"})
    shape = Shape(
        attributes={
            "vary-by-developer": Attribute("boolean", required=True),
            "vary-by-developer-groups": Attribute(
                "boolean",
                required=True,
                note='"true" is refused unless vary-by-developer is "true", too: groups are not known.',
            ),
            "caching-type": CACHING_TYPE,
            "downstream-caching-type": Attribute(
                "text", default="none", choices=("none", "private", "public"), note="No header is written for it."
            ),
            "must-revalidate": Attribute("boolean", default=True, note="No header is written for it."),
            "allow-private-response-caching": Attribute("boolean", default=False),
        },
        children={
            "vary-by-header": Shape(text=Text(), repeated=True),
            "vary-by-query-parameter": Shape(text=Text(), repeated=True),
        },
    )
    source = REFERENCE.format("cache-lookup")
    assumed = (
        "A hit ends the pipeline: outbound does not run.",
        "Without vary-by-query-parameter every parameter counts, save that of the subscription key.",
        "A developer is the owner of the subscription, or the subscription where no owner is known.",
    )
    differs = (*DIFFERS, "Cache-Control for caches between gateway and caller is not written.")

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:  # noqa: ARG003
        """Return the step that answers a hit, and leaves the key of a miss for cache-store."""
        _refuse_groups(node)
        private, by_developer = (
            node.value("allow-private-response-caching").read,
            node.value("vary-by-developer").read,
        )
        headers, parameters = _names(node, "vary-by-header"), _names(node, "vary-by-query-parameter")

        def look_up(context: Context) -> None:
            request = context.request
            if request.method != "GET" or ("Authorization" in context.original.headers and not private(context)):
                return
            api = context.api
            skipped = "" if api is None else api.key_query.lower()
            wanted = {name.lower() for name in parameters(context)}
            query = tuple(
                (name.lower(), tuple(values))
                for name, values in sorted(context.original_url.pairs.items())
                if (name.lower() in wanted if wanted else name.lower() != skipped)
            )
            varied = tuple((name.lower(), request.headers.get(name)) for name in headers(context))
            developer = _developer(context) if by_developer(context) else ""
            key = ("response", context.original_url.path, query, varied, developer)
            found = context.instance.service.cache.get(key, context.now)
            if found is None:
                context.cache_key = key
                return
            if context.trace is not None:
                context.note("answers from the cache")
            context.response = _copy(found.value)
            raise Finished

        return Step(plain=look_up)


def _refuse_groups(node: Node) -> None:
    """Refuse what would need the groups of developers; a reply for each developer needs none."""
    groups, developer = node.value("vary-by-developer-groups"), node.value("vary-by-developer")
    harmless = (groups.known and not groups.constant) or (developer.known and developer.constant)
    if not harmless:
        node.refuse(
            'knows no groups: vary-by-developer-groups must be "false", or vary-by-developer "true"',
            "vary-by-developer-groups",
        )


def _names(node: Node, child: str) -> Callable[[Context], list[str]]:
    texts = [one.text.read for one in node.all(child)]
    return lambda context: [name.strip() for text in texts for name in text(context).split(";") if name.strip()]


def _developer(context: Context) -> str:
    subscription = context.subscription
    if subscription is None:
        return ""
    return subscription.id if subscription.user is None else subscription.user.id


def _copy(reply: HttpResponse) -> HttpResponse:
    return HttpResponse(reply.status, reply.headers.copy(), reply.body, reply.reason)


class CacheStore(Policy):
    """Keeps the reply to a GET that cache-lookup has not found."""

    names: ClassVar = ("cache-store",)
    sections = frozenset({"outbound"})
    shape = Shape(
        attributes={
            "duration": Attribute("number", required=True, low=1),
            "cache-response": Attribute("boolean"),
        }
    )
    source = REFERENCE.format("cache-store")
    assumed = (
        "A reply is read to its end before it is kept, so it does not stream.",
        "A reply with Set-Cookie is kept like any other: who is answered from it gets the cookie.",
    )
    differs = DIFFERS

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:
        """Return the step that keeps the reply."""
        duration, wanted = node.value("duration").read, node.value("cache-response").read
        compiler.loader.reads_reply = True

        def store(context: Context) -> None:
            key: CacheKey | None = context.cache_key
            reply = context.response
            if key is None or reply is None or not isinstance(reply.body, bytes) or len(reply.body) > LARGEST:
                return
            asked = wanted(context)
            if reply.status == 200 if asked is None else asked:
                context.instance.service.cache.put(key, _copy(reply), context.now, duration(context))

        return Step(plain=store)
