"""What a body may hold, read from the models of the official azure-mgmt packages.

The packages know two styles of model: msrest (`_attribute_map`, `_validation`, enumerations in the annotations
of `__init__`) and the newer one (`rest_field`, annotations on the class). Both become a `Shape`, and nothing
else of sinbin looks inside a model.
"""

import enum
import functools
import importlib
import inspect
import re
import sys
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["object", "array", "map", "string", "integer", "number", "boolean", "duration", "datetime", "any"]

_SCALARS: Mapping[str, Kind] = {
    "str": "string",
    "int": "integer",
    "long": "integer",
    "float": "number",
    "decimal": "number",
    "bool": "boolean",
    "duration": "duration",
    "timedelta": "duration",
    "iso-8601": "datetime",
    "rfc-1123": "datetime",
    "datetime": "datetime",
    "date": "datetime",
    "unix-time": "integer",
    "bytearray": "string",
    "bytes": "string",
    "object": "any",
    "Any": "any",
}


@dataclass(slots=True, kw_only=True)
class Shape:
    """What a JSON value may be."""

    kind: Kind
    name: str = ""
    """Name of the model, for messages."""
    fields: dict[str, "Field"] = field(default_factory=dict)
    """Of an object, by the name on the wire."""
    item: "Shape | None" = None
    """Of an array or a map."""
    values: tuple[str, ...] = ()
    """Of an enumeration."""


@dataclass(slots=True, kw_only=True)
class Field:
    """A member of an object and the bounds of its value."""

    shape: Shape
    required: bool = False
    read_only: bool = False
    bounds: Mapping[str, Any] = field(default_factory=dict)
    """Any of min_length, max_length, pattern, minimum, maximum, min_items, max_items."""


@functools.cache
def shape_of(model: str) -> Shape:
    """Return the shape of a model given as `package.module:Class`."""
    module, _, name = model.partition(":")
    return _shape(getattr(importlib.import_module(module), name), {})


def _shape(model: type, known: dict[type, Shape]) -> Shape:
    if model in known:
        return known[model]
    shape = Shape(kind="object", name=model.__name__)
    known[model] = shape  # before its fields: models refer to themselves
    if hasattr(model, "_attribute_map"):
        _fill_from_attribute_map(shape, model, known)
    else:
        _fill_from_rest_fields(shape, model, known)
    return shape


def _fill_from_attribute_map(shape: Shape, model: Any, known: dict[type, Shape]) -> None:
    validation = model._validation  # noqa: SLF001
    annotations = _init_annotations(model)
    for attribute, entry in model._attribute_map.items():  # noqa: SLF001
        rules = dict(validation.get(attribute, {}))
        *outer, last = (part.replace("\\.", ".") for part in re.split(r"(?<!\\)\.", entry["key"]))
        required = bool(rules.pop("required", False))
        owner = shape
        for part in outer:
            container = owner.fields.setdefault(part, Field(shape=Shape(kind="object", name=shape.name)))
            container.required = container.required or required
            owner = container.shape
        inner = _msrest_type(entry["type"], model, known)
        values = _values(annotations.get(attribute, ""), sys.modules[model.__module__])
        if values and inner.kind in {"string", "any"}:
            inner = Shape(kind="string", name=values[0], values=values[1])
        elif values and inner.item is not None and inner.item.kind == "string":
            inner = Shape(kind=inner.kind, item=Shape(kind="string", name=values[0], values=values[1]))
        owner.fields[last] = Field(
            shape=inner,
            required=required,
            read_only=bool(rules.pop("readonly", False)),
            bounds={key: value for key, value in rules.items() if key != "constant"},
        )


def _init_annotations(model: type) -> dict[str, str]:
    found: dict[str, str] = {}
    for owner in reversed(model.__mro__):
        found.update(
            {k: str(v) for k, v in getattr(owner.__dict__.get("__init__"), "__annotations__", {}).items()}
        )
    return found


def _values(annotation: str, module: Any) -> tuple[str, tuple[str, ...]] | None:
    """Return name and values of the enumeration that an annotation such as `Union[str, "_models.X"]` names."""
    if "str" not in annotation:
        return None
    for name in re.findall(r"_models\.(?:_models\.)?(\w+)", annotation):
        package = importlib.import_module(module.__name__.rpartition(".")[0])
        found = getattr(package, name, None)
        if inspect.isclass(found) and issubclass(found, enum.Enum):
            return name, tuple(str(member.value) for member in found)
    return None


def _msrest_type(text: str, model: type, known: dict[type, Shape]) -> Shape:
    if text[0] in "[{":
        kind: Kind = "array" if text[0] == "[" else "map"
        return Shape(kind=kind, item=_msrest_type(text[1:-1], model, known))
    if text in _SCALARS:
        return Shape(kind=_SCALARS[text])
    package = importlib.import_module(model.__module__.rpartition(".")[0])
    return _shape(getattr(package, text), known)


def _fill_from_rest_fields(shape: Shape, model: Any, known: dict[type, Shape]) -> None:
    model.__new__(model)  # names of the fields on the wire are set when a first instance is made
    for attribute, rest_field in model._attr_to_rest_field.items():  # noqa: SLF001
        owner = next(c for c in model.__mro__ if attribute in inspect.get_annotations(c))
        annotation = inspect.get_annotations(owner)[attribute]
        package = importlib.import_module(owner.__module__.rpartition(".")[0])
        resolved = typing.get_type_hints(
            type("_", (), {"__annotations__": {"field": annotation}}),
            {**vars(sys.modules[owner.__module__]), "_models": package},
        )["field"]
        optional = type(None) in typing.get_args(resolved)
        read_only = rest_field._visibility == ["read"]  # noqa: SLF001
        shape.fields[rest_field._rest_name] = Field(  # noqa: SLF001
            shape=_annotated_type(resolved, known),
            required=not optional and not read_only,
            read_only=read_only,
        )


def _annotated_type(annotation: Any, known: dict[type, Shape]) -> Shape:
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Union:
        options = [a for a in arguments if a is not type(None)]
        for option in options:
            if inspect.isclass(option) and issubclass(option, enum.Enum):
                values = tuple(str(member.value) for member in option)
                return Shape(kind="string", name=option.__name__, values=values)
        return _annotated_type(options[0], known)
    if origin is list:
        return Shape(kind="array", item=_annotated_type(arguments[0], known))
    if origin is dict:
        return Shape(kind="map", item=_annotated_type(arguments[1], known))
    if inspect.isclass(annotation) and hasattr(annotation, "_is_model"):
        return _shape(annotation, known)
    return Shape(kind=_SCALARS.get(getattr(annotation, "__name__", "Any"), "any"))
