"""Inputs of a Pulumi resource to an ARM body, and an ARM answer to outputs.

azure-native spells every name in lower camel case without underscores (`applicationType`), ARM as the service
likes (`Application_Type`); the shape of the body says which is meant. An input that ARM has beside `properties`
(location, sku, tags …) goes there, any other into `properties`.
"""

from typing import Any
from urllib.parse import quote

from sinbin.local.control_plane.shapes import Field, Shape
from sinbin.local.provider.types import PulumiType

ENVELOPE = frozenset({"id", "name", "type", "properties", "systemData"})


def path_of(kind: PulumiType, inputs: dict[str, Any], subscription: str) -> str:
    """Return the ARM path of the resource with these inputs, all of which are known."""
    path = kind.path.replace("{subscriptionId}", quote(subscription))
    for name in kind.parameters:
        value = str(inputs[name])
        path = path.replace(f"{{{name}}}", value.strip("/") if name == "scope" else quote(value))
    return path


def parameters_of(kind: PulumiType, resource_id: str) -> dict[str, str] | None:
    """Return the inputs that are part of the path `resource_id`, None when it is no path of this type."""
    pattern, given = kind.path.strip("/").split("/"), resource_id.strip("/").split("/")
    found: dict[str, str] = {}
    if pattern[0] == "{scope}":
        extra = len(given) - len(pattern)
        given = ["/".join(given[: extra + 1]), *given[extra + 1 :]]
    if len(pattern) != len(given):
        return None
    for word, value in zip(pattern, given, strict=True):
        if word.startswith("{"):
            found[word[1:-1]] = value
        elif word.lower() != value.lower():
            return None
    found.pop("subscriptionId", None)
    if "scope" in found:
        found["scope"] = "/" + found["scope"]
    return found


def inputs_of(kind: PulumiType) -> dict[str, Field]:
    """Return the body's inputs by their Pulumi names."""
    shape = kind.kind.shape()
    found = {
        pulumi_name(name): field
        for name, field in shape.fields.items()
        if name not in ENVELOPE and not field.read_only
    }
    if "properties" in shape.fields:
        properties = shape.fields["properties"]
        if not kind.flat:
            return {**found, "properties": properties}
        inner = {_called(kind, n): f for n, f in properties.shape.fields.items() if not f.read_only}
        found = {**inner, **found}
    return {name: field for name, field in found.items() if name not in kind.parameters}


def to_body(kind: PulumiType, inputs: dict[str, Any]) -> dict[str, Any]:
    """Return the ARM body of `inputs`; names that ARM does not know are kept, so that it can refuse them."""
    shape = kind.kind.shape()
    inner = shape.fields["properties"].shape if "properties" in shape.fields else Shape(kind="object")
    outer = {pulumi_name(n): n for n, f in shape.fields.items() if n not in ENVELOPE and not f.read_only}
    body: dict[str, Any] = {}
    properties: dict[str, Any] = {}
    for name, value in inputs.items():
        if name in kind.parameters:
            continue
        if not kind.flat and name == "properties":
            body["properties"] = _to_arm(value, inner)
        elif name in outer:
            body[outer[name]] = _to_arm(value, shape.fields[outer[name]].shape)
        else:
            arm, field = _member(inner, kind.renames.get(name, name))
            properties[arm] = _to_arm(value, field.shape if field else None)
    if kind.flat and "properties" in shape.fields:
        body["properties"] = properties
    return body


def to_outputs(kind: PulumiType, body: dict[str, Any]) -> dict[str, Any]:
    """Return the outputs that the ARM answer `body` stands for."""
    shape = kind.kind.shape()
    envelope = dict(body)
    outputs = {}
    if kind.flat:
        inner = shape.fields["properties"].shape if "properties" in shape.fields else Shape(kind="object")
        for name, value in (envelope.pop("properties", None) or {}).items():
            field = inner.fields.get(name)
            outputs[_called(kind, name)] = _to_pulumi(value, field.shape if field else None)
    # The resource's own id, name and type win over properties that are called so in Pulumi.
    for name, value in envelope.items():
        field = shape.fields.get(name)
        outputs[pulumi_name(name)] = _to_pulumi(value, field.shape if field else None)
    outputs.pop("id", None)
    return {**outputs, "azureApiVersion": kind.api_version}


def to_inputs(kind: PulumiType, body: dict[str, Any]) -> dict[str, Any]:
    """Return the inputs that the ARM answer `body` stands for, without those that are part of the path."""
    possible = inputs_of(kind)
    rest = {name: value for name, value in body.items() if name not in ENVELOPE}
    if kind.flat:
        # Without the envelope a property that is called like one of its members (`type`) is not hidden by it.
        found = to_outputs(kind, {"properties": body.get("properties")}) | to_outputs(kind, rest)
    else:
        found = to_outputs(kind, body)
    return {name: value for name, value in found.items() if name in possible and value is not None}


def pulumi_name(name: str) -> str:
    """Return the name that azure-native gives to the ARM member `name`."""
    joined = "".join(part[:1].upper() + part[1:] for part in name.split("_"))
    return joined[:1].lower() + joined[1:] if joined else name


def pulumi_path(kind: PulumiType, path: str) -> str:
    """Return a dotted path into an ARM body as a path into the inputs."""
    parts = path.split(".")
    if kind.flat and parts[0] == "properties":
        parts = parts[1:]
    return ".".join(pulumi_name(part) for part in parts)


def _called(kind: PulumiType, name: str) -> str:
    """Return what azure-native calls the member `name` of `properties`."""
    for called, arm in kind.renames.items():
        if arm == name:
            return called
    return pulumi_name(name)


def _member(shape: Shape, name: str) -> tuple[str, Field | None]:
    for arm, field in shape.fields.items():
        if name in {arm, pulumi_name(arm)}:
            return arm, field
    return name, None


def _to_arm(value: Any, shape: Shape | None) -> Any:
    if isinstance(value, list):
        return [_to_arm(inner, shape.item if shape else None) for inner in value]
    if isinstance(value, dict):
        if shape is None or shape.kind != "object":
            return {name: _to_arm(inner, shape.item if shape else None) for name, inner in value.items()}
        members = {name: _member(shape, name) for name in value}
        return {
            members[name][0]: _to_arm(inner, members[name][1].shape if members[name][1] else None)  # type: ignore[union-attr]
            for name, inner in value.items()
        }
    return value


def _to_pulumi(value: Any, shape: Shape | None) -> Any:
    if isinstance(value, list):
        return [_to_pulumi(inner, shape.item if shape else None) for inner in value]
    if isinstance(value, dict):
        if shape is None or shape.kind != "object":
            return {name: _to_pulumi(inner, shape.item if shape else None) for name, inner in value.items()}
        return {
            pulumi_name(name): _to_pulumi(inner, shape.fields[name].shape if name in shape.fields else None)
            for name, inner in value.items()
        }
    return value
