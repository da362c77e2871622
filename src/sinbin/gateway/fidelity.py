"""What is claimed about API Management's behaviour, and on what ground: read by the fidelity page.

Claims about a policy stand on its class (`source`, `assumed`, `differs`, `shape`); what belongs to
no policy stands in `claims.yaml`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Literal

import yaml

from sinbin.gateway.registry import Policy, policies
from sinbin.gateway.shape import Attribute, Shape
from sinbin.policy import catalogue
from sinbin.policy.catalogue import ElementSpec

State = Literal["modelled", "assumed", "differs", "refused"]
"""modelled: as the source says; assumed: no source; differs: otherwise in Azure; refused: not there, told so."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim: the part of the gateway, what it does, and the source (empty for what is assumed)."""

    part: str
    behaviour: str
    state: State
    source: str = ""


@cache
def claims() -> tuple[Claim, ...]:
    """Return the claims that belong to no policy, in the order of `claims.yaml`."""
    text = resources.files("sinbin.gateway").joinpath("claims.yaml").read_text("utf-8")
    found = []
    for part, entries in yaml.safe_load(text).items():
        for entry in entries:
            source = entry.pop("source", "")
            [(state, behaviour)] = entry.items()
            found.append(Claim(part, behaviour, state, source))
    return tuple(found)


def policy_classes() -> list[type[Policy]]:
    """Return every modelled policy once, by its first name in alphabetical order."""
    return sorted(set(policies().values()), key=lambda policy: policy.names[0])


def attribute_rows(policy: type[Policy]) -> Iterator[tuple[str, str]]:
    """Yield each attribute and child of `policy` with how far it is modelled; the rest of the reference last."""
    reference = catalogue.policy(policy.names[0])
    yield from _rows(policy.shape, None if reference is None else reference.element, "")


def _rows(shape: Shape, reference: ElementSpec | None, prefix: str) -> Iterator[tuple[str, str]]:
    for name, attribute in shape.attributes.items():
        yield f"{prefix}{name}", _described(attribute)
    for name, reason in shape.refused.items():
        yield f"{prefix}{name}", f"refused: {reason}"
    for name, child in shape.children.items():
        yield f"{prefix}<{name}>", "modelled"
        yield from _rows(child, reference.children.get(name) if reference else None, f"{prefix}<{name}> ")
    if reference is not None:
        known = {*shape.attributes, *shape.refused, "id"}
        for name in reference.attributes:
            if name not in known:
                yield f"{prefix}{name}", "refused"
        for name in reference.children:
            if name not in shape.children and not shape.policies:
                yield f"{prefix}<{name}>", "refused"


def _described(attribute: Attribute) -> str:
    parts = ["modelled"]
    if attribute.choices:
        parts.append(f"one of {', '.join(attribute.choices)}")
    if attribute.low is not None:
        parts.append(f"from {attribute.low:g}" + ("" if attribute.high is None else f" to {attribute.high:g}"))
    if not attribute.expression:
        parts.append("no expression")
    if attribute.note:
        parts.append(attribute.note.rstrip("."))
    return "; ".join(parts)
