"""Reading a start tag and its attributes."""

import re
from sys import intern

from sinbin.policy.nodes import Attribute, Element
from sinbin.policy.values import Reader

_NAME = re.compile(r"[A-Za-z_][\w:.\-]*+")
# A value with nothing in it that could hold a quote of its own.
_SIMPLE = re.compile(r"""\s++([A-Za-z_:][\w:.\-]*+)\s*+=\s*+(["'])([^"'<@{$%]*+)\2(?=[\s/>?])""")
_ATTRIBUTE = re.compile(r"\s*+([A-Za-z_:@][\w:.\-]*+)\s*+=\s*+([\"'])")
_UNQUOTED = re.compile(r"\s*+([A-Za-z_:][\w:.\-]*+)(?:\s*+=\s*+([^\s\"'<>/]*+))?")
_TAG_END = re.compile(r"\s*+(/?>)")
_PLACEHOLDER = re.compile(r"\s*+(?:\{\{.*?\}\}|\{%.*?%\}|\{\#.*?\#\}|[$%]\{[^{}]*\}|\{[\w.\-]+\})", re.DOTALL)
_LINE_OF_VALUE = re.compile(r"[^<>\r\n]*+")
# A slash without its `>` is part of what is missing.
_GAP = re.compile(r"\s*+(?:/(?=\s*+(?:<|\Z))\s*+)?")
_STRAY = re.compile(r"[^\s<>/]*+/?")
# What may follow a value; a brace starts a placeholder of a template.
_AFTER_VALUE = " \t\r\n/>?<{$%"
_NEXT_ATTRIBUTE = re.compile(r"\s++[A-Za-z_:][\w:.\-]*+\s*+=\s*+\Z")


def read_start_tag(reader: Reader, start: int) -> tuple[Element, int, bool]:
    """Read the tag whose `<` stands at `start`.

    Returns:
        The element with its attributes, the offset after the tag, and whether the tag closes itself.
    """
    code = reader.code
    name = _NAME.match(code, start + 1)
    if name is None:
        raise AssertionError(f"no start tag at {start}")
    element = Element(reader.source, start, intern(name[0]))
    at = name.end()
    seen: set[str] = set()
    stray = False
    while True:
        if simple := _SIMPLE.match(code, at):
            at = simple.end()
            span = (simple.start(1), at)
            _add(reader, element, seen, Attribute(reader.source, intern(simple[1]), span, simple.span(3)))
        elif end := _TAG_END.match(code, at):
            element.open_end = end.end()
            return element, end.end(), end[1] == "/>"
        elif quoted := _ATTRIBUTE.match(code, at):
            at = _read_quoted(reader, element, seen, quoted)
        elif placeholder := _PLACEHOLDER.match(code, at):
            at = placeholder.end()
        elif bare := _UNQUOTED.match(code, at):
            _report_unquoted(reader, bare)
            if bare[2] is not None:
                span = (bare.start(1), bare.end())
                _add(reader, element, seen, Attribute(reader.source, intern(bare[1]), span, bare.span(2)))
            at = bare.end()
        else:
            at = _GAP.match(code, at).end()  # type: ignore[union-attr]
            if at >= len(code) or code[at] == "<":
                reader.report(
                    "unclosed-tag", start, element.name_end,
                    f"the start tag of `{element.name}` is not closed: `>` is missing", "close the tag",
                )  # fmt: skip
                element.open_end = at
                return element, at, False
            end_of_stray = max(_STRAY.match(code, at).end(), at + 1)  # type: ignore[union-attr]
            if not stray:
                reader.report(
                    "stray-characters", at, end_of_stray,
                    f"`{code[at : min(end_of_stray, at + 20)]}` is no attribute of `{element.name}`",
                    'write attributes as name="value"',
                )  # fmt: skip
            stray = True
            at = end_of_stray


def _report_unquoted(reader: Reader, bare: re.Match[str]) -> None:
    if bare[2] is None:
        problem, advice = "has no value", f'write {bare[1]}="…"'
    else:
        problem, advice = "has a value without quotes", f'write {bare[1]}="{bare[2]}"'
    reader.report("unquoted-value", *bare.span(1), f"attribute `{bare[1]}` {problem}", advice)


def _add(reader: Reader, element: Element, seen: set[str], attribute: Attribute) -> None:
    name = attribute.name
    if name in seen:
        reader.report(
            "duplicate-attribute", attribute.start, attribute.start + len(name),
            f"attribute `{name}` is written twice in `{element.name}`", "keep one of them",
        )  # fmt: skip
    seen.add(name)
    attribute.parent = element
    element.attributes.append(attribute)


def _read_quoted(reader: Reader, element: Element, seen: set[str], quoted: re.Match[str]) -> int:
    """Read the attribute that starts with `quoted`; return the offset after it."""
    code = reader.code
    start = quoted.end()
    end, expressions = reader.attribute_value(start, quoted[2])
    follower = "" if end is None else code[end + 1 : end + 2]
    swallowed = end is not None and _NEXT_ATTRIBUTE.search(code, max(start, end - 80), end)
    if end is None or (follower and follower not in _AFTER_VALUE and swallowed):
        reader.report(
            "unclosed-value", quoted.start(1), start,
            f"the value of attribute `{quoted[1]}` is not closed: `{quoted[2]}` is missing", "close the value",
        )  # fmt: skip
        end = swallowed.start() if swallowed else _end_of_unclosed(code, start)
        _add(
            reader,
            element,
            seen,
            Attribute(reader.source, intern(quoted[1]), (quoted.start(1), end), (start, end)),
        )
        return end
    # Without a closing quote only when the expression before it is damaged, which is reported.
    after = end + 1 if code[end : end + 1] == quoted[2] else end
    attribute = Attribute(reader.source, intern(quoted[1]), (quoted.start(1), after), (start, end))
    attribute.expressions = expressions
    _add(reader, element, seen, attribute)
    if follower and follower not in _AFTER_VALUE:
        reader.report(
            "missing-space",
            after,
            after + 1,
            f"no space after attribute `{quoted[1]}`",
            "put a space between attributes",
        )
    return after


def _end_of_unclosed(code: str, start: int) -> int:
    end = _LINE_OF_VALUE.match(code, start).end()  # type: ignore[union-attr]
    if code[end : end + 1] == ">" and code[end - 1 : end] == "/":
        end -= 1
    return end
