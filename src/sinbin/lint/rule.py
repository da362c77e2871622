"""What a rule is, and the register of rules.

A rule is one class in one module of `sinbin.lint.rules` (or of a folder that the user names). The class says who
it is (`id`, `name`, `severity`, `source`), its docstring is its page, and `check` yields the problems it sees.
Defining the class registers it; a class in the wrong file, without a source or without a complete page is refused.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Generic, Literal, TypeVar

from sinbin.lint.context import Context
from sinbin.lint.effective import Judged
from sinbin.lint.estate import Estate
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.nodes import Node
from sinbin.lint.placed_expression import PlacedExpression
from sinbin.lint.resource import Resource
from sinbin.policy.document import Document as Policy

Subject = TypeVar("Subject")

SECTIONS = ("Why", "Bad", "Good", "Fix")
"""Headings of a rule's page, in this order."""

Kind = Literal["policies", "resources"]
"""What a rule needs to see."""

_KINDS: dict[str, Kind] = {
    "policy": "policies",
    "expression": "policies",
    "effective": "policies",
    "resource": "resources",
    "estate": "resources",
    "stack": "resources",
}
_FIRST_RESOURCE_NUMBER = 50
_RULES: "dict[str, type[Rule[Any]]]" = {}


class Rule(ABC, Generic[Subject]):
    """One fault that people make, and how to see it.

    `source` is the page or thread that makes the rule true, or `Derived: …` with the facts it follows from.
    """

    id: ClassVar[str]
    name: ClassVar[str]
    severity: ClassVar[Severity]
    source: ClassVar[str]
    family: ClassVar[str] = ""
    """What the rule judges; set by the families below."""
    last_resort: ClassVar[bool] = False
    """Whether it is asked after the others, and only where none of them has found an error."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "id" not in cls.__dict__:
            return  # a family of rules, not a rule
        stem = cls.__module__.rpartition(".")[2]
        expected = f"{cls.id.lower()}_{cls.name.replace('-', '_')}"
        if not re.fullmatch(r"SB\d{3}", cls.id) or stem != expected:
            raise TypeError(f"{cls.__module__}: the rule {cls.id} {cls.name} belongs in a file {expected}.py")
        if cls.family in _KINDS and cls.id[2] != "9" and _KINDS[cls.family] != kind_of(cls.id):
            raise TypeError(f"{cls.__module__}: {cls.id} is a number for rules about {kind_of(cls.id)}")
        if cls.id in _RULES:
            raise TypeError(f"{cls.__module__}: {cls.id} is already {_RULES[cls.id].__module__}")
        if not getattr(cls, "source", ""):
            raise TypeError(f"{cls.__module__}: {cls.id} names no source")
        page = cls.__doc__ or ""
        positions = [page.find(f"## {section}\n") for section in SECTIONS]
        if page and (-1 in positions or positions != sorted(positions)):
            raise TypeError(
                f"{cls.__module__}: the docstring of {cls.id} needs the headings {', '.join(SECTIONS)}"
            )
        _RULES[cls.id] = cls

    def applies(self, subject: Subject) -> bool:  # noqa: ARG002
        """Whether `subject` is worth a look: cheap, and by default always."""
        return True

    @abstractmethod
    def check(self, subject: Subject, context: Context) -> Iterator[Problem]:
        """Yield every problem of this kind in `subject`."""


class PolicyRule(Rule[Policy]):
    """Judges one policy document: a `<policies>` or `<fragment>` tree with positions."""

    family = "policy"


class ExpressionRule(Rule[PlacedExpression]):
    """Judges one policy expression `@(…)` or `@{…}`, where it stands."""

    family = "expression"
    mentions: ClassVar[tuple[str, ...]] = ()
    """Words of which an expression must hold one to be worth a look; none = every expression."""

    def applies(self, subject: PlacedExpression) -> bool:
        """Whether the expression holds one of the words."""
        return not self.mentions or any(word in subject.code for word in self.mentions)


class EffectivePolicyRule(Rule[Judged]):
    """Judges a policy after `<base />` and fragments were put in, each element with the document it came from."""

    family = "effective"


class ResourceRule(Rule[Resource]):
    """Judges one ARM resource of the given types."""

    family = "resource"
    types: ClassVar[tuple[str, ...]]
    """Full ARM types, in lower case."""

    def applies(self, subject: Resource) -> bool:
        """Whether the resource is of one of these types."""
        return subject.type in self.types


class EstateRule(Rule[Estate]):
    """Judges what was given together: all resources of the run, and how they refer to each other."""

    family = "estate"


class StackRule(Rule[Node]):
    """Judges the object `sinbin:gateway` of a stack file."""

    family = "stack"


class ToolRule(Rule[None]):
    """Stands for what sinbin says of itself or of a file as such; the engine makes its findings."""

    family = "tool"

    def check(self, subject: None, context: Context) -> Iterator[Problem]:  # noqa: ARG002
        """Yield nothing: the engine knows when the rule applies."""
        return iter(())


def kind_of(rule_id: str) -> Kind:
    """Return what a rule of this number judges."""
    hundreds, rest = divmod(int(rule_id[2:]), 100)
    if hundreds in (1, 2):
        return "policies"
    return "resources" if hundreds == 3 or rest >= _FIRST_RESOURCE_NUMBER else "policies"


def kinds_of(families: Iterable[str]) -> set[Kind]:
    """Return the kinds of rules that the families belong to."""
    return {_KINDS[family] for family in families if family in _KINDS}


def registered() -> tuple[type[Rule[Any]], ...]:
    """Return the rules that were defined so far, by id."""
    return tuple(_RULES[rule_id] for rule_id in sorted(_RULES))
