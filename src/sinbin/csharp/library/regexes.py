"""System.Text.RegularExpressions."""

import re
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from sinbin.csharp.library.comparing import declare_enum
from sinbin.csharp.regexes import EMPTY, Group, Match, Regex, expand
from sinbin.csharp.registry import Linear, declare
from sinbin.csharp.types import Type
from sinbin.csharp.values import CsObject

RegexOptions = declare_enum(
    "RegexOptions",
    "System.Text.RegularExpressions.RegexOptions",
    {"None": 0, "IgnoreCase": 1, "Multiline": 2, "ExplicitCapture": 4, "Compiled": 8, "Singleline": 16,
     "IgnorePatternWhitespace": 32, "RightToLeft": 64, "ECMAScript": 256, "CultureInvariant": 512},
    flags=True,
)  # fmt: skip


def _static(name: str) -> Callable[..., Any]:
    def call(text: str, pattern: str, *rest: Any) -> Any:
        if name == "replace":
            new, *options = rest
            return Regex(pattern, *options).replace(text, new)
        return getattr(Regex(pattern, *rest), name)(text)

    return call


def _is_match(text: str, pattern: str, options: int = 0) -> bool:
    return Regex(pattern, options).match(text).success


_READ = {"string! Value": Linear("{0}.cs_text()"), "int Index": "{0}.index", "int Length": "{0}.length"}
_SPACE = "System.Text.RegularExpressions"
declare("Capture", f"{_SPACE}.Capture", {**_READ, "string! ToString()": Linear("{0}.cs_text()")}, bases="object")
declare("CaptureCollection", f"{_SPACE}.CaptureCollection",
        {"int Count": "len({0})", "Capture! this[int i]": "{0}[{1}]"}, bases="IEnumerable<Capture>; object")  # fmt: skip
declare(
    "Group",
    f"{_SPACE}.Group",
    {"bool Success": "{0}.success", "string! Name": "{0}.name", "CaptureCollection! Captures": "{0}.captures()"},
    bases="Capture",
)
declare(
    "GroupCollection",
    f"{_SPACE}.GroupCollection",
    {
        "int Count": lambda match: len(match.groups()),
        "Group! this[int groupnum]": "{0}.group({1})",
        "Group! this[string groupname]": "{0}.group({1})",
    },
    bases="IEnumerable<Group>; object",
)


class GroupCollection(CsObject):
    """The groups of a match."""

    __slots__ = ("group", "groups")
    cs_type: ClassVar[Type] = Type("GroupCollection")

    def __init__(self, match: Match) -> None:
        self.group = match.group
        self.groups = match.groups

    def __iter__(self) -> Iterator[Group]:
        return iter(self.groups())


declare(
    "Match",
    f"{_SPACE}.Match",
    {
        "static Match! Empty": EMPTY,
        "GroupCollection! Groups": GroupCollection,
        "Match! NextMatch()": Linear("{0}.following()"),
        "string! Result(string replacement)": expand,
    },
    bases="Group",
)
declare("MatchCollection", f"{_SPACE}.MatchCollection",
        {"int Count": "len({0})", "Match! this[int i]": "{0}[{1}]"}, bases="IEnumerable<Match>; object")  # fmt: skip
declare(
    "Regex",
    f"{_SPACE}.Regex",
    {
        "new(string pattern)": Regex,
        "new(string pattern, RegexOptions options)": Regex,
        "bool IsMatch(string input)": Linear("{0}.match({1}).success"),
        "Match! Match(string input)": Linear("{0}.match({1})"),
        "MatchCollection! Matches(string input)": Linear("{0}.matches({1})"),
        "string! Replace(string input, string replacement)": Linear("{0}.replace({1}, {2})"),
        "string! Replace(string input, string replacement, int count)": Linear("{0}.replace({1}, {2}, {3})"),
        "string! Replace(string input, MatchEvaluator evaluator)": Linear("{0}.replace({1}, {2})"),
        "string[]! Split(string input)": Linear("{0}.split({1})"),
        "static bool IsMatch(string input, string pattern)": _is_match,
        "static bool IsMatch(string input, string pattern, RegexOptions options)": _is_match,
        "static Match! Match(string input, string pattern)": _static("match"),
        "static Match! Match(string input, string pattern, RegexOptions options)": _static("match"),
        "static MatchCollection! Matches(string input, string pattern)": _static("matches"),
        "static MatchCollection! Matches(string input, string pattern, RegexOptions options)": _static("matches"),
        "static string! Replace(string input, string pattern, string replacement)": _static("replace"),
        "static string! Replace(string input, string pattern, string replacement, RegexOptions options)": _static(
            "replace"
        ),
        "static string! Replace(string input, string pattern, MatchEvaluator evaluator)": _static("replace"),
        "static string! Replace(string input, string pattern, MatchEvaluator evaluator, RegexOptions options)": _static(
            "replace"
        ),
        "static string[]! Split(string input, string pattern)": _static("split"),
        "static string[]! Split(string input, string pattern, RegexOptions options)": _static("split"),
        "static string! Unescape(string str)": lambda text: re.sub(r"\\(.)", _unescape, text),
        "string! ToString()": "{0}.cs_text()",
    },
    bases="object",
)


def _unescape(match: re.Match[str]) -> str:
    return {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v", "a": "\a", "e": "\x1b"}.get(match[1], match[1])
