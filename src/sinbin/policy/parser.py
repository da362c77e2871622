"""From text to document tree: tolerant, and true to every position.

The dialect is XML with C# in it. Documents of the format `rawxml` hold quotes, `<` and `&&` as they are inside
expressions, which no XML parser takes; this one reads both spellings, also mixed. It never expands an entity and
never reads another file. What is wrong becomes one `Problem` each, and parsing goes on.

Source: https://learn.microsoft.com/azure/api-management/api-management-howto-policies, read 2026-11-29.
"""

import re
import string

from sinbin.policy.conflicts import blank_conflicts
from sinbin.policy.document import SECTIONS, Document, DocumentKind
from sinbin.policy.nodes import Comment, Instruction, Node, Text
from sinbin.policy.recovery import OpenElements
from sinbin.policy.source import Source
from sinbin.policy.tags import read_start_tag
from sinbin.policy.values import MAX_PROBLEMS, Reader

MAX_CHARACTERS = 8 * 1024 * 1024
"""Longer files are not parsed; API Management takes 512 KiB."""
MAX_DEPTH = 200
"""Elements nested deeper are not parsed."""

_END_TAG = re.compile(r"</([A-Za-z_][\w:.\-]*+)?\s*+(>)?")
_BLANK = re.compile(r"\s*+")
_DOCUMENT_TYPE = re.compile(r"<!DOCTYPE[^\[>]*+(?:\[[^\]]*+\]\s*+)?>?", re.IGNORECASE)
_NOT_TEXT = re.compile("[\ud800-\udfff\x00-\x08\x0b\x0c\x0e-\x1f]")
# What after `<` makes it markup, as in `values`; anything else is a sign in a text.
_MARKUP_STARTS = frozenset(f"{string.ascii_letters}_/!?")
_BODY_ELEMENTS = frozenset({"set-body", "value", "message", "payload"})


def parse(source: Source) -> Document:
    """Return the document tree of `source`, with what is wrong in `Document.problems`, in order of position."""
    document = Document(source)
    if len(source.text) > MAX_CHARACTERS:
        Reader(document.source, document.problems).report(
            "too-large", 0, 1,
            f"{len(source.text):,} characters are too many to parse (at most {MAX_CHARACTERS:,})",
            "split the policy; API Management takes documents of up to 512 KiB",
        )  # fmt: skip
        return document
    source.code, conflicts = blank_conflicts(source.text)
    document.problems.extend(conflicts[:MAX_PROBLEMS])
    if bad := _NOT_TEXT.search(source.text):
        Reader(document.source, document.problems).report(
            "not-text", *bad.span(), f"a byte or character that no XML text may hold ({bad[0]!a})",
            "save the file as UTF-8 text",
        )  # fmt: skip
    _Parser(document).run()
    document.kind = _kind(document)
    if document.kind in {DocumentKind.POLICIES, DocumentKind.FRAGMENT} and len(document.elements) > 1:
        root, second = document.root, document.elements[1]
        if root is not None:
            Reader(source, document.problems).report(
                "several-roots",
                *second.mark,
                f"`{second.name}` stands outside of `{root.name}`",
                "keep one outermost element",
            )
    if not document.elements and not document.problems:
        Reader(source, document.problems).report(
            "no-element", 0, min(1, len(source.text)), "no element stands here, so this is no policy",
            "write a `policies` or a `fragment` element",
        )  # fmt: skip
    document.problems.sort(key=lambda problem: (problem.start, problem.kind))
    return document


def parse_text(text: str, path: str = "policy.xml") -> Document:
    """Return the document tree of `text`."""
    return parse(Source.from_text(text, path))


def parse_bytes(data: bytes, path: str = "policy.xml") -> Document:
    """Return the document tree of a file's bytes."""
    return parse(Source.from_bytes(data, path))


def _kind(document: Document) -> DocumentKind:
    from sinbin.policy import catalogue  # noqa: PLC0415  # read only once there is something to look up

    names = [element.name for element in document.elements]
    for kind in (DocumentKind.POLICIES, DocumentKind.FRAGMENT):
        if kind in names:
            return kind
    if names and all(name in SECTIONS for name in names):
        return DocumentKind.SECTIONS
    if any(name == "base" or catalogue.is_policy(name) for name in names):
        return DocumentKind.STATEMENTS
    return DocumentKind.OTHER


def _blank_end(code: str, at: int) -> int:
    return _BLANK.match(code, at).end()  # type: ignore[union-attr]


class _Parser:
    def __init__(self, document: Document) -> None:
        self.document = document
        self.reader = Reader(document.source, document.problems)
        self.open = OpenElements(document, self.reader)
        self._absent: set[str] = set()

    def run(self) -> None:
        code, size = self.reader.code, len(self.reader.code)
        at = _blank_end(code, 0)
        while at < size:
            following = code[at + 1 : at + 2]
            if code[at] != "<" or following not in _MARKUP_STARTS:
                at = self._text(at)
            elif following == "/":
                at = self._end_tag(at)
            elif following in {"!", "?"}:
                at = self._declaration(at)
            else:
                at = self._start_tag(at)
            at = _blank_end(code, at)
        self.open.close_all()

    def _add(self, node: Node) -> None:
        parent = self.open.stack[-1] if self.open.stack else self.document
        node.parent = parent
        parent.children.append(node)

    def _text(self, at: int) -> int:
        """Read the text that starts with the character at `at`, which is not blank."""
        top = self.open.top
        end, expressions = self.reader.text(at, top.name if top else None)
        end = max(end, at + 1)
        span = (at, at + len(self.reader.code[at:end].rstrip()))
        text = Text(self.document.source, span, span)
        text.expressions = expressions
        self._add(text)
        return end

    def _start_tag(self, at: int) -> int:
        element, end, closed = read_start_tag(self.reader, at)
        if element.name in SECTIONS and not any(e.name in _BODY_ELEMENTS for e in self.open.stack):
            self.open.close_section()
        self._add(element)
        element.end = end
        if not closed:
            # A start tag that was never closed is reported as such: its end tag need not be missed as well.
            self.open.push(element, reported=self.reader.code[end - 1] != ">")
            if len(self.open.stack) > MAX_DEPTH:
                self.reader.report(
                    "too-deep", element.start, element.name_end,
                    f"elements are nested more than {MAX_DEPTH} deep; nothing from here on is judged",
                    "flatten the policy",
                )  # fmt: skip
                self.open.stack.clear()
                return len(self.reader.code)
        return end

    def _end_tag(self, at: int) -> int:
        match = _END_TAG.match(self.reader.code, at)
        if match is None or match[1] is None:
            self.reader.report("stray-characters", at, at + 2, "`</` is no end tag", "write &lt; for the sign `<`")
            return at + 2
        if match[2] is None:
            self.reader.report(
                "unclosed-tag",
                at,
                match.end(1),
                f"the end tag of `{match[1]}` is not closed: `>` is missing",
                "close the tag",
            )
        self.open.close(match[1], at, match.end())
        return match.end()

    def _declaration(self, at: int) -> int:
        code, source = self.reader.code, self.document.source
        if code.startswith("<!--", at):
            end = self._find("-->", at + 4, "comment")
            self._add(Comment(source, at, end))
        elif code.startswith("<![CDATA[", at):
            end = self._find("]]>", at + 9, "CDATA section")
            inside = (at + 9, end - 3 if code[at + 9 : end].endswith("]]>") else end)
            text = Text(source, (at, end), inside, escaped=False)
            text.expressions = self.reader.cdata(*inside)
            self._add(text)
        elif code.startswith("<?", at):
            end = self._find("?>", at + 2, "processing instruction")
            self._add(Instruction(source, at, end))
        elif doctype := _DOCUMENT_TYPE.match(code, at):
            end = doctype.end()
            self._add(Instruction(source, at, end))
            self.reader.report("document-type", at, at + 9, "a policy has no document type", "delete the DOCTYPE")
        else:
            end = at + 2
            self.reader.report(
                "stray-characters", at, end, "`<!` starts neither a comment nor CDATA", "write &lt; for `<`"
            )
        return end

    def _find(self, mark: str, at: int, what: str) -> int:
        """Return the offset after the next `mark`, or, when there is none, the end of the line at `at`."""
        code = self.reader.code
        found = -1 if mark in self._absent else code.find(mark, at)
        if found >= 0:
            return found + len(mark)
        # What is not found from here on will not be found further on: a second search would only cost time.
        self._absent.add(mark)
        self.reader.report(
            f"unclosed-{what.partition(' ')[0].lower()}",
            at,
            at,
            f"the {what} is not closed: `{mark}` is missing",
            f"close the {what}",
        )
        line_end = code.find("\n", at)
        return line_end if line_end >= 0 else len(code)
