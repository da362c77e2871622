"""A policy document together with what it becomes under its broader scopes."""

from functools import lru_cache

from sinbin.lint.context import Context
from sinbin.policy.document import SECTIONS, Document, DocumentKind
from sinbin.policy.effective import SCOPES, EffectivePolicy, Step, expand, expand_fragment
from sinbin.policy.nodes import Element
from sinbin.policy.parser import parse_text

UNKNOWN = frozenset({"base", "include-fragment"})
"""Steps that are left in place: nothing is known of what they stand for."""

_parse = lru_cache(maxsize=64)(parse_text)


class Judged:
    """The subject of rules about what happens to a request.

    Fragments that the context knows are put in; `<base />` is replaced when the context knows broader scopes, and
    stays a step of its own otherwise. A fragment and bare policies have their steps in no section.
    """

    def __init__(self, document: Document, effective: EffectivePolicy, loose: tuple[Step, ...] = ()) -> None:
        self.document = document
        self.effective = effective
        self.loose = loose
        self._by_name: dict[str, list[tuple[str | None, Step]]] | None = None

    def named(self, *names: str) -> list[tuple[str | None, Step]]:
        """Return the steps with one of `names` and the section of each; in order for each name."""
        if self._by_name is None:
            self._by_name = {}
            tops: list[tuple[str | None, tuple[Step, ...]]] = [
                *self.effective.sections.items(),
                (None, self.loose),
            ]
            for section, steps in tops:
                for step in (inner for top in steps for inner in top.walk()):
                    self._by_name.setdefault(step.name, []).append((section, step))
        return [found for name in names for found in self._by_name.get(name, ())]

    def is_own(self, step: Step) -> bool:
        """Return whether the step is written in the document itself."""
        return step.element.source is self.document.source

    def where(self, step: Step) -> Element:
        """Return what to point at in the document: the step, what included it, or the base that brought it in."""
        for element in (step.element, *step.through):
            if element.source is self.document.source:
                return element
        section = next((around.name for around in step.element.ancestors() if around.name in SECTIONS), None)
        bases = self.document.named("base")
        same = [base for base in bases if any(around.name == section for around in base.ancestors())]
        return (same or bases or self.document.elements)[0]


def judged(document: Document, context: Context) -> Judged:
    """Return `document` with what `context` knows of its surroundings."""
    whole = document.kind in {DocumentKind.POLICIES, DocumentKind.SECTIONS}
    if not whole or context.scope == "fragment":
        return Judged(document, expand({}, {}), expand_fragment(document))
    parents = {
        scope: _parse(text, f"{scope}.xml")
        for scope, text in context.parents.items()
        if scope in SCOPES and SCOPES.index(scope) < SCOPES.index(context.scope)
    }
    fragments = {name: _parse(text, f"{name}.xml") for name, text in (context.fragments or {}).items()}
    documents = {**parents, context.scope: document}
    return Judged(document, expand(documents, fragments, keep_base=True))
