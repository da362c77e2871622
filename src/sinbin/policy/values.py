"""Reading values: where an attribute's value or a text ends, and the expressions in it."""

import re
from dataclasses import dataclass, field

from sinbin.policy.document import Problem
from sinbin.policy.expressions import Extent, find_end
from sinbin.policy.nodes import Expression
from sinbin.policy.source import Source

MAX_PROBLEMS = 500

# An address such as `me@{domain}` is no expression.
EXPRESSION_START = re.compile(r"(?<!\w)@[({]")
_MARKUP = re.compile(r"<(?=[A-Za-z_/!?])")
_PLAIN_TEXT = re.compile(r"[^<@{]*+(?=<[A-Za-z_/!?])")

_LINE_BREAK = re.compile(r"[\r\n]")
_LONGEST_PLACEHOLDER = 200

# A value read as text: placeholders of Jinja, Terraform and Bicep may hold quotes of their own.
_LITERALS = {
    quote: re.compile(
        rf"(?:[^{quote}<{{$%@]++|\{{\{{(?:(?!\}}\}})[^\r\n])*+\}}\}}|\$\{{[^{{}}\r\n]*+\}}|\{{%(?:(?!%\}})[^\r\n])*+%\}}"
        r"|(?<!\w)@(?![({])|(?<=\w)@|[{$%])*+"
    )
    for quote in "\"'"
}
_VALUE_ENDS = {
    quote: re.compile(rf"{quote}(?=\s*+[/?]?>|\s++[A-Za-z_:][\w:.\-]*+\s*+=\s*+[\"'])") for quote in "\"'"
}
_STRING_HELP = "join the string to one line, or write it as a verbatim string"
_FAULTS = {
    "string": ("unclosed-string", "a string in the expression is not closed", "close the string"),
    "character": (
        "unclosed-character",
        "a character literal in the expression is not closed",
        "close it with `'`",
    ),
    "comment": ("unclosed-code-comment", "a comment in the expression is not closed", "close it with `*/`"),
}


@dataclass(slots=True)
class Reader:
    """The source being parsed and what was found wrong with it so far."""

    source: Source
    problems: list[Problem]
    code: str = field(init=False)
    _budget: int = field(init=False)
    _no_value_end: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.code = self.source.code
        # Failed attempts at reading an expression may look at this many characters, in all.
        self._budget = len(self.code) + 100_000

    def report(self, kind: str, start: int, end: int, message: str, advice: str) -> None:
        """Note a problem, up to a number that nobody reads to its end."""
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(Problem(kind, start, end, message, advice))
        elif len(self.problems) == MAX_PROBLEMS:
            message = f"the text has more than {MAX_PROBLEMS} faults; the others are not listed"
            self.problems.append(Problem("too-many", start, end, message, "mend these first"))

    def _try(self, start: int, limit: int, *, strings_over_lines: bool = False) -> Extent:
        if self._budget <= 0:
            return Extent(None, "unclosed", start)
        extent = find_end(self.code, start, limit, strings_over_lines=strings_over_lines)
        if extent.end is None:
            self._budget -= max(extent.at - start, 1) if extent.fault != "unclosed" else limit - start
        return extent

    def _report_fault(self, extent: Extent, start: int, end: int) -> None:
        if extent.fault in _FAULTS:
            kind, message, advice = _FAULTS[extent.fault]
            self.report(kind, extent.at, min(extent.at + 1, end), message, advice)
        elif extent.fault == "bracket":
            found = self.code[extent.at]
            self.report(
                "unmatched-bracket", extent.at, extent.at + 1,
                f"`{found}` closes a bracket that was not opened as such", "match the brackets of the expression",
            )  # fmt: skip
        else:
            opening = self.code[start : start + 2]
            self.report(
                "unclosed-expression", start, min(start + 2, end),
                f"the expression is not closed: `{')' if opening == '@(' else '}'}` is missing",
                "close the expression",
            )  # fmt: skip

    def value_end(self, quote: str, start: int, limit: int) -> int | None:
        """Return the offset of the first `quote` from `start` on that can only be the end of a value."""
        if start >= self._no_value_end.get(quote, len(self.code) + 1):
            return None
        match = _VALUE_ENDS[quote].search(self.code, start, limit)
        if match is None:
            if limit >= len(self.code):
                self._no_value_end[quote] = start
            return None
        return match.start()

    def attribute_value(self, start: int, quote: str) -> tuple[int | None, tuple[Expression, ...]]:
        """Read the value that starts at `start`; return the offset of its closing quote and its expressions.

        The offset is None when the value is not closed.
        """
        code, limit = self.code, len(self.code)
        literal = _LITERALS[quote]
        expressions: list[Expression] = []
        at = start
        while True:
            at = literal.match(code, at).end()  # type: ignore[union-attr]
            if at >= limit:
                return None, ()
            if code[at] == quote:
                return at, tuple(expressions)
            if code[at] == "<":
                end = code.find(quote, at)
                if end < 0 or re.search(r"=\s*$", code[max(at, end - 20) : end]):
                    return None, ()
                at = end
                continue
            extent = self._try(at, limit)
            if extent.end is not None:
                expressions.append(Expression(self.source, at, extent.end))
                at = extent.end
                continue
            if code[start:at].strip():
                at += 1
                continue
            return self._damaged_attribute(start, at, quote, extent), ()

    def _damaged_attribute(self, start: int, at: int, quote: str, extent: Extent) -> int | None:
        end = self.value_end(quote, start, len(self.code))
        if extent.fault == "string":
            relaxed = self._try(at, len(self.code) if end is None else end, strings_over_lines=True)
            if relaxed.end is not None and relaxed.broken_string is not None:
                self._report_broken_string(relaxed.broken_string)
                return end if end is not None else self.code.find(quote, relaxed.end)
        limit = len(self.code) if end is None else end
        if extent.fault != "unclosed" and not at <= extent.at < limit:
            extent = Extent(None, "unclosed", at)
        self._report_fault(extent, at, limit)
        if end is None:
            line_end = self.code.find("\n", at)
            return line_end if line_end >= 0 else limit
        return end

    def _report_broken_string(self, at: int) -> None:
        self.report(
            "string-over-lines",
            at,
            at + 1,
            "a string in the expression runs over the end of its line",
            _STRING_HELP,
        )

    def text(self, start: int, element: str | None) -> tuple[int, tuple[Expression, ...]]:
        """Read text from `start` up to the next markup; return where it ends and its expressions.

        `element` is the name of the element around it, whose end tag also ends a damaged expression.
        """
        code, limit = self.code, len(self.code)
        if plain := _PLAIN_TEXT.match(code, start):
            return plain.end(), ()
        expressions: list[Expression] = []
        at = start
        end = -1
        while True:
            if at > end:
                end = self._markup(at, start)
            found = EXPRESSION_START.search(code, at, end)
            if found is None:
                return end, tuple(expressions)
            extent = self._try(found.start(), limit)
            if extent.end is not None:
                expressions.append(Expression(self.source, found.start(), extent.end))
                at = extent.end
            elif code[start : found.start()].strip():
                at = found.end()
            else:
                return self._damaged_text(found.start(), element, extent), ()

    def _markup(self, at: int, start: int) -> int:
        """Return where the next markup begins; a `<` inside `{% … %}` or `{{ … }}` of a template is none."""
        while match := _MARKUP.search(self.code, at):
            found = match.start()
            for opening, closing in (("{%", "%}"), ("{{", "}}")):
                opened = self.code.rfind(opening, max(start, found - _LONGEST_PLACEHOLDER), found)
                if opened >= 0 and self.code.find(closing, opened, found) < 0:
                    closed = self.code.find(closing, found, found + _LONGEST_PLACEHOLDER)
                    if closed >= 0 and not _LINE_BREAK.search(self.code, opened, closed):
                        at = closed
                        break
            else:
                return found
        return len(self.code)

    def _damaged_text(self, at: int, element: str | None, extent: Extent) -> int:
        close = self.code.find(f"</{element}", at) if element else -1
        limit = close if close >= 0 else len(self.code)
        if extent.fault == "string":
            relaxed = self._try(at, limit, strings_over_lines=True)
            if relaxed.end is not None and relaxed.broken_string is not None:
                self._report_broken_string(relaxed.broken_string)
                return limit
        if extent.fault != "unclosed" and extent.at >= limit:
            extent = Extent(None, "unclosed", at)
        self._report_fault(extent, at, limit)
        return limit

    def cdata(self, start: int, end: int) -> tuple[Expression, ...]:
        """Return the expressions of a CDATA section whose inside is `start`..`end`."""
        expressions: list[Expression] = []
        at = start
        while found := EXPRESSION_START.search(self.code, at, end):
            extent = self._try(found.start(), end)
            if extent.end is None:
                if not self.code[start : found.start()].strip():
                    self._report_fault(extent, found.start(), end)
                return tuple(expressions)
            expressions.append(Expression(self.source, found.start(), extent.end, escaped=False))
            at = extent.end
        return tuple(expressions)
