"""The source of one policy expression, read into a syntax tree.

    parsed = parse_expression('context.Response.StatusCode == 429', "expression")
    parsed.root      the tree (syntax.Node), offsets counted from the expression's first character
    parsed.errors    what is no C#, each with its position and a message

API Management takes the syntax of C# 7: `@(…)` holds one expression, `@{…}` statements that end in `return`.
Source: https://learn.microsoft.com/azure/api-management/api-management-policy-expressions, read 2026-11-29
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

import tree_sitter
import tree_sitter_c_sharp

from sinbin.csharp.syntax import Node, Offsets, convert

Kind = Literal["expression", "block"]

# Deeper than any policy by far, and shallow enough for a recursive reader of the tree.
MAX_DEPTH = 200

# One C# token that may hold quotes or brackets of its own, so that a text inside another is not misread.
_TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/"""
    r"""|(?P<verbatim>(?:\$@|@\$|@)"(?:[^"]|"")*")"""
    r"""|(?P<text>\$?"(?:[^"\\\n]|\\.)*")"""
    r"""|(?P<single>'(?:[^'\\\n]|\\.)*')""",
    re.DOTALL,
)
_CHARACTER = re.compile(
    r"'(?:[^'\\]|\\[^xuU]|\\x[0-9a-fA-F]{1,4}|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8})'", re.DOTALL
)
# Stands for a double quote inside a single-quoted text while the grammar reads it as a string.
QUOTE = "\ue000"
# Stands for a backslash in a verbatim text with values in it, where the grammar takes it for an escape.
BACKSLASH = "\ue001"


@dataclass(frozen=True, slots=True)
class SyntaxProblem:
    """A place where the source is no C#: character offsets, and what is wrong in words."""

    start: int
    end: int
    message: str


@dataclass(frozen=True, slots=True)
class Span:
    """Character offsets of a piece of the source."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ParsedExpression:
    """One expression as a tree.

    Attributes:
        source: the text between the brackets of `@(…)` or `@{…}`, entities decoded.
        kind: `expression` for `@(…)`, `block` for `@{…}`.
        root: the expression, or a `block` node; None when there are errors.
        errors: every place that is no C#, in the order of the source.
        loose_texts: single-quoted texts of several characters, such as 'Retry-After': no C#, yet found in
            deployed policies, and read as strings.
    """

    source: str
    kind: Kind
    root: Node | None
    errors: tuple[SyntaxProblem, ...]
    loose_texts: tuple[Span, ...] = ()

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column (both from 1) of a character offset in the source."""
        before = self.source[:offset]
        return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1


def parse_expression(source: str, kind: Kind) -> ParsedExpression:
    """Read the inside of `@(source)` (kind `expression`) or `@{source}` (kind `block`). Never raises."""
    text, loose = _settle_quotes(source)
    prefix, suffix = ("return ", "\n;") if kind == "expression" else ("{", "\n}")
    tree = _parser().parse((prefix + text + suffix).encode("utf-8", "surrogatepass"))
    offsets = Offsets(text, len(prefix))
    errors = tuple(_problems(tree.root_node, source, offsets)) if tree.root_node.has_error else ()
    errors = errors or _shape_problem(tree.root_node, source, kind)
    if not errors:
        deep = _too_deep(tree.root_node, offsets)
        errors = (deep,) if deep else ()
    root = None
    if not errors:
        statement = convert(tree.root_node.children[0].children[0], text, offsets)
        root = statement if kind == "block" else statement.parts[0]
        if offsets.gaps:
            errors, root = tuple(_problems(tree.root_node, source, offsets)), None
    return ParsedExpression(source, kind, root, errors, loose)


@cache
def _parser() -> tree_sitter.Parser:
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_c_sharp.language()))


def _settle_quotes(source: str) -> tuple[str, tuple[Span, ...]]:
    """Return the source with single-quoted texts made strings of the same length, and where they stand."""
    loose: list[Span] = []

    def settle(match: re.Match[str]) -> str:
        piece = match[0]
        if match["verbatim"] is not None and "$" in piece[:2]:
            inside = piece[3:-1].replace('""', QUOTE * 2).replace("\\", BACKSLASH)
            return f'{piece[:3]}{inside}"'
        if match["single"] is None or _CHARACTER.fullmatch(piece) or len(piece) == 2:
            return piece
        loose.append(Span(match.start(), match.end()))
        return '"' + piece[1:-1].replace('"', QUOTE) + '"'

    return _TOKEN.sub(settle, source), tuple(loose)


def _problems(root: tree_sitter.Node, source: str, offsets: Offsets) -> Iterator[SyntaxProblem]:
    """Yield what the grammar could not read, outermost first and nothing inside it again."""
    stack = [root]
    while stack:
        node = stack.pop()
        start, end = offsets.character(node.start_byte), offsets.character(node.end_byte)
        # The grammar fills a gap with an empty identifier without calling it an error.
        if node.is_missing or (node.type == "identifier" and node.start_byte == node.end_byte):
            what = "a value or a name" if node.is_named else f"`{node.type}`"
            yield SyntaxProblem(start, end, f"{what} is missing")
        elif node.is_error:
            found = source[start:end].strip()
            if not found:
                yield SyntaxProblem(
                    start, end, "the expression ends too early: a bracket, a quote or a value is missing"
                )
            else:
                yield SyntaxProblem(start, end, f"`{_short(found)}` is not C# here")
        else:
            stack.extend(reversed(node.children))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 40 else line[:39] + "…"


def _shape_problem(root: tree_sitter.Node, source: str, kind: Kind) -> tuple[SyntaxProblem, ...]:
    """Refuse a source that closes the bracket around it and goes on, or that holds nothing."""
    whole = (0, len(source))
    if kind == "block":
        kinds = [child.type for child in root.children if child.type != "comment"]
        if kinds == ["global_statement"] and root.children[0].children[0].type == "block":
            return ()
        return (SyntaxProblem(*whole, "the braces of the statements do not match"),)
    top = [child for child in root.children if child.type != "comment"]
    if not source.strip() or (len(top) == 1 and _value_count(top[0]) == 0):
        return (SyntaxProblem(*whole, "the expression is empty"),)
    if len(top) != 1 or _value_count(top[0]) != 1:
        return (SyntaxProblem(*whole, "`@(…)` holds one expression; write `@{…}` around statements"),)
    return ()


def _value_count(top: tree_sitter.Node) -> int:
    statement = top.children[0]
    return len([child for child in statement.named_children if child.type != "comment"])


def _too_deep(root: tree_sitter.Node, offsets: Offsets) -> SyntaxProblem | None:
    cursor = root.walk()
    depth = 0
    while True:
        if cursor.goto_first_child():
            depth += 1
            if depth > MAX_DEPTH:
                node = cursor.node
                start, end = (node.start_byte, node.end_byte) if node else (0, 0)
                return SyntaxProblem(
                    offsets.character(start),
                    offsets.character(end),
                    f"nested deeper than {MAX_DEPTH} levels; put parts of it into variables",
                )
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return None
            depth -= 1
