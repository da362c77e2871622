"""What a pattern may be before it is compiled: no larger than the compiler bears, and of .NET's dialect alone."""

import re

from sinbin.csharp.exceptions import StepsExceededError, raised

LARGEST = 50_000
"""Characters of a pattern whose repetitions are written out: the `regex` package unrolls `(?:ab){1000}`.

Compiling one of this size takes about a quarter of a second. .NET sets no limit.
"""
TOO_LARGE = "Capture group numbers must be less than or equal to Int32.MaxValue."

_COMPLAINTS = {
    "missing )": "Not enough )'s.",
    "unbalanced parenthesis": "Too many )'s.",
    "nothing to repeat": "Quantifier {x,y} following nothing.",
    "unterminated character set": "Unterminated [] set.",
    "bad escape (end of pattern)": "Illegal \\ at end of pattern.",
}


def complaint(pattern: str, message: str) -> str:
    """Return a complaint in the words of .NET, where they are known."""
    words, _, place = message.rpartition(" at position ")
    return f"Invalid pattern '{pattern}' at offset {place or 0}. {_COMPLAINTS.get(words, words or message)}"


_PIECE = re.compile(
    r"""\\. | \[\^?\]?(?:\\.|[^\]\\])*\] | \{(?P<least>[0-9]+)(?:,(?P<most>[0-9]*))?\}
    | (?P<open>\((?P<foreign>\?(?:R|[0-9]|&|\||P[<>=])|\*[A-Z])?) | (?P<close>\)) | .""",
    re.DOTALL | re.VERBOSE,
)


def check(pattern: str) -> None:
    """Do nothing for a pattern that may be compiled.

    Raises:
        CsException: RegexParseException, for what the `regex` package knows and .NET does not.
        StepsExceededError: it is larger than `LARGEST`.
    """
    sizes, last = [0], 0
    for piece in _PIECE.finditer(pattern):
        if piece["foreign"]:
            raise _refused(pattern, piece, "Unrecognized grouping construct.")
        if piece["least"]:
            if any(len((piece[bound] or "").lstrip("0")) > len("2147483647") for bound in ("least", "most")):
                raise _refused(pattern, piece, TOO_LARGE)
            sizes[-1] += last * (max(int(piece["least"].lstrip("0") or 0), 1) - 1)
        elif piece["open"]:
            sizes.append(0)
            last = 0
        else:
            last = sizes.pop() if piece["close"] and len(sizes) > 1 else len(piece[0])
            sizes[-1] += last
        if sizes[-1] > LARGEST or len(sizes) > LARGEST:
            raise StepsExceededError(
                f"a regular expression has more than {LARGEST:,} characters, its repetitions written out"
            )


def _refused(pattern: str, piece: re.Match[str], why: str) -> Exception:
    return raised("RegexParseException", complaint(pattern, f"{why} at position {piece.start()}"))
