"""Where a policy expression ends: C# read just far enough to match its brackets.

Strings (plain, verbatim, interpolated, nested in each other), characters, comments and the entity-escaped
spelling of a quote are known, so that no bracket inside them counts. The patterns use possessive repetition: they
run in time linear in the text, whatever it holds.

Source: https://learn.microsoft.com/azure/api-management/api-management-policy-expressions, read 2026-11-29.
"""

import re
from dataclasses import dataclass

_QUOTE = r'(?:"|&quot;|&\#34;|&\#[xX]22;)'
_APOSTROPHE = r"(?:'|&apos;|&\#39;|&\#[xX]27;)"
_STRING_TEXT = rf"(?:\\(?:{_QUOTE}|[^\r\n])|(?!{_QUOTE})[^\\\r\n])*+"
_VERBATIM_TEXT = rf"(?:{_QUOTE}{_QUOTE}|(?!{_QUOTE}).)*+"
_CHARACTER = rf"{_APOSTROPHE}(?:\\(?:{_APOSTROPHE}|[^\r\n])|(?!{_APOSTROPHE})[^\\\r\n])*+{_APOSTROPHE}"

# Everything that is neither a bracket nor the start of an interpolated string, in one go. `</` is never C#: it
# stops an unclosed expression at the end tag of its element instead of running through the rest of the file.
_PLAIN_CODE = re.compile(
    rf"""(?:
      [^(){{}}\[\]"'/$@&<]++
    | {_QUOTE}{_STRING_TEXT}{_QUOTE}
    | @{_QUOTE}{_VERBATIM_TEXT}{_QUOTE}
    | {_CHARACTER}
    | //[^\r\n]*+ | /\*(?:[^*]|\*(?!/))*+\*/ | /(?![/*])
    | <(?!/)
    | &(?!quot;|apos;|\#34;|\#39;|\#[xX]2[27];)
    | @(?!\$?{_QUOTE}) | \$(?!@?{_QUOTE})
    )*+""",
    re.VERBOSE | re.DOTALL,
)
_INTERPOLATED = re.compile(rf"(?:(?P<verbatim>\$@|@\$)|\$){_QUOTE}")
_HOLE_TEXT = re.compile(
    rf"(?:\{{\{{|\}}\}}|\\(?:{_QUOTE}|[^\r\n])|(?!{_QUOTE})[^\\{{}}\r\n])*+(?P<end>{_QUOTE}|\{{)?"
)
_VERBATIM_HOLE_TEXT = re.compile(
    rf"(?:\{{\{{|\}}\}}|{_QUOTE}{_QUOTE}|(?!{_QUOTE})[^{{}}])*+(?P<end>{_QUOTE}|\{{)?", re.DOTALL
)
_STRING_START = re.compile(rf"[$@]{{0,2}}{_QUOTE}")
_TEXT_OVER_LINES = re.compile(rf"{_QUOTE}(?:\\.|(?!{_QUOTE})[^\\])*+{_QUOTE}", re.DOTALL)
# On the stack of closers: inside the hole of a plain (") or verbatim (') interpolated string.
_STRING_MARKS = "\"'"
_CLOSERS = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class Extent:
    """How far an expression reaches.

    `end` is the offset after its closing bracket, or None when it is not closed; then `fault` says why
    (`string`, `character`, `comment`, `bracket`, `unclosed`) and `at` where. `broken_string` is the offset of the
    first string literal that runs over the end of its line, when that was allowed.
    """

    end: int | None
    fault: str = ""
    at: int = 0
    broken_string: int | None = None


def find_end(text: str, start: int, limit: int, *, strings_over_lines: bool = False) -> Extent:
    """Return the extent of the expression whose `@` stands at `start`; nothing from `limit` on is read.

    Args:
        text: the source, not decoded.
        start: offset of the `@` of `@(` or `@{`.
        limit: offset at which to give up.
        strings_over_lines: accept a plain string that holds a line break, as a formatter leaves it behind.
    """
    closers = [_CLOSERS[text[start + 1]]]
    at = start + 2
    broken: int | None = None
    while True:
        at = _PLAIN_CODE.match(text, at, limit).end()  # type: ignore[union-attr]
        if at >= limit:
            return Extent(None, "unclosed", start, broken)
        character = text[at]
        if character in "([{":
            closers.append(_CLOSERS[character])
            at += 1
        elif character in ")]}":
            in_hole = closers[-1] in _STRING_MARKS
            if character != ("}" if in_hole else closers.pop()):
                return Extent(None, "bracket", at, broken)
            at += 1
            if not closers:
                return Extent(at, broken_string=broken)
            if in_hole:
                resumed = _resume_string(text, at, limit, closers)
                if resumed is None:
                    return Extent(None, "string", at - 1, broken)
                at = resumed
        elif opening := _INTERPOLATED.match(text, at, limit):
            closers.append("'" if opening["verbatim"] else '"')
            resumed = _resume_string(text, opening.end(), limit, closers)
            if resumed is None:
                return Extent(None, "string", at, broken)
            at = resumed
        elif _STRING_START.match(text, at, limit):
            literal = _TEXT_OVER_LINES.match(text, at, limit) if strings_over_lines else None
            if literal is None:
                return Extent(None, "string", at, broken)
            broken = at if broken is None else broken
            at = literal.end()
        else:
            fault = {"/": "comment", "<": "unclosed"}.get(character, "character")
            return Extent(None, fault, start if fault == "unclosed" else at, broken)


def _resume_string(text: str, at: int, limit: int, closers: list[str]) -> int | None:
    """Read an interpolated string from `at` to its next hole or its end; None when it has neither.

    The top of `closers` is the mark of the string. At a hole it stays there, so that the `}` of the hole leads
    back here; at the end of the string it goes.
    """
    pattern = _VERBATIM_HOLE_TEXT if closers[-1] == "'" else _HOLE_TEXT
    match = pattern.match(text, at, limit)
    if match is None or match["end"] is None:
        return None
    if match["end"] != "{":
        closers.pop()
    return match.end()
