"""Unresolved merge conflicts: one problem each, and the rest is parsed as if "ours" had been chosen."""

import re

from sinbin.policy.document import Problem

_MARK = re.compile(r"^(?:<{7}|\|{7}|>{7})(?: [^\r\n]*)?(?=\r|\n|\Z)|^={7}(?=\r|\n|\Z)", re.MULTILINE)
_NOT_LINE_BREAK = re.compile(r"[^\r\n]")
_HELP = "resolve the conflict and delete its markers"


def blank_conflicts(text: str) -> tuple[str, list[Problem]]:
    """Return `text` with conflict markers and the second side of each conflict blanked, and what was found.

    The result has the length and the line breaks of `text`.
    """
    if "<<<<<<<" not in text and ">>>>>>>" not in text:
        return text, []
    problems: list[Problem] = []
    blanks: list[tuple[int, int]] = []
    opened: re.Match[str] | None = None
    theirs: int | None = None
    for mark in _MARK.finditer(text):
        kind = mark[0][0]
        if kind == "<":
            opened, theirs = mark, None
            blanks.append(mark.span())
            problems.append(_problem(mark))
        elif kind == ">":
            if opened is None:
                problems.append(_problem(mark))
            blanks.append((mark.start() if theirs is None else theirs, mark.end()))
            opened = theirs = None
        elif opened is not None and theirs is None:
            theirs = mark.start()
    if theirs is not None:
        # A conflict that is never closed: only its separator goes, so that nothing else is lost.
        blanks.append((theirs, theirs + 7))
    pieces, done = [], 0
    for start, end in blanks:
        pieces += [text[done:start], _NOT_LINE_BREAK.sub(" ", text[start:end])]
        done = end
    return "".join([*pieces, text[done:]]), problems


def _problem(mark: re.Match[str]) -> Problem:
    return Problem("merge-marker", *mark.span(), f"unresolved merge conflict: `{mark[0].rstrip()[:60]}`", _HELP)
