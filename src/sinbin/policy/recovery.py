"""The elements that are open while parsing, and what to make of end tags that do not fit."""

from difflib import SequenceMatcher

from sinbin.policy.document import SECTIONS, Document
from sinbin.policy.nodes import Element
from sinbin.policy.values import Reader

_SIMILAR = 0.75


class OpenElements:
    """The stack of open elements. One wrong or missing end tag is one problem, whatever follows from it."""

    def __init__(self, document: Document, reader: Reader) -> None:
        self.stack: list[Element] = []
        self._document = document
        self._reader = reader
        self._counts: dict[str, int] = {}
        # An end tag that fitted nothing, by the element it stands in: it may be that element's own, misspelt.
        self._reported: set[int] = set()
        self._misfits: dict[int, tuple[str, int, int]] = {}

    @property
    def top(self) -> Element | None:
        """The innermost open element."""
        return self.stack[-1] if self.stack else None

    def push(self, element: Element, *, reported: bool = False) -> None:
        """Open `element`; `reported` when its start tag is a problem already."""
        if reported:
            self._reported.add(id(element))
        self.stack.append(element)
        self._counts[element.name] = self._counts.get(element.name, 0) + 1

    def _pop(self) -> Element:
        element = self.stack.pop()
        self._counts[element.name] -= 1
        return element

    def close(self, name: str, start: int, end: int) -> None:
        """Take the end tag `name`, written at `start`..`end`."""
        if self._counts.get(name):
            while self.stack[-1].name != name:
                self._close_missing()
            element = self._pop()
            element.close_start, element.end = start, end
            self._report_misfit(element)
        elif self.stack and SequenceMatcher(None, name, self.stack[-1].name).ratio() >= _SIMILAR:
            element = self._pop()
            element.close_start, element.end = start, end
            self._report_wrong(element, (name, start, end))
        elif self.stack and id(self.stack[-1]) not in self._misfits:
            self._misfits[id(self.stack[-1])] = (name, start, end)
        else:
            self._report_unopened(name, start, end)

    def close_section(self) -> None:
        """A section starts: one that is still open was never closed."""
        depth = next((i for i, element in enumerate(self.stack) if element.name in SECTIONS), None)
        if depth is None:
            return
        while len(self.stack) > depth:
            self._close_missing()

    def close_all(self) -> None:
        """The file ends."""
        size = len(self._reader.code)
        if len(self.stack) > 1 and not any(id(element) in self._misfits for element in self.stack):
            inner = self.stack[-1]
            names = "".join(f"<{element.name}>" for element in self.stack)
            self._reader.report(
                "unclosed-element",
                inner.start,
                inner.name_end,
                f"the file ends inside {names}",
                "close these elements",
            )
            while self.stack:
                self._pop().end = size
        while self.stack:
            self._close_missing()

    @staticmethod
    def _end_of_content(element: Element) -> int:
        return element.children[-1].end if element.children else element.open_end

    def _close_missing(self) -> None:
        """Close the innermost element, whose end tag is missing."""
        element = self._pop()
        misfit = self._misfits.pop(id(element), None)
        if misfit is None and id(element) in self._reported:
            element.end = element.open_end
            self._release(element, 0)
        elif misfit is None:
            element.end = self._end_of_content(element)
            self._reader.report(
                "unclosed-element", element.start, element.name_end,
                f"`<{element.name}>` is not closed: `</{element.name}>` is missing", "close the element",
            )  # fmt: skip
            self._release(element, _first_misplaced(element))
        else:
            element.close_start, element.end = misfit[1], misfit[2]
            self._report_wrong(element, misfit)
            self._release(element, next((i for i, c in enumerate(element.children) if c.start > misfit[1]), None))

    def _release(self, element: Element, index: int | None) -> None:
        if index is None:
            return
        parent = self.stack[-1] if self.stack else self._document
        moved = element.children[index:]
        del element.children[index:]
        if element.close_start is None:
            element.end = self._end_of_content(element)
        for node in moved:
            node.parent = parent
        parent.children.extend(moved)

    def _report_misfit(self, element: Element) -> None:
        if misfit := self._misfits.pop(id(element), None):
            self._report_unopened(*misfit)

    def _report_unopened(self, name: str, start: int, end: int) -> None:
        self._reader.report(
            "unopened-element",
            start,
            end,
            f"`</{name}>` closes nothing that is open",
            f"delete it, or open <{name}>",
        )

    def _report_wrong(self, element: Element, tag: tuple[str, int, int]) -> None:
        name, start, end = tag
        line = self._document.source.position(element.start).line
        self._reader.report(
            "wrong-end-tag", start, end, f"`</{name}>` does not close `<{element.name}>` of line {line}",
            f"write </{element.name}>",
        )  # fmt: skip


def _first_misplaced(element: Element) -> int | None:
    """Return the index of the first child that cannot stand in the unclosed `element`: it was to follow it."""
    from sinbin.policy import catalogue  # noqa: PLC0415  # only a damaged document needs it
    from sinbin.policy.placement import find_spec  # noqa: PLC0415

    spec = find_spec(element)
    if spec is None or spec.content == "any":
        return None
    for index, child in enumerate(element.children):
        if isinstance(child, Element) and child.name not in spec.children:
            policy = child.name == "base" or catalogue.is_policy(child.name)
            if not (policy and spec.content == "policies"):
                return index
    return None
