"""JSONPath as Json.NET's SelectToken reads it.

Source: https://www.newtonsoft.com/json/help/html/SelectToken.htm, read 2026-11-29
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from sinbin.csharp.exceptions import raised
from sinbin.csharp.jsonnet.path_steps import Step, chosen, deep, field, fields, follow, index, part
from sinbin.csharp.jsonnet.tokens import JToken, JValue
from sinbin.csharp.numbers import whole_number
from sinbin.csharp.parsing import parse_integer
from sinbin.csharp.types import INT, INTEGRAL, LONG

_NAME = re.compile(r"[^.\[\] ()@?*,'\"]+")
_INDICES = re.compile(r"\s*-?\d+\s*(?:,\s*-?\d+\s*)*")
_SLICE = re.compile(r"\s*(-?\d*)\s*:\s*(-?\d*)\s*(?::\s*(-?\d*)\s*)?")
_QUOTED = re.compile(r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*""")
_OPERATORS = ("===", "!==", "==", "!=", "<>", "<=", ">=", "=~", "<", ">")


def select(root: JToken, path: str) -> Iterator[JToken]:
    """Yield the tokens at `path`.

    Raises:
        CsException: JsonException for a path that cannot be read.
    """
    tokens: Iterator[JToken] = iter((root,))
    for step in _steps(path):
        tokens = follow(step, tokens, root)
    return tokens


def missing(root: JToken, path: str) -> str:
    """Return why nothing is at `path`: the first step that leads nowhere, in the words of Json.NET."""
    labels = re.findall(r"\[(\d+)\]|([^.\[\]'\"$]+)", path)
    tokens = [root]
    for step, (number, name) in zip(_steps(path), labels, strict=False):
        found = list(follow(step, iter(tokens), root))
        if not found:
            kind = tokens[0].cs_type.name
            if number and kind == "JArray":
                return f"Index {number} outside the bounds of JArray."
            if number:
                return f"Index {number} not valid on {kind}."
            return (
                f"Property '{name}' does not exist on {kind}."
                if kind == "JObject"
                else f"Property '{name}' not valid on {kind}."
            )
        tokens = found
    return f"Path '{path}' did not match any token."


@lru_cache(maxsize=512)
def _steps(path: str) -> tuple[Step, ...]:
    reader = _PathReader(path)
    return tuple(reader.steps(top=True))


class _PathReader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def error(self, message: str) -> Exception:
        return raised("JsonException", message)

    def steps(self, *, top: bool = False) -> Iterator[Step]:
        if top and self.text.startswith("$"):
            self.at = 1
        first = True
        while self.at < len(self.text):
            character = self.text[self.at]
            if not top and character in " )=!<>&|,":
                return
            below = self.text.startswith("..", self.at)
            if below:
                self.at += 2
            elif character == ".":
                self.at += 1
                if self.at >= len(self.text):
                    raise self.error("Unexpected end while parsing path.")
            elif character != "[" and not first:
                raise self.error(f"Unexpected character while parsing path: {character}")
            step = self.bracket() if self.text[self.at : self.at + 1] == "[" else self.dotted()
            yield deep(step) if below else step
            first = False

    def dotted(self) -> Step:
        if self.text[self.at : self.at + 1] == "*":
            self.at += 1
            return field(None)
        match = _NAME.match(self.text, self.at)
        if match is None:
            if self.at >= len(self.text):
                raise self.error("Unexpected end while parsing path.")
            raise self.error(f"Unexpected character while parsing path: {self.text[self.at]}")
        self.at = match.end()
        return field(match[0])

    def bracket(self) -> Step:
        self.at += 1
        rest = self.text[self.at :].lstrip()
        if rest.startswith("?"):
            self.at = self.text.index("?", self.at) + 1
            test = self.condition()
            self.close()
            return chosen(test)
        if rest.startswith("*"):
            self.at = self.text.index("*", self.at) + 1
            self.close()
            return field(None)
        names: list[str] = []
        while match := _QUOTED.match(self.text, self.at):
            names.append(re.sub(r"\\(.)", r"\1", match[1] if match[1] is not None else match[2]))
            self.at = match.end()
            if self.text[self.at : self.at + 1] != ",":
                break
            self.at += 1
        if names:
            self.close()
            return fields(names)
        for pattern in (_SLICE, _INDICES):
            match = pattern.match(self.text, self.at)
            if match is not None:
                self.at = match.end()
                self.close()
                if pattern is _SLICE:
                    return part(match[1], match[2], match[3] or "")
                steps = [index(parse_integer(number.strip(), INT)) for number in match[0].split(",")]
                return lambda token, root: (found for step in steps for found in step(token, root))
        if self.at >= len(self.text):
            raise self.error("Path ended with open indexer.")
        raise self.error(f"Unexpected character while parsing path indexer: {self.text[self.at]}")

    def close(self) -> None:
        self.space()
        if self.text[self.at : self.at + 1] != "]":
            raise self.error("Path ended with open indexer.")
        self.at += 1

    def space(self) -> None:
        while self.text[self.at : self.at + 1] == " ":
            self.at += 1

    def condition(self) -> Callable[[JToken, JToken], bool]:
        self.space()
        if self.text[self.at : self.at + 1] != "(":
            raise self.error("Unexpected character while parsing path query: " + self.text[self.at : self.at + 1])
        self.at += 1
        test = self.either()
        self.space()
        if self.text[self.at : self.at + 1] != ")":
            raise self.error("Path ended with open query.")
        self.at += 1
        return test

    def either(self) -> Callable[[JToken, JToken], bool]:
        tests = [self.both()]
        self.space()
        while self.text.startswith("||", self.at):
            self.at += 2
            tests.append(self.both())
            self.space()
        return lambda token, root: any(test(token, root) for test in tests)

    def both(self) -> Callable[[JToken, JToken], bool]:
        tests = [self.comparison()]
        self.space()
        while self.text.startswith("&&", self.at):
            self.at += 2
            tests.append(self.comparison())
            self.space()
        return lambda token, root: all(test(token, root) for test in tests)

    def comparison(self) -> Callable[[JToken, JToken], bool]:
        self.space()
        if self.text[self.at : self.at + 1] == "(":
            return self.condition()
        left = self.operand()
        self.space()
        operator = next((sign for sign in _OPERATORS if self.text.startswith(sign, self.at)), None)
        if operator is None:
            return lambda token, root: any(True for _ in left(token, root))
        self.at += len(operator)
        right = self.operand()
        return lambda token, root: any(
            _compare(operator, a, b) for a in left(token, root) for b in right(token, root)
        )

    def operand(self) -> Callable[[JToken, JToken], list[Any]]:
        self.space()
        character = self.text[self.at : self.at + 1]
        if character in {"@", "$"}:
            self.at += 1
            steps = tuple(self.steps())
            here = character == "@"

            def find(token: JToken, root: JToken) -> list[Any]:
                tokens: Iterator[JToken] = iter((token if here else root,))
                for step in steps:
                    tokens = follow(step, tokens, root)
                return list(tokens)

            return find
        value = self.literal()
        return lambda token, root: [value]

    def literal(self) -> Any:
        match = _QUOTED.match(self.text, self.at)
        if match:
            self.at = match.end()
            return re.sub(r"\\(.)", r"\1", match[1] if match[1] is not None else match[2])
        pattern = re.match(r"/((?:[^/\\]|\\.)*)/([ims]*)", self.text[self.at :])
        if pattern:
            self.at += pattern.end()
            flags = {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL}
            return re.compile(pattern[1], sum(flags[flag] for flag in set(pattern[2])))
        for word, constant in (("true", True), ("false", False), ("null", None)):
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return constant
        number = re.match(r"-?\d+(\.\d+)?([eE][+-]?\d+)?", self.text[self.at :])
        if number is None:
            raise self.error("Could not read query operator.")
        if number[1] or number[2]:
            self.at += number.end()
            return float(number[0])
        whole = whole_number(number[0])
        if not INTEGRAL[LONG][0] <= whole <= INTEGRAL[LONG][1]:
            raise self.error("Could not read query operator.")
        self.at += number.end()
        return whole


def _compare(operator: str, left: Any, right: Any) -> bool:
    a, b = (operand.value if isinstance(operand, JValue) else operand for operand in (left, right))
    if isinstance(a, JToken) or isinstance(b, JToken):
        return operator in {"!=", "<>", "!=="}
    if operator == "=~":
        return isinstance(a, str) and isinstance(b, re.Pattern) and b.search(a) is not None
    if isinstance(a, str) != isinstance(b, str) and a is not None and b is not None and "===" not in operator:
        a, b = str(a), str(b)
    same = a == b and isinstance(a, bool) == isinstance(b, bool)
    if operator in {"==", "==="}:
        return same
    if operator in {"!=", "<>", "!=="}:
        return not same
    if a is None or b is None:
        return False
    return bool({"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[operator])
