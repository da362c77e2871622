"""What the provider does with one resource: check, compare, create, read, update, delete.

A creation is a PUT at a path that the inputs give, so a creation that was cut off and is done again adopts what
is there, as ARM's PUT does; the real provider refuses an existing resource instead, and asks for an import.
"""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pulumi.runtime.rpc import UNKNOWN

from sinbin.errors import SinbinError
from sinbin.local.control_plane.crud import merge
from sinbin.local.control_plane.judge import judge
from sinbin.local.control_plane.shapes import Shape
from sinbin.local.provider import mapping
from sinbin.local.provider.arm import ArmClient
from sinbin.local.provider.differences import Difference, changed, differences
from sinbin.local.provider.types import PULUMI_TYPES, PulumiType


@dataclass(frozen=True, slots=True)
class Failure:
    """An input that can't be, by its path."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What an update would do."""

    changes: tuple[Difference, ...]
    replaces: tuple[str, ...]
    """Properties whose change needs a new resource."""
    delete_first: bool
    """The new resource has the path of the old one."""


class UnknownTypeError(SinbinError):
    """A type that the local provider does not have."""

    def __init__(self, token: str) -> None:
        super().__init__(
            f'resource type "{token}" is not modelled by the local azure-native provider; it has '
            f"{', '.join(sorted(PULUMI_TYPES))}"
        )


def pulumi_type(token: str) -> PulumiType:
    """Return the type called `token`.

    Raises:
        UnknownTypeError: there is none.
    """
    try:
        return PULUMI_TYPES[token]
    except KeyError:
        raise UnknownTypeError(token) from None


def check(
    kind: PulumiType,
    *,
    name: str,
    old: Mapping[str, Any],
    new: Mapping[str, Any],
    seed: bytes,
    location: str | None,
) -> tuple[dict[str, Any], list[Failure]]:
    """Return the inputs with defaults filled in, and everything that is wrong with them."""
    inputs = dict(new)
    known = mapping.inputs_of(kind)
    failures = [
        Failure(key, _unexpected(kind, key, known))
        for key in inputs
        if key not in known and key not in kind.parameters
    ]
    if "location" in known and inputs.get("location") is None and location is not None:
        inputs["location"] = location
    last = kind.parameters[-1]
    if inputs.get(last) is None:
        inputs[last] = old.get(last) or _auto_name(kind, name, seed)
    failures += [
        Failure(key, f"missing required property `{key}`") for key in kind.parameters if inputs.get(key) is None
    ]
    accepted = {key: value for key, value in inputs.items() if key in known or key in kind.parameters}
    _, problems = judge(mapping.to_body(kind, accepted), kind.kind.shape(), unknown=UNKNOWN)
    failures += [Failure(mapping.pulumi_path(kind, problem.path), problem.message) for problem in problems]
    # The wire does not keep the order of properties: by path, two runs say the same.
    return inputs, sorted(failures, key=lambda failure: failure.path)


def plan(kind: PulumiType, old: Mapping[str, Any], new: Mapping[str, Any]) -> Plan:
    """Return what changes from the inputs `old` to `new`."""
    found = tuple(sorted(differences(dict(old), dict(new)), key=lambda change: change.path))
    fixed = {*kind.parameters, *kind.replace_on}
    if kind.kind.located:
        fixed.add("location")
    replaces = tuple(dict.fromkeys(change.path for change in found if change.root in fixed))
    stays = not any(change.root in kind.parameters for change in found)
    return Plan(changes=found, replaces=replaces, delete_first=bool(replaces) and stays)


def create(kind: PulumiType, arm: ArmClient, inputs: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Create the resource and return its id and outputs."""
    path = mapping.path_of(kind, inputs, arm.subscription)
    arm.put(path, kind.api_version, mapping.to_body(kind, inputs))
    body = _read_back(kind, arm, path, inputs)
    if body is None:
        raise SinbinError(f"{path}: was created and then was gone; somebody else deletes it at the same time")
    return body["id"], mapping.to_outputs(kind, body)


def update(kind: PulumiType, arm: ArmClient, resource_id: str, inputs: dict[str, Any]) -> dict[str, Any]:
    """Replace the resource's body and return its outputs."""
    arm.put(resource_id, kind.api_version, mapping.to_body(kind, inputs))
    body = _read_back(kind, arm, resource_id, inputs)
    if body is None:
        raise SinbinError(
            f"{resource_id}: was updated and then was gone; somebody else deletes it at the same time"
        )
    return mapping.to_outputs(kind, body)


def read(
    kind: PulumiType, arm: ArmClient, resource_id: str, inputs: dict[str, Any], outputs: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Return inputs and outputs as the resource now is, None when it is gone.

    With no `inputs` (an import) every output that can be an input is one.
    """
    parameters = mapping.parameters_of(kind, resource_id)
    if parameters is None:
        raise SinbinError(f'"{resource_id}" is no id of {kind.token}; ids look like {kind.path}')
    body = _read_back(kind, arm, resource_id, inputs)
    if body is None:
        return None
    current = mapping.to_outputs(kind, body)
    if not inputs:
        return {**mapping.to_inputs(kind, body), **parameters}, current
    # What has the name of a member of the envelope (`type`) is hidden by it in the outputs: not compared.
    possible = mapping.inputs_of(kind).keys() - (mapping.ENVELOPE if kind.flat else set())
    before = {key: value for key, value in outputs.items() if key in possible}
    after = {key: value for key, value in current.items() if key in possible}
    return changed(before, after, inputs), current


def delete(kind: PulumiType, arm: ArmClient, resource_id: str) -> None:
    """Delete the resource; it is no error when it is gone already."""
    arm.delete(resource_id, kind.api_version)


def secret_names(kind: PulumiType, properties: Mapping[str, Any], marked: set[str]) -> set[str]:
    """Return which of `properties` are secret: those `marked` by the program, and the type's own."""
    own = set(kind.secrets)
    if kind.secret_if is not None and properties.get(kind.secret_if[0]) is not False:
        own.add(kind.secret_if[1])
    return (marked | own) & properties.keys()


def previewed(kind: PulumiType, inputs: Mapping[str, Any], old: Mapping[str, Any]) -> dict[str, Any]:
    """Return the outputs of a resource in a preview, as far as they are known.

    An input that Azure adds to (the identity gets a principal) is left out of a resource that is new, so that it
    is unknown as a whole, and laid over its `old` value in one that changes.
    """
    possible = mapping.inputs_of(kind)
    mixed = {name for name in inputs if name in possible and _has_read_only(possible[name].shape)}
    plain = {name: value for name, value in inputs.items() if name not in mixed}
    return {**old, **plain, **{name: merge(old[name], inputs[name]) for name in mixed if name in old}}


def _has_read_only(shape: Shape, depth: int = 4) -> bool:
    if depth == 0:
        return False
    inside = [field.shape for field in shape.fields.values()] + ([shape.item] if shape.item else [])
    return any(field.read_only for field in shape.fields.values()) or any(
        _has_read_only(inner, depth - 1) for inner in inside
    )


def _read_back(kind: PulumiType, arm: ArmClient, path: str, inputs: Mapping[str, Any]) -> dict[str, Any] | None:
    written = str(inputs.get("format") or "rawxml")
    query = {"format": written} if kind.text_format else {}
    body = arm.get(path, kind.api_version, **query)
    if body is not None and kind.text_format:
        body = {**body, "properties": {**body["properties"], "format": written}}
    return body


def _unexpected(kind: PulumiType, key: str, known: Iterable[str]) -> str:
    if key in kind.unmodelled:
        return f"property `{key}` is not modelled by the local azure-native provider; leave it out"
    return f"unexpected property `{key}`; known: {', '.join(sorted([*kind.parameters, *known]))}"


def _auto_name(kind: PulumiType, name: str, seed: bytes) -> str:
    match kind.naming:
        case "copy":
            return name
        case "uuid":
            return str(uuid.UUID(bytes=(seed + bytes(16))[:16], version=4))
        case _:
            return f"{name}{seed.hex()[:8]}"
