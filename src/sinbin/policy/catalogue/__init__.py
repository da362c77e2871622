"""What the policy reference says of every element: one JSON file per policy, read when it is first asked for.

A file holds, beside where and when it was read: the `sections`, `scopes` and `gateways` of the policy, how often
it may stand (`once` per `section` or `document`), and its element. An element has `attributes`, what it holds
(`content`: `policies`, `text` or `any`; nothing otherwise) and its `children`, in the order of the reference.
`evidence: schema` marks what only the editor schema of Microsoft knows, not the reference itself.

Source: https://learn.microsoft.com/azure/api-management/api-management-policies, read 2026-11-29.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

_FOLDER = Path(__file__).parent
_NOTHING: Mapping[str, Any] = MappingProxyType({})

Content = Literal["policies", "text", "any"]


@dataclass(frozen=True, slots=True)
class AttributeSpec:
    """An attribute of the reference.

    `type` is string, integer, number, boolean or enum (then `values` are its words). `expression` is whether a
    policy expression may be its value; None when the reference does not say.
    """

    name: str
    type: str
    required: bool = False
    expression: bool | None = None
    values: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    default: str | None = None
    documented: bool = True
    may_be_empty: bool = False


@dataclass(frozen=True, slots=True)
class ElementSpec:
    """An element of the reference: a policy, or something inside one.

    `minimum` and `maximum` say how often it may stand in its parent; `maximum` None means without limit.
    `exactly_one`, `at_least_one`, `at_most_one` and `together` are groups of attribute names. `open` marks an
    element whose attributes and children are not listed here.
    """

    name: str
    attributes: Mapping[str, AttributeSpec]
    children: Mapping[str, "ElementSpec"]
    content: Content | None = None
    is_policy: bool = False
    minimum: int = 0
    maximum: int | None = None
    ordered: bool = True
    open: bool = False
    documented: bool = True
    only: tuple[str, ...] = ()
    exactly_one: tuple[tuple[str, ...], ...] = ()
    at_least_one: tuple[tuple[str, ...], ...] = ()
    at_most_one: tuple[tuple[str, ...], ...] = ()
    together: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class PolicySpec:
    """A policy of the reference: where it may stand, and its element."""

    name: str
    element: ElementSpec
    sections: tuple[str, ...]
    scopes: tuple[str, ...]
    gateways: tuple[str, ...]
    once: str | None
    in_fragment: bool
    documented: bool
    source: str
    retrieved: str


@cache
def names() -> frozenset[str]:
    """Return the names of all policies."""
    return frozenset(path.stem for path in _FOLDER.glob("*.json"))


def is_policy(name: str) -> bool:
    """Return whether `name` is a policy."""
    return name in names()


@cache
def policy(name: str) -> PolicySpec | None:
    """Return what the reference says of the policy `name`; None when there is no such policy."""
    if name not in names():
        return None
    raw = json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return PolicySpec(
        name=name,
        element=_element(name, raw, is_policy=True),
        sections=tuple(raw["sections"]),
        scopes=tuple(raw["scopes"]),
        gateways=tuple(raw["gateways"]),
        once=raw.get("once"),
        in_fragment=raw.get("fragment", True),
        documented="evidence" not in raw,
        source=raw["source"],
        retrieved=raw["retrieved"],
    )


def _element(name: str, raw: Mapping[str, Any], *, is_policy: bool = False) -> ElementSpec:
    attributes = {key: _attribute(key, value) for key, value in raw.get("attributes", _NOTHING).items()}
    children = {child["name"]: _child(child) for child in raw.get("children", ())}
    groups = {
        key: tuple(tuple(group) for group in raw.get(key, ()))
        for key in ("exactly_one", "at_least_one", "at_most_one", "together")
    }
    return ElementSpec(
        name=name,
        attributes=attributes,
        children=children,
        content=raw.get("content"),
        is_policy=is_policy,
        minimum=raw.get("min", 0),
        maximum=raw.get("max"),
        ordered=raw.get("ordered", True),
        open=raw.get("open", False),
        documented="evidence" not in raw,
        only=tuple(raw.get("only", ())),
        **groups,
    )


def _child(raw: Mapping[str, Any]) -> ElementSpec:
    """Return the spec of a child; one that is a policy itself takes its attributes and children from there."""
    if not raw.get("policy"):
        return _element(raw["name"], raw)
    named = json.loads((_FOLDER / f"{raw['name']}.json").read_text(encoding="utf-8"))
    return _element(raw["name"], named | {key: raw[key] for key in ("min", "max") if key in raw}, is_policy=True)


def _attribute(name: str, raw: Mapping[str, Any]) -> AttributeSpec:
    return AttributeSpec(
        name=name,
        type=raw["type"],
        required=raw.get("required", False),
        expression=raw.get("expression"),
        values=tuple(raw.get("values", ())),
        minimum=raw.get("minimum"),
        maximum=raw.get("maximum"),
        default=raw.get("default"),
        documented="evidence" not in raw,
        may_be_empty=raw.get("empty", False),
    )
