"""Which overload is meant, and which type arguments it has.

Source: C# specification, 12.6.3 (type inference) and 12.6.4 (overload resolution). A candidate's cost is the sum
of its arguments' conversions; the cheapest wins. That is C#'s "better function member" wherever one candidate
is better in every argument.
"""

from dataclasses import dataclass, field

from sinbin.csharp.casting import is_value_type
from sinbin.csharp.compiler import conversions, lambdas
from sinbin.csharp.compiler.expr import GROUP, LAMBDA, STATIC, Expr
from sinbin.csharp.compiler.unit import Unit
from sinbin.csharp.registry import Member, Parameter, all_bases, as_base
from sinbin.csharp.syntax import Node
from sinbin.csharp.types import DEFAULT, ERROR, NEVER, NULL, VOID, WIDENING, Type, is_open, substitute

_IMPOSSIBLE = 10_000
# Tie-breakers, below the smallest difference between conversions.
_EXPANDED = 10


@dataclass(slots=True)
class Argument:
    """An argument of a call: a value, or an `out` target."""

    node: Node
    value: Expr | None
    name: str | None = None
    out: Node | None = None


@dataclass(slots=True)
class Match:
    """A candidate that takes the arguments."""

    base: Type
    member: Member
    bindings: dict[str, Type]
    # Per parameter: the argument, the several arguments of an expanded `params`, or None for the default.
    slots: list[Argument | list[Argument] | None]
    cost: int = 0
    expanded: bool = False
    outs: list[tuple[Argument, Type]] = field(default_factory=list)


def choose(unit: Unit, target: Expr, arguments: list[Argument]) -> Match | None:
    """Return the best candidate; instance methods come before extension methods."""
    receiver = target.receiver
    static = receiver is not None and receiver.type == STATIC
    groups: list[list[Match]] = [[], []]
    for base, member in target.group:
        extension = member.extension and not static
        given = arguments
        if extension and receiver is not None:
            given = [Argument(receiver.node, receiver), *arguments]
        found = fit(unit, base, member, given, target.generics)
        if found is not None:
            groups[int(extension)].append(found)
    for group in groups:
        if group:
            return min(group, key=lambda match: match.cost)
    return None


def fit(
    unit: Unit, base: Type, member: Member, arguments: list[Argument], generics: tuple[Type, ...] | None = None
) -> Match | None:
    """Return how `member` takes the arguments, or None when it does not."""
    candidates = []
    if member.parameters and member.parameters[-1].params:
        candidates.append(_place(member, arguments, expanded=True))
    candidates.append(_place(member, arguments, expanded=False))
    best: Match | None = None
    for slots, expanded in candidates:
        if slots is None:
            continue
        match = Match(base, member, owner_bindings(base, member), slots, expanded=expanded)
        if _type(unit, match, generics) and (best is None or match.cost < best.cost):
            best = match
    return best


def _place(
    member: Member, arguments: list[Argument], *, expanded: bool
) -> tuple[list[Argument | list[Argument] | None] | None, bool]:
    """Give each parameter its argument."""
    parameters = member.parameters
    slots: list[Argument | list[Argument] | None] = [None] * len(parameters)
    last = len(parameters) - 1
    if expanded:
        slots[last] = []
    for index, argument in enumerate(arguments):
        place = index
        if argument.name is not None:
            names = [parameter.name for parameter in parameters]
            if argument.name not in names:
                return None, expanded
            place = names.index(argument.name)
        rest = slots[last] if parameters else None
        if expanded and place >= last and isinstance(rest, list):
            rest.append(argument)
            continue
        if place > last or slots[place] is not None:
            return None, expanded
        slots[place] = argument
    for slot, parameter in zip(slots, parameters, strict=True):
        if slot is None and parameter.default is None:
            return None, expanded
        if isinstance(slot, Argument) and (slot.out is not None) != parameter.out:
            return None, expanded
    return slots, expanded


def _type(unit: Unit, match: Match, generics: tuple[Type, ...] | None) -> bool:
    """Infer the type arguments and add up the cost of the conversions."""
    member = match.member
    if generics is not None:
        if len(generics) != len(member.generics):
            return False
        match.bindings.update(zip(member.generics, generics, strict=True))
    pairs = list(_pairs(match))
    if generics is None and member.generics:
        for parameter, kind, argument in pairs:
            if argument.value is not None and argument.value.type not in (LAMBDA, GROUP):
                unify(kind, argument.value.type, match.bindings)
            del parameter
        for _, kind, argument in pairs:
            if argument.value is not None and argument.value.type in (LAMBDA, GROUP):
                _infer_from_lambda(unit, kind, argument.value, match.bindings)
    for parameter, kind, argument in pairs:
        wanted = substitute(kind, match.bindings)
        if argument.value is None:
            match.outs.append((argument, wanted))
            continue
        if is_open(wanted):
            return False
        price = conversions.cost(unit, argument.value, wanted)
        if price >= _IMPOSSIBLE:
            return False
        if parameter.this and price >= 30 and price not in range(10, 51):
            return False
        match.cost += 100 * price
    match.cost += _EXPANDED * match.expanded + 2 * len(member.generics) + match.slots.count(None)
    return not any(is_open(substitute(Type("!" + name), match.bindings)) for name in member.generics)


def _pairs(match: Match) -> list[tuple[Parameter, Type, Argument]]:
    """Return every argument with the type that its parameter wants."""
    found = []
    for parameter, slot in zip(match.member.parameters, match.slots, strict=True):
        if isinstance(slot, list):
            found += [(parameter, parameter.type.args[0], argument) for argument in slot]
        elif slot is not None:
            found.append((parameter, parameter.type, slot))
    return found


def unify(wanted: Type, given: Type, bindings: dict[str, Type]) -> None:
    """Bind the type parameters in `wanted` so that it becomes `given`, as far as that goes."""
    if given in (NULL, DEFAULT, NEVER, ERROR):
        return
    if wanted.name.startswith("!"):
        name = wanted.name[1:]
        bound = bindings.get(name)
        if (
            bound is None
            or (bound != given and given in WIDENING and bound in WIDENING and given in WIDENING[bound])
            or (bound != given and bound in WIDENING and given in WIDENING[bound])
            or (bound != given and not is_value_type(bound) and given in (bound, *all_bases(bound)))
        ):
            bindings[name] = given
        return
    if not wanted.args:
        return
    if wanted.name == "?" and given.name != "?":
        unify(wanted.args[0], given, bindings)
        return
    base = given if given.name == wanted.name else as_base(given, wanted.name)
    if base is not None:
        for inner, other in zip(wanted.args, base.args, strict=False):
            unify(inner, other, bindings)


def _infer_from_lambda(unit: Unit, wanted: Type, value: Expr, bindings: dict[str, Type]) -> None:
    shape = lambdas.delegate_shape(wanted)
    if shape is None:
        return
    takes = tuple(substitute(kind, bindings) for kind in shape[0])
    if any(is_open(kind) for kind in takes):
        return
    result = lambdas.result_type(unit, value, takes)
    if result is not None and result != VOID:
        unify(shape[1], result, bindings)


def owner_bindings(base: Type, member: Member) -> dict[str, Type]:
    """Return what the owner's type parameters stand for in `base`."""
    return dict(zip(member.owner.generics, base.args, strict=False))
