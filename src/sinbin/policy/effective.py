"""The policy that a request meets: `<base />` replaced by the broader scope, fragments put in.

Every step keeps the element it was written as, with file and position, the scope it comes from and the
`include-fragment` it came through.

Source: https://learn.microsoft.com/azure/api-management/set-edit-policies, read 2026-11-29 (base is replaced in
place by the same section of the next broader scope; evaluation starts at the narrowest).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from sinbin.policy.document import SECTIONS, Document
from sinbin.policy.nodes import Element

Scope = Literal["global", "workspace", "product", "api", "operation"]

SCOPES: tuple[Scope, ...] = ("global", "workspace", "product", "api", "operation")
"""Broadest first."""

MAX_STEPS = 20_000
"""A policy with more steps is left with some `<base />` in place; `EffectivePolicy.complete` is then False."""

# Their children describe another message: nothing in them is replaced.
_MESSAGES = frozenset({"send-request", "send-one-way-request", "return-response", "set-body"})


@dataclass(slots=True, eq=False)
class Step:
    """One element of an effective policy; `children` are those of the element with base and fragments expanded."""

    element: Element
    scope: Scope
    through: tuple[Element, ...] = ()
    """The `include-fragment` that brought it in, if any."""
    children: tuple["Step", ...] = ()

    @property
    def name(self) -> str:
        """The element's name."""
        return self.element.name

    def walk(self) -> Iterator["Step"]:
        """Yield this step and all inside it, in order of execution."""
        pending = [self]
        while pending:
            step = pending.pop()
            yield step
            pending.extend(reversed(step.children))


@dataclass(frozen=True, slots=True)
class EffectivePolicy:
    """The four sections as a request meets them."""

    sections: Mapping[str, tuple[Step, ...]]
    missing_fragments: tuple[Element, ...]
    """Each `include-fragment` whose fragment was not given, or that stands in a fragment itself."""
    complete: bool

    def walk(self, *sections: str) -> Iterator[Step]:
        """Yield the steps of `sections` (by default of all), in order."""
        for name in sections or SECTIONS:
            for step in self.sections[name]:
                yield from step.walk()


def expand(
    documents: Mapping[Scope, Document],
    fragments: Mapping[str, Document],
    *,
    missing_section: Literal["inherit", "empty"] = "inherit",
    keep_base: bool = False,
) -> EffectivePolicy:
    """Return what `documents`, one per scope, make together.

    A scope without a document inherits everything. Where there is no global document, its default applies: an
    empty pipeline that forwards the request; the default has no steps here, for nobody wrote them.

    Args:
        documents: the policy document of each scope.
        fragments: the fragment documents by id.
        missing_section: what a document says by leaving a section out. The reference does not tell; `inherit` is
            what `<base />` would do (Source: assumed).
        keep_base: leave `<base />` as a step of its own in the broadest document given, if that is not the global
            one: what it stands for is not known.
    """
    expansion = _Expansion(fragments)
    broadest = next((scope for scope in SCOPES if scope in documents), "global")
    sections: dict[str, tuple[Step, ...]] = {}
    for name in SECTIONS:
        steps = _NO_STEPS
        for scope in SCOPES:
            if scope not in documents:
                continue
            section = documents[scope].section(name)
            if section is None:
                steps = steps if missing_section == "inherit" else _NO_STEPS
            else:
                base = None if keep_base and scope == broadest != "global" else steps
                steps = expansion.steps(section.elements, scope, base)
        sections[name] = steps.steps
    return EffectivePolicy(sections, tuple(expansion.missing), expansion.complete)


class _Steps(NamedTuple):
    """Steps in a row, and how many there are with those inside them."""

    steps: tuple[Step, ...]
    size: int


_NO_STEPS = _Steps((), 0)


def expand_fragment(document: Document) -> tuple[Step, ...]:
    """Return the steps of a fragment, or of bare policies, by themselves; the scope of each is then nominal."""
    root = document.root
    elements = document.elements if root is None else root.elements
    return _Expansion({}).steps(elements, "api", None).steps


@dataclass(slots=True)
class _Expansion:
    fragments: Mapping[str, Document]
    missing: list[Element] = field(default_factory=list)
    complete: bool = True

    def steps(
        self, elements: Sequence[Element], scope: Scope, base: _Steps | None, through: tuple[Element, ...] = ()
    ) -> _Steps:
        found: list[Step] = []
        size = 0
        for element in elements:
            added = self._expand(element, scope, base, through)
            if size + added.size > MAX_STEPS:
                self.complete = False
                added = _Steps((Step(element, scope, through),), 1)
            size += added.size
            found.extend(added.steps)
        return _Steps(tuple(found), size)

    def _expand(self, element: Element, scope: Scope, base: _Steps | None, through: tuple[Element, ...]) -> _Steps:
        if element.name == "base" and base is not None:
            return base
        if element.name == "include-fragment":
            fragment = self.fragments.get(element.get("fragment-id") or "")
            if fragment is None or fragment.root is None or through:
                self.missing.append(element)
                return _Steps((Step(element, scope, through),), 1)
            return self.steps(fragment.root.elements, scope, _NO_STEPS, (element,))
        if not element.elements:
            return _Steps((Step(element, scope, through),), 1)
        children = self.steps(element.elements, scope, _NO_STEPS if element.name in _MESSAGES else base, through)
        return _Steps((Step(element, scope, through, children.steps),), 1 + children.size)
