"""Which element of the reference each element of a document is, and where its policies stand."""

from collections.abc import Iterator
from dataclasses import dataclass

from sinbin.policy import catalogue
from sinbin.policy.catalogue import ElementSpec, PolicySpec
from sinbin.policy.document import SECTIONS, Document, DocumentKind
from sinbin.policy.nodes import Element
from sinbin.policy.suggest import closest


@dataclass(slots=True, eq=False)
class Placed:
    """An element of a document and what is known of it.

    `spec` is None for an element that the reference does not know at this place; `policy` is set for policies that
    act on the request themselves, not for those that only describe another message (inside `send-request`,
    `return-response` and the like). `section` is None in a fragment and outside of any section. `around` is the
    element it stands in, as placed; None for the outermost.
    """

    element: Element
    spec: ElementSpec | None
    policy: PolicySpec | None
    section: str | None
    around: "Placed | None"

    @property
    def holds_policies(self) -> bool:
        """Whether policies may stand directly inside: a section, a fragment, or a container such as `when`."""
        return self.spec is not None and self.spec.content == "policies"


def attribute_names(placed: Placed) -> set[str]:
    """Return the names of the attributes that are there, each misspelt one under the name that it stands for."""
    known = placed.spec.attributes if placed.spec is not None else {}
    return {
        attribute.name if attribute.name in known else closest(attribute.name, known) or attribute.name
        for attribute in placed.element.attributes
    }


class Placement:
    """The elements of a document that are part of the dialect, in document order.

    What stands inside a body (`set-body`, a data source) is content, not dialect, and is left out.
    """

    def __init__(self, placed: list[Placed]) -> None:
        self.all = placed
        self._by_name: dict[str, list[Placed]] = {}
        for one in placed:
            self._by_name.setdefault(one.element.name, []).append(one)

    def named(self, *names: str) -> list[Placed]:
        """Return the elements with one of `names`; in document order for each name."""
        return [placed for name in names for placed in self._by_name.get(name, ())]

    def policies(self, *names: str) -> list[Placed]:
        """Return the policies with one of `names` that act on the request themselves."""
        return [placed for placed in self.named(*names) if placed.policy is not None]


_SECTIONS = {name: ElementSpec(name, {}, {}, content="policies") for name in SECTIONS}
_POLICIES = ElementSpec("policies", {}, dict(_SECTIONS))
_FRAGMENT = ElementSpec("fragment", {}, {}, content="policies")
_BASE = ElementSpec("base", {}, {})
_TOPS = {"policies": _POLICIES, "fragment": _FRAGMENT}


def place(document: Document) -> Placement:
    """Return which element of the reference each element of `document` is; worked out once per document."""
    if document.placement is None:
        document.placement = Placement(list(_place_all(document)))
    return document.placement


def find_spec(element: Element) -> ElementSpec | None:
    """Return what the reference says of `element` where it stands, also while its document is being parsed."""
    current: Placed | None = None
    for one in reversed([element, *element.ancestors()]):
        current = _place_top(one, None) if current is None else _place_child(one, current)
        if current.spec is None or (current.spec.content == "any" and one is not element):
            return None
    return current.spec if current else None


def has_alternatives(element: Element) -> bool:
    """Return whether control blocks of a template (`{% … %}`) stand directly inside `element`.

    Then not all of its children will be there at once.
    """
    return any("{%" in text.value for text in element.texts)


def _place_all(document: Document) -> Iterator[Placed]:
    pending = [_place_top(element, document.kind) for element in reversed(document.elements)]
    while pending:
        current = pending.pop()
        yield current
        if current.spec is not None and current.spec.content != "any":
            pending.extend(_place_child(child, current) for child in reversed(current.element.elements))


def _place_top(element: Element, kind: DocumentKind | None) -> Placed:
    if element.name in _TOPS:
        return Placed(element, _TOPS[element.name], None, None, None)
    if element.name in _SECTIONS and kind in {DocumentKind.SECTIONS, None}:
        return Placed(element, _SECTIONS[element.name], None, element.name, None)
    if kind in {DocumentKind.STATEMENTS, None}:
        return _place_policy(element, None, None)
    return Placed(element, None, None, None, None)


def _place_child(child: Element, around: Placed) -> Placed:
    spec = around.spec
    if spec is None:
        return Placed(child, None, None, around.section, around)
    if spec is _POLICIES:
        return Placed(child, _SECTIONS.get(child.name), None, child.name, around)
    if spec.content == "policies":
        return _place_policy(child, around, around.section)
    return Placed(child, spec.children.get(child.name), None, around.section, around)


def _place_policy(element: Element, around: Placed | None, section: str | None) -> Placed:
    if element.name == "base":
        return Placed(element, _BASE, None, section, around)
    policy = catalogue.policy(element.name)
    return Placed(element, policy.element if policy else None, policy, section, around)
