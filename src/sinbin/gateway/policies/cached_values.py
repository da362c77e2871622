"""cache-lookup-value, cache-store-value, cache-remove-value: values between requests."""

from typing import ClassVar

from sinbin.gateway.blocks import Step
from sinbin.gateway.compiler import SectionCompiler
from sinbin.gateway.context import Context
from sinbin.gateway.reading import Node
from sinbin.gateway.registry import ALL_SECTIONS, REFERENCE, Policy
from sinbin.gateway.shape import Attribute, Shape

_KEY = Attribute("text", required=True)
CACHING_TYPE = Attribute(
    "text",
    expression=False,
    choices=("prefer-external", "external", "internal"),
    note="One cache stands for all of them.",
)
DIFFERS = ("All instances share one cache, and nothing is evicted before its time.",)


class LookUpValue(Policy):
    """Puts a cached value into a variable; on a miss the default, or nothing."""

    names: ClassVar = ("cache-lookup-value",)
    sections = ALL_SECTIONS
    shape = Shape(
        attributes={
            "key": _KEY,
            "variable-name": Attribute("text", required=True, expression=False),
            "default-value": Attribute("any"),
            "caching-type": CACHING_TYPE,
        }
    )
    source = REFERENCE.format("cache-lookup-value")
    assumed = ("On a miss without a default the variable is not set.",)
    differs = DIFFERS

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:  # noqa: ARG003
        """Return the step that looks up."""
        key, variable = node.value("key").read, node.constant("variable-name")
        default, has_default = node.value("default-value").read, node.has("default-value")

        def look_up(context: Context) -> None:
            found = context.instance.service.cache.get(key(context), context.now)
            if found is not None:
                context.variables[variable] = found.value
            elif has_default:
                context.variables[variable] = default(context)

        return Step(plain=look_up)


class StoreValue(Policy):
    """Keeps a value under a key for a number of seconds."""

    names: ClassVar = ("cache-store-value",)
    sections = ALL_SECTIONS
    shape = Shape(
        attributes={
            "key": _KEY,
            "value": Attribute("any", required=True),
            "duration": Attribute("number", required=True, low=1),
            "caching-type": CACHING_TYPE,
        }
    )
    source = REFERENCE.format("cache-store-value")
    assumed = ("A value keeps its type; an object that is changed after it was stored changes in the cache too.",)
    differs = DIFFERS

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:  # noqa: ARG003
        """Return the step that stores."""
        key, value, duration = node.value("key").read, node.value("value").read, node.value("duration").read

        def store(context: Context) -> None:
            context.instance.service.cache.put(key(context), value(context), context.now, duration(context))

        return Step(plain=store)


class RemoveValue(Policy):
    """Forgets the value of a key."""

    names: ClassVar = ("cache-remove-value",)
    sections = ALL_SECTIONS
    shape = Shape(
        attributes={
            "key": _KEY,
            "caching-type": CACHING_TYPE,
            "fail-on-cache-removal-error": Attribute("boolean", default=False, note="Removal never fails."),
        }
    )
    source = REFERENCE.format("cache-remove-value")
    differs = DIFFERS

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:  # noqa: ARG003
        """Return the step that forgets."""
        key = node.value("key").read
        return Step(plain=lambda context: context.instance.service.cache.remove(key(context)))
