"""Lambdas, and methods named where a delegate is wanted.

A lambda becomes a Python lambda when its body is an expression, else a `def` written before the statement it
stands in. It takes the outer variables it uses as default arguments, at the moment it is made: those are never
assigned to again, or are shared in a cell, so that each turn of a loop has its own, as in C#.
"""

from dataclasses import dataclass

from sinbin.csharp.compiler import calls, conversions
from sinbin.csharp.compiler.expr import GROUP, LAMBDA, Expr
from sinbin.csharp.compiler.names import resolve_type
from sinbin.csharp.compiler.unit import Frame, Unit, expression
from sinbin.csharp.syntax import Node
from sinbin.csharp.types import ERROR, NEVER, VOID, Type

_IMPOSSIBLE = 10_000


@dataclass(frozen=True, slots=True)
class Compiled:
    """A lambda compiled for given parameter types."""

    code: str
    returns: Type
    lines: tuple[tuple[int, str], ...]
    captures: tuple[str, ...]
    value: Expr | None


@expression("lambda_expression", "anonymous_method_expression")
def compile_lambda(unit: Unit, node: Node) -> Expr:
    """Leave the lambda for the conversion to a delegate type, which knows its parameters' types."""
    return Expr("", LAMBDA, node)


def delegate_shape(kind: Type) -> tuple[tuple[Type, ...], Type] | None:
    """Return the parameters' and the result's types of a delegate type."""
    match kind.name:
        case "Func":
            return kind.args[:-1], kind.args[-1]
        case "Action":
            return kind.args, VOID
        case "Predicate":
            return kind.args, Type("bool")
        case "Comparison":
            return (kind.args[0], kind.args[0]), Type("int")
        case "Converter":
            return kind.args[:1], kind.args[1]
        case "MatchEvaluator":
            return (Type("Match"),), Type("string")
    return None


def parameter_names(node: Node) -> list[str] | None:
    """Return the names of a lambda's parameters; None for `delegate { … }`, which takes any."""
    parameters = node.get("parameters") or next((p for p in node.children if p.kind == "parameter_list"), None)
    if parameters is None:
        return None
    if parameters.kind != "parameter_list":
        return [parameters.text]
    return [(parameter.get("name") or parameter).text for parameter in parameters.parts]


def result_type(unit: Unit, value: Expr, takes: tuple[Type, ...]) -> Type | None:
    """Return what a lambda or method gives for parameters of the types `takes`; None when it takes others."""
    if value.type == GROUP:
        chosen = calls.choose_for_delegate(unit, value, takes)
        return chosen[1] if chosen else None
    names = parameter_names(value.node)
    if names is not None and len(names) != len(takes):
        return None
    with unit.trial():
        return _compile(unit, value.node, takes, None).returns


def cost(unit: Unit, value: Expr, target: Type) -> int:
    """Return how well a lambda or method fits a delegate type."""
    shape = delegate_shape(target)
    if shape is None:
        return _IMPOSSIBLE
    takes, returns = shape
    given = result_type(unit, value, takes)
    if given is None:
        return _IMPOSSIBLE
    if returns == VOID:
        return 3 if given != VOID else 0
    if given in (ERROR, NEVER) or given == returns:
        return 0
    if given == VOID:
        return _IMPOSSIBLE
    if value.type == GROUP:
        return conversions.cost(unit, Expr("", given, value.node), returns)
    with unit.trial():
        inner = _compile(unit, value.node, takes, None).value
    return conversions.cost(unit, inner or Expr("", given, value.node), returns)


def convert(unit: Unit, value: Expr, target: Type) -> Expr | None:
    """Return a lambda or method as a value of a delegate type."""
    shape = delegate_shape(target)
    if shape is None:
        return None
    takes, returns = shape
    if value.type == GROUP:
        chosen = calls.choose_for_delegate(unit, value, takes)
        return Expr(chosen[0], target, value.node, nonnull=True) if chosen else None
    compiled = _compile(unit, value.node, takes, returns)
    unit.lines.extend(compiled.lines)
    return Expr(compiled.code, target, value.node, nonnull=True)


def _compile(unit: Unit, node: Node, takes: tuple[Type, ...], returns: Type | None) -> Compiled:
    """Compile a lambda; without `returns`, only its result type counts."""
    key = (id(node), takes, returns, unit.indent)
    cached = unit.lambda_cache.get(key)
    if isinstance(cached, Compiled):
        for name in cached.captures:
            _capture(unit, name)
        return cached
    frame = Frame(returns=returns)
    unit.frames.append(frame)
    mark = len(unit.lines)
    problems = len(unit.problems)
    with unit.scope():
        parameters = _parameters(unit, node, takes)
        body = node.get("body") or node.children[-1]
        if body.kind == "block":
            compiled = _block(unit, body, parameters, frame, mark)
        else:
            compiled = _expression(unit, body, parameters, frame, mark)
    unit.frames.pop()
    del unit.lines[mark:]
    for name in frame.captures:
        _capture(unit, name)
    if len(unit.problems) == problems:
        unit.lambda_cache[key] = compiled
        unit.lambda_nodes.append(node)
    return compiled


def _capture(unit: Unit, python: str) -> None:
    """Pass a captured variable on to the enclosing lambdas, up to the function that declares it."""
    owner = next((local.depth for scope in unit.scopes for local in scope.values() if local.python == python), 0)
    for frame in unit.frames[owner + 1 :]:
        if not frame.lexical:
            frame.captures[python] = None


def _parameters(unit: Unit, node: Node, takes: tuple[Type, ...]) -> list[str]:
    names = parameter_names(node)
    listed = node.get("parameters") or next((p for p in node.children if p.kind == "parameter_list"), None)
    if names is None:
        return [unit.fresh("v") for _ in takes]
    declared = listed.parts if listed is not None and listed.kind == "parameter_list" else ()
    python = []
    for index, (name, kind) in enumerate(zip(names, takes, strict=False)):
        written = declared[index].get("type") if index < len(declared) else None
        actual = resolve_type(unit, written) if written is not None else kind
        if actual != kind and actual is not ERROR:
            unit.refuse(declared[index], f"the delegate wants `{kind}` for `{name}`, not `{actual}`")
        local = unit.declare(node, name, kind)
        python.append(local.python)
        if local.cell:
            unit.emit(f"{local.python} = [{local.python}]")
    return python


def _signature(parameters: list[str], frame: Frame) -> str:
    return ", ".join([*parameters, *(f"{name}={name}" for name in frame.captures)])


def _expression(unit: Unit, body: Node, parameters: list[str], frame: Frame, mark: int) -> Compiled:
    unit.indent += 1
    value = unit.compile(body)
    wanted = frame.returns
    if VOID in (wanted, value.type):
        result = value
    elif wanted is not None:
        result = conversions.require(unit, value, wanted, "the lambda's result")
    else:
        result = value
    unit.indent -= 1
    inner = unit.lines[mark:]
    captures = tuple(frame.captures)
    if not inner:
        code = f"(lambda {_signature(parameters, frame)}: {result.code})"
        return Compiled(code, value.type, (), captures, value)
    name = unit.fresh("f")
    lines = (
        (unit.indent, f"def {name}({_signature(parameters, frame)}):"),
        *((max(indent, unit.indent + 1), line) for indent, line in inner),
        (unit.indent + 1, f"return {result.code}"),
    )
    return Compiled(name, value.type, lines, captures, value)


def _block(unit: Unit, body: Node, parameters: list[str], frame: Frame, mark: int) -> Compiled:
    cells = [(unit.indent + 1, line) for _, line in unit.lines[mark:]]
    del unit.lines[mark:]
    with unit.indented():
        ends = unit.statement(body)
    value = None
    if frame.returns is None:
        returns = conversions.best_common(unit, frame.returned) if frame.returned else VOID
        value = frame.returned[0] if len(frame.returned) == 1 else None
    else:
        returns = frame.returns
        if ends and returns not in (VOID, ERROR):
            unit.refuse(body, "not all code paths return a value")
    name = unit.fresh("f")
    lines = ((unit.indent, f"def {name}({_signature(parameters, frame)}):"), *cells, *unit.lines[mark:])
    return Compiled(name, returns or ERROR, lines, tuple(frame.captures), value)
