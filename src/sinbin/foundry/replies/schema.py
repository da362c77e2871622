"""The smallest value that a JSON Schema allows: what JSON mode and tool calls answer with."""

from collections.abc import Mapping
from typing import Any

from sinbin.foundry.replies.errors import model_error

_SIMPLE: dict[str, Any] = {"string": "text", "integer": 1, "number": 1.0, "boolean": True, "null": None}
_MAX_DEPTH = 20
_MAX_ITEMS = 100
_MAX_LENGTH = 10_000


def example_of(schema: Mapping[str, Any], text: str = "text") -> Any:
    """Return a small value that satisfies `schema`; its strings are `text`.

    Objects get every property that is required, or all of them when none is named as required.

    Raises:
        WireError: the schema uses something that is not modelled, or is nested too deeply.
    """
    try:
        return _example(schema, schema, text, 0)
    except (TypeError, ValueError, AttributeError, LookupError):
        raise _refused("a malformed schema") from None


def _example(schema: Any, root: Mapping[str, Any], text: str, depth: int) -> Any:
    if not isinstance(schema, Mapping) or depth > _MAX_DEPTH:
        raise _refused("a schema that is no object or is nested too deeply")
    if "$ref" in schema:
        return _example(_resolve(schema["$ref"], root), root, text, depth + 1)
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        return schema["enum"][0]
    for choice in ("anyOf", "oneOf"):
        if schema.get(choice):
            return _example(schema[choice][0], root, text, depth + 1)
    kind = schema.get("type", "object" if "properties" in schema else None)
    if isinstance(kind, list) and kind:
        kind = kind[0]
    if kind == "object":
        properties = schema.get("properties", {})
        names = schema.get("required") or list(properties)
        return {name: _example(properties.get(name, {"type": "string"}), root, text, depth + 1) for name in names}
    if kind == "array":
        if "items" not in schema:
            return []
        return [_example(schema["items"], root, text, depth + 1)] * min(schema.get("minItems", 1), _MAX_ITEMS)
    if kind == "string":
        return text.ljust(min(schema.get("minLength", 0), _MAX_LENGTH), ".")
    if kind in ("integer", "number"):
        low = schema.get("minimum", schema.get("exclusiveMinimum", 0) + 1)
        return min(low, schema["maximum"]) if "maximum" in schema else low
    if kind in _SIMPLE:
        return _SIMPLE[kind]
    raise _refused(f"a schema of type {kind!r}")


def _resolve(reference: Any, root: Mapping[str, Any]) -> Any:
    if not isinstance(reference, str) or not reference.startswith("#"):
        raise _refused(f"the reference {reference!r}")
    target: Any = root
    for part in reference[1:].split("/")[1:]:
        target = target.get(part) if isinstance(target, Mapping) else None
    return target


def _refused(what: str) -> Exception:
    return model_error(f"Invalid schema: {what} is not modelled by this local region.", code="invalid_json_schema")
