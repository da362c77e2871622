"""Regular expressions of .NET, on the `regex` package.

Patterns are translated where .NET writes them differently. A match that takes longer than a second is given up
(RegexMatchTimeoutException), since a pattern of a policy meets texts of callers.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, ClassVar

import regex

from sinbin.csharp.exceptions import argument_null, raised
from sinbin.csharp.regex_size import TOO_LARGE, check, complaint
from sinbin.csharp.text_size import checked_size
from sinbin.csharp.types import STRING, Type
from sinbin.csharp.values import Array, CsObject

TIMEOUT_SECONDS = 1.0
_FLAGS = {1: regex.IGNORECASE, 2: regex.MULTILINE, 16: regex.DOTALL, 32: regex.VERBOSE, 256: regex.ASCII}
# In a class or not, an escape stays as it is; only the constructs below differ.
_DIFFERENT = re.compile(
    r"\\Z|\\z|\\[\s\S]|\(\?<(?![=!])(\w+)>|\(\?'(\w+)'|\[(?:\^?\]?)(?:[^\]\\]|\\.)*\]|(?<!\\)\$|\\k<(\w+)>|\((?!\?)",
    re.DOTALL,
)


@lru_cache(maxsize=512)
def compiled(pattern: str, options: int = 0) -> "regex.Pattern[str]":
    """Return a compiled pattern.

    Raises:
        CsException: RegexParseException, an ArgumentException, for a pattern that cannot be read.
        StepsExceededError: it is too large.
    """
    check(pattern)
    flags = 0
    for bit, flag in _FLAGS.items():
        flags |= flag if options & bit else 0
    explicit, multiline = bool(options & 4), bool(options & 2)
    try:
        return regex.compile(
            _DIFFERENT.sub(lambda m: _translate(m, explicit=explicit, multiline=multiline), pattern), flags
        )
    except regex.error as error:
        raise raised("RegexParseException", complaint(pattern, str(error))) from None


def _translate(match: re.Match[str], *, explicit: bool, multiline: bool) -> str:
    piece = match[0]
    if piece == "\\Z":
        return r"(?=\n?\Z)"
    if piece == "\\z":
        return r"\Z"
    if piece == "$":
        return r"(?=\n|\Z)" if multiline else r"(?=\n?\Z)"
    name = match[1] or match[2]
    if name:
        return f"(?P<{name}>" if not name.isdigit() else "("
    if match[3]:
        return f"(?P={match[3]})"
    if piece == "(" and explicit:
        return "(?:"
    return piece


_GROUP = re.compile("[0-9]{1,9}")


class Group(CsObject):
    """A group of a match, or the match itself: `spans` are its captures, the last one counts."""

    __slots__ = ("name", "spans", "text")
    cs_type: ClassVar[Type] = Type("Group")

    def __init__(self, text: str, spans: list[tuple[int, int]], name: str) -> None:
        self.text = text
        self.spans = spans
        self.name = name

    @property
    def success(self) -> bool:
        """Whether it took part."""
        return bool(self.spans)

    @property
    def index(self) -> int:
        """Where it starts."""
        return self.spans[-1][0] if self.spans else 0

    @property
    def length(self) -> int:
        """How long it is."""
        return self.spans[-1][1] - self.spans[-1][0] if self.spans else 0

    def cs_text(self) -> str:
        """Return what it matched."""
        return self.text[slice(*self.spans[-1])] if self.spans else ""

    def captures(self) -> Array:
        """Return every capture of a repeated group."""
        return Array([Group(self.text, [span], self.name) for span in self.spans], Type("Capture"))


class Match(Group):
    """A match, with its groups."""

    __slots__ = ("found", "next_start", "owner")
    cs_type: ClassVar[Type] = Type("Match")

    def __init__(self, found: "regex.Match[str] | None", text: str, owner: "Regex | None") -> None:
        super().__init__(text, [found.span()] if found else [], "0")
        self.found = found
        self.owner = owner

    def group(self, key: int | str) -> Group:
        """Return a group by number or name; one that is not there has failed."""
        if self.found is None:
            return Group("", [], str(key))
        if key in (0, "0"):
            return self
        try:
            index = int(key) if isinstance(key, str) and _GROUP.fullmatch(key) else key
            return Group(self.text, self.found.spans(index), str(key))
        except (IndexError, KeyError):
            return Group("", [], str(key))

    def groups(self) -> list[Group]:
        """Return all groups, the match first."""
        count = self.found.re.groups if self.found else 0
        return [self.group(number) for number in range(count + 1)]

    def following(self) -> "Match":
        """Return the next match."""
        if self.owner is None or self.found is None:
            return EMPTY
        start = self.found.end() + (self.found.end() == self.found.start())
        return self.owner.match(self.text, start)


EMPTY = Match(None, "", None)


def _timed(run: Callable[[], Any]) -> Any:
    try:
        return run()
    except TimeoutError:
        raise raised("RegexMatchTimeoutException") from None


class Regex(CsObject):
    """A pattern with options."""

    __slots__ = ("options", "pattern", "program")
    cs_type: ClassVar[Type] = Type("Regex")

    def __init__(self, pattern: str | None, options: int = 0) -> None:
        if pattern is None:
            raise argument_null("pattern")
        self.pattern = pattern
        self.options = options
        self.program = compiled(pattern, int(options))

    def cs_text(self) -> str:
        """Return the pattern."""
        return self.pattern

    def match(self, text: str | None, start: int = 0) -> Match:
        """Return the first match from `start` on."""
        if text is None:
            raise argument_null("input")
        if start > len(text):
            return EMPTY
        found = _timed(lambda: self.program.search(text, start, timeout=TIMEOUT_SECONDS))
        return Match(found, text, self) if found else EMPTY

    def matches(self, text: str | None) -> Array:
        """Return all matches."""
        if text is None:
            raise argument_null("input")
        found = _timed(lambda: list(self.program.finditer(text, timeout=TIMEOUT_SECONDS)))
        return Array([Match(item, text, self) for item in found], Type("Match"))

    def replace(self, text: str | None, new: Any, count: int = -1) -> str:
        """Return the text with matches replaced by a pattern or by what a function gives."""
        if text is None:
            raise argument_null("input")
        if new is None:
            raise argument_null("replacement")
        expanded = new if callable(new) else lambda match: expand(match, new)
        made_so_far = 0

        def make(match: Match) -> str:
            nonlocal made_so_far
            piece: str = expanded(match)
            made_so_far += len(piece or "")
            checked_size(made_so_far)
            return piece

        limit = max(count, 0)
        if count == 0:
            return text

        def run() -> str:
            return self.program.sub(
                lambda found: make(Match(found, text, self)), text, limit, timeout=TIMEOUT_SECONDS
            )

        made: str = _timed(run)
        return made

    def split(self, text: str | None) -> Array:
        """Return the pieces between matches, with the groups' values in between."""
        if text is None:
            raise argument_null("input")
        pieces, start = [], 0
        for match in self.matches(text):
            pieces.append(text[start : match.index])
            pieces += [group.cs_text() for group in match.groups()[1:] if group.success]
            start = match.index + match.length
        return Array([*pieces, text[start:]], STRING)


_SUBSTITUTION = re.compile(r"\$(?:(\$)|(\d+)|\{(\w+)\}|(&)|(`)|(')|(_))")


def expand(match: Match, pattern: str) -> str:
    """Return a replacement pattern with `$1`, `${name}`, `$&`, … filled in."""

    def fill(found: re.Match[str]) -> str:
        if found[1]:
            return "$"
        if found[2] or found[3]:
            key = found[2] or found[3]
            number = int(key) if _GROUP.fullmatch(key) else None
            if number is None and key.isdigit():
                raise raised("RegexParseException", complaint(pattern, f"{TOO_LARGE} at position {found.end()}"))
            program = match.found.re if match.found else None
            known = program is not None and (
                key in program.groupindex if number is None else number <= program.groups
            )
            return match.group(key if number is None else number).cs_text() if known else found[0]
        if found[4]:
            return match.cs_text()
        if found[5]:
            return match.text[: match.index]
        return match.text[match.index + match.length :] if found[6] else match.text

    return _SUBSTITUTION.sub(fill, pattern)
