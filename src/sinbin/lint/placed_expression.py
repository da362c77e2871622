"""A policy expression where it stands: its C# tree, its attribute, its section."""

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache

from sinbin.csharp.parse import ParsedExpression, parse_expression
from sinbin.csharp.refusal import Problem as CompileProblem
from sinbin.csharp.syntax import Node
from sinbin.lint.expression_names import declared, undeclared, written_types
from sinbin.lint.finding import Place
from sinbin.lint.variables import Variables
from sinbin.policy.document import SECTIONS
from sinbin.policy.document import Document as Policy
from sinbin.policy.nodes import Attribute, Element, Expression, Text

_NAMED_VALUE = re.compile(r"\{\{\s*[\w.\-]+\s*\}\}")
_PLACEHOLDER = re.compile(r"\{\{|\}\}|\$\{|\{%|#\{|__\w+__")
"""Marks of a template that is still to be filled in: Jinja, Terraform, Bicep, token replacement."""


class Code:
    """The C# of an expression, read once however often it is used: estates repeat their expressions."""

    def __init__(self, text: str, *, block: bool) -> None:
        self.parsed = parse_expression(text, "block" if block else "expression")
        self._by_kind: dict[str, list[Node]] = {}
        if self.parsed.root is not None:
            for node in self.parsed.root.walk():
                self._by_kind.setdefault(node.kind, []).append(node)

    def nodes(self, *kinds: str) -> list[Node]:
        """Return the nodes of these kinds, in the order of the source for each kind; none of broken C#."""
        return [node for kind in kinds for node in self._by_kind.get(kind, ())]

    @cached_property
    def locals(self) -> frozenset[str]:
        """The names that the expression declares itself."""
        return frozenset(declared(self))

    @cached_property
    def written_types(self) -> tuple[Node, ...]:
        """The places that name a type."""
        return tuple(written_types(self))

    @cached_property
    def undeclared(self) -> tuple[Node, ...]:
        """The identifiers that nothing declares."""
        return tuple(undeclared(self))

    @cached_property
    def type_errors(self) -> tuple[CompileProblem, ...]:
        """What no C# compiler takes, though it is C# by its form."""
        # The compiler takes longer to load than a small file to judge.
        from sinbin.csharp.compiler import problems_of  # noqa: PLC0415

        if self.parsed.root is None:
            return ()
        return tuple(problem for problem in problems_of(self.parsed) if problem.reason == "type-error")


_code = lru_cache(maxsize=2_048)(Code)


class PolicyExpressions:
    """All expressions of one policy, in document order, and the variables they share."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self._all = [
            PlacedExpression(self, element, owner, expression)
            for element in policy.walk()
            for owner in element.valued()
            for expression in owner.expressions
        ]

    def __iter__(self) -> Iterator["PlacedExpression"]:
        """Yield each expression; its tree is let go with the next one, which keeps long policies small."""
        for expression in self._all:
            yield expression
            expression.forget()

    @cached_property
    def variables(self) -> Variables:
        """The context variables of the policy."""
        return Variables(self.policy, self._all)


class PlacedExpression:
    """One expression of a policy."""

    def __init__(
        self, siblings: PolicyExpressions, element: Element, owner: Attribute | Text, expression: Expression
    ) -> None:
        self.siblings = siblings
        self.policy = siblings.policy
        self.element = element
        self.owner = owner
        self.expression = expression
        self._csharp: Code | None = None

    @property
    def code(self) -> str:
        """The C# between the brackets, entities decoded."""
        return self.expression.code

    @property
    def csharp(self) -> Code:
        """The C#, each named value `{{…}}` in it read as if it were an identifier of the same length."""
        if self._csharp is None:
            code = self.code
            masked = _NAMED_VALUE.sub(lambda match: "_" * len(match[0]), code) if "{{" in code else code
            self._csharp = _code(masked, block=self.expression.block)
        return self._csharp

    def forget(self) -> None:
        """Let the tree go; it is read again when it is asked for."""
        self._csharp = None

    @property
    def parsed(self) -> ParsedExpression:
        """The C# as a tree, with what could not be read."""
        return self.csharp.parsed

    def nodes(self, *kinds: str) -> list[Node]:
        """Return the nodes of these kinds, in the order of the source for each kind; none of broken C#."""
        return self.csharp.nodes(*kinds)

    @property
    def templated(self) -> bool:
        """Whether a placeholder of some template language is still in it."""
        return _PLACEHOLDER.search(self.code) is not None

    @property
    def attribute(self) -> str | None:
        """Name of the attribute it is the value of; None in text."""
        return self.owner.name if isinstance(self.owner, Attribute) else None

    @cached_property
    def section(self) -> str | None:
        """The section it stands in; None in a fragment or a bare statement."""
        for element in (self.element, *self.element.ancestors()):
            if element.name in SECTIONS:
                return element.name
        return None

    @property
    def path(self) -> str:
        """Where it stands in the structure."""
        return f"{self.element.path}/@{self.attribute}" if self.attribute else f"{self.element.path}/text()"

    @property
    def mark(self) -> tuple[int, int]:
        """The whole expression, from its `@`."""
        return self.expression.start, self.expression.end

    def place(self, start: int, end: int) -> Place:
        """Return the place of the characters `start` to `end` of the code."""
        first = self.expression.offset(start)
        last = self.expression.offset(end - 1) + 1 if end > start else first + 1
        if self.expression.offset(end) > last and end > start:
            last = self.expression.offset(end)
        return Place((first, last), self.path)

    def place_of(self, node: Node) -> Place:
        """Return the place of a node of the tree."""
        return self.place(node.start, node.end)
