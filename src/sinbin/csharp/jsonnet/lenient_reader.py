"""JSON that only Json.NET reads, and its complaints.

Comments, single quotes, names without quotes and trailing commas are fine; the rest gets its exact message.
"""

import math
import re
from typing import Any

from sinbin.csharp.exceptions import CsException, raised

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
MAX_DEPTH = 400
_MOST_DIGITS = 380
"""Of an integer. Source: MaximumJavascriptIntegerCharacterLength in Json.NET's JsonTextReader, read 2026-11-30.

Here only an integer of more than 4,300 digits, which Python's own parser leaves to this one, is held to it.
"""


class Reader:
    """A lenient reader; `document` gives plain Python."""

    def __init__(self, text: str, wanted: str) -> None:
        self.text = text
        self.at = 0
        self.wanted = wanted
        self.path: list[str | int] = []

    def error(self, message: str, at: int | None = None) -> CsException:
        """Return a JsonReaderException with path and place."""
        place = self.at if at is None else at
        before = self.text[:place]
        line = before.count("\n") + 1
        column = place - (before.rfind("\n") + 1)
        if place == 0:
            line = 0
        return raised("JsonReaderException", f"{message} Path '{self.where()}', line {line}, position {column}.")

    def where(self) -> str:
        """Return the path of the value being read."""
        out = ""
        for part in self.path:
            if part == -1:
                continue  # before the first item of an array
            if isinstance(part, int):
                out += f"[{part}]"
            elif re.fullmatch(r"[^.\s'/\"\[\]()\t\n\r\f\b\\\u0085\u2028\u2029]+", part):
                out += f".{part}" if out else part
            else:
                out += "['{}']".format(part.replace("\\", "\\\\").replace("'", "\\'"))
        return out

    def skip(self) -> None:
        """Skip white space and comments."""
        while self.at < len(self.text):
            if self.text[self.at].isspace():
                self.at += 1
            elif self.text.startswith("/*", self.at):
                end = self.text.find("*/", self.at + 2)
                if end < 0:
                    self.at = len(self.text)
                    raise self.error("Unexpected end while parsing comment.")
                self.at = end + 2
            elif self.text.startswith("//", self.at):
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            else:
                return

    def document(self) -> Any:
        """Read the whole text."""
        self.skip()
        if self.at >= len(self.text):
            line = self.text.count("\n") + 1 if self.text else 0
            column = len(self.text) - (self.text.rfind("\n") + 1)
            raise raised(
                "JsonReaderException",
                f"Error reading {self.wanted} from JsonReader. Path '', line {line}, position {column}.",
            )
        value = self.value(0)
        self.skip()
        if self.at < len(self.text):
            extra = self.text[self.at]
            raise self.error(f"Additional text encountered after finished reading JSON content: {extra}.")
        return value

    def value(self, depth: int) -> Any:
        """Read a value."""
        if depth > MAX_DEPTH:
            raise self.error(f"The reader's MaxDepth of {MAX_DEPTH} has been exceeded.")
        self.skip()
        if self.at >= len(self.text):
            raise self.ended()
        character = self.text[self.at]
        if character == "{":
            return self.object(depth)
        if character == "[":
            return self.array(depth)
        if character in "\"'":
            return self.string()
        match = _NUMBER.match(self.text, self.at)
        if match:
            return self.number(match)
        return self.word(character)

    def ended(self) -> CsException:
        """Return the complaint about a text that stops inside a container."""
        wanted = self.wanted
        return self.error(f"Unexpected end of content while loading {wanted}.")

    def number(self, match: re.Match[str]) -> int | float:
        """Read a number."""
        self.at = match.end()
        rest = self.text[self.at : self.at + 1]
        if rest and rest not in ",]}) \t\r\n/":
            raise self.error(f"Unexpected character encountered while parsing number: {rest}.")
        digits = match[0]
        if len(digits) > _MOST_DIGITS and not any(c in ".eE" for c in digits):
            raise self.error(f"JSON integer {digits} is too large to parse.")
        return float(digits) if any(c in ".eE" for c in digits) else int(digits)

    def word(self, character: str) -> Any:
        """Read true, false, null, undefined, NaN or Infinity."""
        words = {"true": True, "false": False, "null": None, "undefined": None, "NaN": math.nan, "Infinity": math.inf,  # noqa: E501
                 "-Infinity": -math.inf}  # fmt: skip
        for word, value in words.items():
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return value
        if character in "tf" or self.text.startswith("nu", self.at):
            raise self.error(f"Error parsing {'boolean' if character in 'tf' else 'null'} value.")
        raise self.error(f"Unexpected character encountered while parsing value: {character}.")

    def string(self) -> str:
        """Read a quoted text."""
        mark = self.text[self.at]
        out: list[str] = []
        at = self.at + 1
        while at < len(self.text):
            character = self.text[at]
            if character == mark:
                self.at = at + 1
                return "".join(out)
            if character == "\\" and at + 1 < len(self.text):
                at, piece = self.escape(at)
                out.append(piece)
            else:
                out.append(character)
                at += 1
        self.at = len(self.text)
        raise self.error(f"Unterminated string. Expected delimiter: {mark}.")

    def escape(self, at: int) -> tuple[int, str]:
        """Read an escape; return where it ends and what it means."""
        character = self.text[at + 1]
        simple = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "\\": "\\", "'": "'", '"': '"', "/": "/"}
        if character in simple:
            return at + 2, simple[character]
        digits = self.text[at + 2 : at + 6]
        if character == "u" and re.fullmatch("[0-9a-fA-F]{4}", digits):
            return at + 6, chr(int(digits, 16))
        self.at = at + 2
        if character == "u":
            raise self.error(f"Invalid Unicode escape sequence: \\u{digits}.")
        raise self.error(f"Bad JSON escape sequence: \\{character}.")

    def enter(self) -> None:
        """Read an opening bracket; an item of an array counts from here on."""
        self.at += 1
        if self.path and isinstance(self.path[-1], int):
            self.path[-1] += 1
        if not self.path and not self.text[self.at :].strip():
            raise self.error(f"Error reading {self.wanted} from JsonReader.")

    def object(self, depth: int) -> dict[str, Any]:
        """Read an object."""
        found: dict[str, Any] = {}
        self.enter()
        while True:
            self.skip()
            if self.at >= len(self.text):
                raise self.ended()
            if self.text[self.at] == "}":
                self.at += 1
                return found
            name = self.name()
            self.skip()
            if self.text[self.at : self.at + 1] != ":":
                got = self.text[self.at : self.at + 1]
                if not got:
                    raise self.ended()
                raise self.error(f"Invalid character after parsing property name. Expected ':' but got: {got}.")
            self.at += 1
            self.path.append(name)
            found.pop(name, None)
            found[name] = self.value(depth + 1)
            self.separator("}")
            self.path.pop()

    def name(self) -> str:
        """Read a property's name."""
        if self.text[self.at] in "\"'":
            return self.string()
        match = _WORD.match(self.text, self.at)
        if match is None:
            raise self.error(f"Invalid property identifier character: {self.text[self.at]}.")
        self.at = match.end()
        return match[0]

    def array(self, depth: int) -> list[Any]:
        """Read an array."""
        found: list[Any] = []
        self.enter()
        while True:
            self.skip()
            if self.at >= len(self.text):
                raise self.ended()
            if self.text[self.at] == "]":
                self.at += 1
                return found
            self.path.append(len(found) - 1)
            found.append(None if self.text[self.at] == "," else self.value(depth + 1))
            self.path[-1] = len(found) - 1
            self.separator("]")
            self.path.pop()

    def separator(self, closing: str) -> None:
        """Read the comma after a value, or stop before the closing bracket."""
        self.skip()
        if self.at >= len(self.text):
            raise self.ended()
        character = self.text[self.at]
        if character == ",":
            self.at += 1
        elif character != closing:
            raise self.error(f"After parsing a value an unexpected character was encountered: {character}.")
