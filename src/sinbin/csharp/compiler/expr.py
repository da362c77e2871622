"""What compiling one piece of an expression gives: Python source and a static type."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sinbin.csharp.registry import Member
from sinbin.csharp.syntax import Node
from sinbin.csharp.types import ERROR, VOID, Type


class _NotConstant:
    def __repr__(self) -> str:
        return "NOT_CONSTANT"


NOT_CONSTANT = _NotConstant()

LAMBDA = Type("lambda")
GROUP = Type("method group")
STATIC = Type("static")


@dataclass(slots=True)
class Expr:
    """A compiled piece.

    Attributes:
        code: a Python expression that needs no brackets around it as an operand of `.`, `[]` or `()`.
        type: the static type; ERROR when a problem has been reported for it.
        node: where it stands.
        const: its value when the compiler knows it.
        nonnull: whether it is known not to be null.
        static: for a name of a type, that type.
        receiver: for a method group, what it is called on.
        group: for a method group, the members of that name, each with the type that declares it.
        generics: for a method group, the type arguments written out.
    """

    code: str
    type: Type
    node: Node
    const: Any = NOT_CONSTANT
    nonnull: bool = False
    static: Type | None = None
    receiver: "Expr | None" = None
    group: list[tuple[Type, Member]] = field(default_factory=list)
    generics: tuple[Type, ...] | None = None

    @property
    def is_const(self) -> bool:
        """Whether the compiler knows the value."""
        return self.const is not NOT_CONSTANT

    @property
    def has_value(self) -> bool:
        """Whether it is a value: no type, no method, no call of a void method."""
        return self.type not in (LAMBDA, GROUP, STATIC, VOID)

    @property
    def failed(self) -> bool:
        """Whether a problem has already been reported for it."""
        return self.type is ERROR


@dataclass(slots=True)
class Place:
    """Something that can be assigned to.

    Attributes:
        setup: Python expressions to evaluate once before reading or writing.
        read: the current value.
        write: makes the Python expression that stores a value and yields it.
        statement: makes the Python statement that stores a value, where one is shorter.
    """

    read: Expr
    write: Callable[[str], str]
    setup: list[str] = field(default_factory=list)
    statement: Callable[[str], str] | None = None


def shown(value: Expr) -> str:
    """Return the type of a value in words, for a message."""
    return value.static.name if value.type == STATIC and value.static else str(value.type)
