"""Who writes and who reads the context variables of a policy, and with which type."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from sinbin.csharp.syntax import Node
from sinbin.lint.expression_types import result_type, type_name
from sinbin.policy.document import SECTIONS
from sinbin.policy.document import Document as Policy
from sinbin.policy.nodes import Attribute, Element

if TYPE_CHECKING:
    from sinbin.lint.placed_expression import PlacedExpression

_ORDER = {section: index for index, section in enumerate(SECTIONS)}
_RESPONSES = frozenset({"send-request"})


@dataclass(frozen=True, slots=True)
class Write:
    """A place that sets a variable; `type` is None where the words do not tell."""

    name: str
    element: Element
    attribute: Attribute
    type: str | None
    when: tuple[int, int]
    """Section and offset: later writes compare greater."""

    @property
    def value(self) -> Attribute | None:
        """The attribute that holds the value of a `set-variable`."""
        return self.element.attribute("value") if self.element.name == "set-variable" else None


@dataclass(frozen=True, slots=True)
class Read:
    """A place that reads a variable; `type` is the type it is cast to, None without a cast."""

    name: str
    expression: "PlacedExpression"
    node: Node
    """The whole read, with its cast."""
    access: Node
    """The access itself: `context.Variables["x"]` or the call."""
    type: str | None
    defaulted: bool
    """Whether it has an answer for a variable that is not set."""
    when: tuple[int, int]


class Variables:
    """The variables of one policy document."""

    def __init__(self, policy: Policy, expressions: "Sequence[PlacedExpression]") -> None:
        self.policy = policy
        self._expressions = expressions

    @cached_property
    def writes(self) -> dict[str, list[Write]]:
        """Every write, by name, in document order."""
        found: dict[str, list[Write]] = defaultdict(list)
        for element in self.policy.walk():
            for attribute in element.attributes:
                is_name = attribute.name == "name" and element.name == "set-variable"
                if is_name or attribute.name.endswith("variable-name"):
                    name = attribute.literal
                    if name:
                        write = Write(name, element, attribute, self._written_type(element), when(element))
                        found[name].append(write)
        return dict(found)

    @cached_property
    def _reads(self) -> dict[int, list[Read]]:
        found: dict[int, list[Read]] = {}
        for expression in self._expressions:
            if "Variables" in expression.code:
                found[id(expression)] = list(_reads(expression))
                expression.forget()
        return found

    def reads_in(self, expression: "PlacedExpression") -> list[Read]:
        """Return the reads in one expression, by names that are written out."""
        return self._reads.get(id(expression), [])

    @cached_property
    def _by_name(self) -> dict[str, list[Read]]:
        found: dict[str, list[Read]] = defaultdict(list)
        for reads in self._reads.values():
            for read in reads:
                found[read.name].append(read)
        return found

    def reads_of(self, name: str) -> list[Read]:
        """Return every read of the variable `name`."""
        return self._by_name.get(name, [])

    @cached_property
    def _by_owner(self) -> "dict[int, PlacedExpression]":
        return {id(expression.owner): expression for expression in self._expressions}

    def _written_type(self, element: Element) -> str | None:
        if element.name in _RESPONSES:
            return "IResponse"
        value = element.attribute("value") if element.name == "set-variable" else None
        if value is None:
            return None
        if not value.expressions:
            return "string"  # a literal, also one with a named value in it: text is stored as text
        expression = self._by_owner.get(id(value))
        if value.expression is None or expression is None:
            return "string"  # text with an expression in it is text
        root = expression.parsed.root
        stored = result_type(root) if root is not None else None
        expression.forget()
        return stored


def when(element: Element) -> tuple[int, int]:
    """Return where an element stands in the order of execution: its section, then its place."""
    for around in (element, *element.ancestors()):
        if around.name in _ORDER:
            return _ORDER[around.name], element.start
    return 0, element.start


def _reads(expression: "PlacedExpression") -> Iterator[Read]:
    if "Variables" not in expression.code:
        return
    casts = {id(_inner(cast)): cast for cast in expression.nodes("cast_expression")}
    moment = when(expression.element)
    for access in expression.nodes("element_access_expression"):
        owner = access.get("expression")
        name = _literal(access.get("subscript"))
        if name is not None and owner is not None and "".join(owner.text.split()) == "context.Variables":
            cast = casts.get(id(access))
            written = cast.get("type") if cast else None
            yield Read(
                name, expression, cast or access, access, type_name(written) if written else None, False, moment
            )
    for call in expression.nodes("invocation_expression"):
        function = call.get("function")
        name = _literal(call.get("arguments"))
        if (
            name is None
            or function is None
            or not "".join(function.text.split()).startswith("context.Variables.GetValueOrDefault")
        ):
            continue
        method = function.get("name")
        generic = next(
            (part for part in (method.parts if method else ()) if part.kind == "type_argument_list"), None
        )
        wanted = type_name(generic.parts[0]) if generic and generic.parts else None
        cast = casts.get(id(call))
        written = cast.get("type") if cast else None
        yield Read(name, expression, call, call, wanted or (type_name(written) if written else None), True, moment)


def _inner(cast: Node) -> Node | None:
    value = cast.get("value")
    while value is not None and value.kind == "parenthesized_expression" and value.parts:
        value = value.parts[0]
    return value


def _literal(arguments: Node | None) -> str | None:
    if arguments is None or not arguments.parts or not arguments.parts[0].parts:
        return None
    first = arguments.parts[0].parts[-1]
    return first.text[1:-1] if first.kind == "string_literal" else None
