"""What the compiler knows of .NET: types and their members, declared beside the code that carries them out.

A family module of `library/` declares a type as C# would, one line per member:

    declare("string", "System.String", bases="IEnumerable<char>", members={
        "int Length": "len({0})",                          # a template: {0} is the receiver, {1} the first argument
        "string! Trim()": str_trim,                        # a function: (receiver, *arguments)
        "static bool IsNullOrEmpty(string value)": "(not {0})",
    })

`!` after a return type says that it is never null, so that no null check is made on it. A function marked
`with_runtime` gets the runtime (clock, chance, steps) first, one marked `with_types` the type arguments first; one
marked `for_types` is called with them at load, and gives the function to run.
A function with `out` parameters returns a tuple: the result, then each out value.
"""  # noqa: E501

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Self, TypeVar

from sinbin.csharp.types import OBJECT, Type, parse_type, substitute

# A template (str), a function, or for a constant its value.
Implementation = Any
F = TypeVar("F", bound=Callable[..., Any])

# `new(…)`, `implicit T(…)`, `explicit T(…)` have no name; everything else has.
_MAKER = re.compile(r"(?:(?P<kind>implicit|explicit) )?(?P<returns>\S+?)\((?P<parameters>.*)\)")
_SIGNATURE = re.compile(
    r"(?P<words>(?:(?:static|set|const) )*)(?P<returns>\S.*?)(?P<nonnull>!?) (?P<name>operator \S+?|this|\w+)"
    r"(?:<(?P<generics>[\w, ]+)>)?(?P<parameters>\(.*\)|(?<=this)\[.*\])?"
)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a member."""

    name: str
    type: Type
    out: bool = False
    params: bool = False
    this: bool = False
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Member:
    """A property, method, indexer, constructor, constant, operator or conversion of a type."""

    owner: "TypeDef"
    kind: str  # property | method | index | set | new | operator | implicit | explicit
    name: str
    returns: Type
    implementation: Implementation
    parameters: tuple[Parameter, ...] = ()
    generics: tuple[str, ...] = ()
    static: bool = False
    nonnull: bool = False

    @property
    def extension(self) -> bool:
        """Whether the member is called on its first argument."""
        return bool(self.parameters) and self.parameters[0].this


@dataclass(slots=True)
class TypeDef:
    """A declared type; its members' signatures are read when one of them is first looked up."""

    name: str
    full: str
    kind: str  # class | struct | interface | enum | static | delegate
    generics: tuple[str, ...]
    bases: tuple[str, ...]
    declared: dict[str, Implementation]
    default: Callable[[], Any] = lambda: None
    _members: dict[str, list[Member]] | None = field(default=None, repr=False)

    @property
    def members(self) -> dict[str, list[Member]]:
        """The members by name; `new` holds constructors, `this` indexers, `operator +` operators."""
        if self._members is None:
            self._members = {}
            for signature, implementation in self.declared.items():
                member = _read_signature(self, signature, implementation)
                key = f"set {member.name}" if member.kind == "set" else member.name
                self._members.setdefault(key, []).append(member)
        return self._members


TYPES: dict[str, TypeDef] = {}


def declare(
    name: str,
    full: str,
    members: Mapping[str, Implementation],
    *,
    kind: str = "class",
    bases: str = "",
    generics: str = "",
    default: Callable[[], Any] = lambda: None,
) -> TypeDef:
    """Make a type known to the compiler.

    Args:
        name: the short name in policies, `List`.
        full: the .NET name, `System.Collections.Generic.List`.
        members: signature → implementation.
        kind: class, struct, interface, enum, static or delegate.
        bases: base class and interfaces, separated by `;`.
        generics: names of the type parameters, separated by commas.
        default: for a struct or enum, makes its all-zero value.
    """
    definition = TypeDef(
        name,
        full,
        kind,
        tuple(part.strip() for part in generics.split(",") if part.strip()),
        tuple(part.strip() for part in bases.split(";") if part.strip()),
        dict(members),
        default,
    )
    TYPES[name] = definition
    return definition


def with_runtime(function: F) -> F:
    """Mark a function that takes the runtime as its first argument."""
    function.needs_runtime = True  # type: ignore[attr-defined]
    return function


def constant_time(function: F) -> F:
    """Mark a function that takes the same time however large its operands are (see `sinbin.csharp.metering`)."""
    function.constant_time = True  # type: ignore[attr-defined]
    return function


def whole_trees(function: F, *places: int) -> F:
    """Mark a function that goes through the whole of the JSON trees that are its arguments there."""
    function.tree_places = places  # type: ignore[attr-defined]
    return function


class Linear(str):  # noqa: SLOT000  (it holds its places)
    """A template whose code takes the longer the larger its operands are."""

    tree_places: tuple[int, ...]

    def __new__(cls, template: str, *tree_places: int) -> Self:
        """Make one; with `tree_places`, see `whole_trees`."""
        made = super().__new__(cls, template)
        made.tree_places = tree_places
        return made


def with_types(function: F) -> F:
    """Mark a function that takes the tuple of type arguments first (after the runtime)."""
    function.needs_types = True  # type: ignore[attr-defined]
    return function


def for_types(function: F) -> F:
    """Mark a function that makes the implementation from the tuple of type arguments, once, at load."""
    function.makes_for_types = True  # type: ignore[attr-defined]
    return function


def _read_signature(owner: TypeDef, signature: str, implementation: Implementation) -> Member:
    maker = _MAKER.fullmatch(signature) if signature.startswith(("new(", "implicit ", "explicit ")) else None
    if maker is not None:
        kind = maker["kind"] or "new"
        own = f"{owner.name}<{', '.join(owner.generics)}>" if owner.generics else owner.name
        names = frozenset(owner.generics)
        return Member(
            owner=owner,
            kind=kind,
            name=kind,
            returns=parse_type(own if kind == "new" else maker["returns"], names),
            implementation=implementation,
            parameters=tuple(_read_parameter(part, names) for part in _split(maker["parameters"])),
            static=True,
            nonnull=kind == "new",
        )
    match = _SIGNATURE.fullmatch(signature)
    if match is None:
        raise ValueError(f"{owner.name}: {signature!r} is no signature")
    words, name = match["words"].split(), match["name"]
    generics = tuple(part.strip() for part in (match["generics"] or "").split(",") if part.strip())
    open_names = frozenset({*owner.generics, *generics})
    if "set" in words:
        kind = "set"
    elif name == "this":
        kind = "index"
    elif name.startswith("operator"):
        kind = "operator"
    else:
        kind = "property" if match["parameters"] is None else "method"
    return Member(
        owner=owner,
        kind=kind,
        name=name,
        returns=parse_type(match["returns"], open_names),
        implementation=implementation,
        parameters=tuple(_read_parameter(part, open_names) for part in _split((match["parameters"] or "")[1:-1])),
        generics=generics,
        static=bool({"static", "const"} & set(words)),
        nonnull=bool(match["nonnull"]),
    )


def _split(text: str) -> Iterator[str]:
    """Yield the parts between the commas that stand in no bracket."""
    depth = start = 0
    for index, character in enumerate(text):
        depth += (character in "<(") - (character in ">)")
        if character == "," and depth == 0:
            yield text[start:index]
            start = index + 1
    if text.strip():
        yield text[start:]


def _read_parameter(text: str, open_names: frozenset[str]) -> Parameter:
    head, _, default = text.strip().partition(" = ")
    *words, name = head.split(" ")
    flags = {word for word in words if word in {"out", "params", "this"}}
    kind = parse_type(" ".join(word for word in words if word not in flags), open_names)
    return Parameter(name, kind, "out" in flags, "params" in flags, "this" in flags, default or None)


@cache
def direct_bases(kind: Type) -> tuple[Type, ...]:
    """Return the base types that `kind` names itself, its type arguments filled in."""
    if kind.name == "[]":
        return (Type("IList", kind.args), Type("IReadOnlyList", kind.args), Type("Array"))
    definition = TYPES.get(kind.name)
    if definition is None:
        return ()
    bindings = dict(zip(definition.generics, kind.args, strict=False))
    names = frozenset(definition.generics)
    return tuple(substitute(parse_type(base, names), bindings) for base in definition.bases)


@cache
def all_bases(kind: Type) -> tuple[Type, ...]:
    """Return `kind` and everything it derives from, nearest first."""
    found = [kind]
    for base in found:
        found.extend(other for other in direct_bases(base) if other not in found)
    return tuple(found)


def as_base(kind: Type, name: str) -> Type | None:
    """Return the form of `kind` as its base `name`: `List<int>` as `IEnumerable` is `IEnumerable<int>`."""
    return next((base for base in all_bases(kind) if base.name == name), None)


def find_members(kind: Type, name: str) -> list[tuple[Type, Member]]:
    """Return the members called `name`, each with the base that declares it; the nearest of equals."""
    found: list[tuple[Type, Member]] = []
    seen: set[object] = set()
    bases = all_bases(kind)
    for base in bases if OBJECT in bases else (*bases, OBJECT):
        definition = TYPES.get("Array" if base.name == "[]" else base.name)
        for member in definition.members.get(name, ()) if definition else ():
            takes = tuple(parameter.type for parameter in member.parameters)
            # A conversion is told from another by what it gives.
            shape = (
                member.kind,
                takes,
                len(member.generics),
                member.returns if name in {"implicit", "explicit"} else None,
            )
            if shape not in seen:
                seen.add(shape)
                found.append((base, member))
    return found


@cache
def extensions() -> dict[str, list[Member]]:
    """Return the extension methods by name."""
    found: dict[str, list[Member]] = {}
    for definition in TYPES.values():
        if definition.kind == "static":
            for members in definition.members.values():
                for member in members:
                    if member.extension:
                        found.setdefault(member.name, []).append(member)
    return found
