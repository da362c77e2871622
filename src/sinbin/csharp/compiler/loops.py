"""Loops, `switch`, `break` and `continue`.

Every turn of a loop is a step; `Runtime` ends an expression that takes too many.
"""

from sinbin.csharp.casting import children_of, is_value_type
from sinbin.csharp.compiler import patterns
from sinbin.csharp.compiler.conversions import cast, require
from sinbin.csharp.compiler.expr import Expr
from sinbin.csharp.compiler.names import resolve_type
from sinbin.csharp.compiler.statements import declare_variables, deconstruct
from sinbin.csharp.compiler.unit import Local, Loop, Unit, statement
from sinbin.csharp.exceptions import throw_null_reference
from sinbin.csharp.library.arrays import enumerate_list
from sinbin.csharp.registry import as_base
from sinbin.csharp.syntax import Node
from sinbin.csharp.types import BOOL, ERROR, STRING, Type

_TICK = ("rt.steps -= 1", "if rt.steps < 0: rt.exhausted()")


def _tick(unit: Unit) -> None:
    for line in _TICK:
        unit.emit(line)


def _body(unit: Unit, node: Node, *, live: bool = True) -> tuple[bool, bool]:
    """Write the body of a loop; return whether its end can be reached, and whether a `break` leaves it."""
    loop = Loop()
    unit.frames[-1].loops.append(loop)
    with unit.scope():
        ends = unit.branch(node, live=live)
    unit.frames[-1].loops.pop()
    return ends or loop.continued, loop.left


@statement("while_statement")
def compile_while(unit: Unit, node: Node) -> bool:
    """`while (c) …`."""
    condition, body = node.get("condition") or node.parts[0], node.get("body") or node.parts[-1]
    unit.emit("while True:")
    with unit.indented(), unit.scope():
        _tick(unit)
        value = require(unit, unit.compile(condition), BOOL, "the condition")
        if not (value.is_const and value.const):
            unit.emit(f"if not {value.code}: break")
        _, left = _body(unit, body, live=not (value.is_const and value.const is False))
    return not (value.is_const and value.const is True) or left


@statement("do_statement")
def compile_do(unit: Unit, node: Node) -> bool:
    """`do … while (c);`: the condition is tested from the second turn on, so that `continue` meets it."""
    condition, body = node.get("condition") or node.parts[-1], node.get("body") or node.parts[0]
    again = unit.fresh("again")
    unit.emit(f"{again} = False")
    unit.emit("while True:")
    with unit.indented():
        _tick(unit)
        unit.emit(f"if {again}:")
        with unit.indented(), unit.scope():
            value = require(unit, unit.compile(condition), BOOL, "the condition")
            unit.emit(f"if not {value.code}: break")
        unit.emit(f"{again} = True")
        ends, left = _body(unit, body)
    return (ends and not (value.is_const and value.const is True)) or left


@statement("for_statement")
def compile_for(unit: Unit, node: Node) -> bool:
    """`for (a; c; b) …`: the step runs at the head of every turn but the first, so that `continue` meets it."""
    with unit.scope():
        for initializer in node.all("initializer"):
            if initializer.kind == "variable_declaration":
                declare_variables(unit, initializer)
            elif initializer.named:
                unit.emit(unit.compile(initializer).code)
        again = unit.fresh("again")
        unit.emit(f"{again} = False")
        unit.emit("while True:")
        with unit.indented():
            _tick(unit)
            updates = [update for update in node.all("update") if update.named]
            if updates:
                unit.emit(f"if {again}:")
                with unit.indented():
                    for update in updates:
                        unit.emit(unit.compile(update).code)
                unit.emit(f"{again} = True")
            condition = node.get("condition")
            endless, never = condition is None, False
            if condition is not None:
                value = require(unit, unit.compile(condition), BOOL, "the condition")
                unit.emit(f"if not {value.code}: break")
                endless, never = value.is_const and value.const is True, value.is_const and value.const is False
            _, left = _body(unit, node.fields["body"][0], live=not never)
    return not endless or left


@statement("foreach_statement")
def compile_foreach(unit: Unit, node: Node) -> bool:
    """`foreach (var x in xs) …`."""
    source = unit.compile(node.fields["right"][0])
    written, left = node.fields["type"][0], node.fields["left"][0]
    item = _element(unit, source)
    if item is None:
        return True
    with unit.scope():
        raw = unit.fresh()
        unit.emit(f"for {raw} in {_items(unit, source)}:")
        with unit.indented():
            _tick(unit)
            value = Expr(raw, item, left)
            if left.kind == "tuple_pattern":
                deconstruct(unit, left, value)
            else:
                if written.kind != "implicit_type":
                    kind = resolve_type(unit, written)
                    value = cast(unit, value, kind) if kind is not ERROR else value
                local = unit.declare(left, left.text, value.type, readonly="the variable of a `foreach`")
                unit.emit(f"{local.python} = {f'[{value.code}]' if local.cell else value.code}")
            _body(unit, node.fields["body"][0])
    return True


def _element(unit: Unit, source: Expr) -> Type | None:
    if source.failed:
        return None
    base = as_base(source.type, "IEnumerable")
    if source.type == STRING or base is not None:
        return base.args[0] if base else None
    unit.refuse(source.node, f"`foreach` cannot go through `{source.type}`")
    return None


def _items(unit: Unit, source: Expr) -> str:
    if source.type.name in {"List", "Dictionary", "HashSet", "Queue", "Stack"}:
        return f"{unit.bind(enumerate_list)}({source.code})"
    if source.type.name in {"JToken", "JContainer", "JProperty"}:
        return f"{unit.bind(children_of)}({source.code})"
    if source.nonnull or is_value_type(source.type):
        return source.code
    temp = unit.fresh()
    return f"({temp} if ({temp} := {source.code}) is not None else {unit.bind(throw_null_reference)}())"


@statement("break_statement")
def compile_break(unit: Unit, node: Node) -> bool:
    """`break;`: out of the loop or `switch` around it."""
    loops = unit.frames[-1].loops
    if not loops:
        unit.refuse(node, "`break` stands in no loop and no `switch`")
    elif unit.live:
        loops[-1].left = True
    unit.emit("break")
    return False


@statement("continue_statement")
def compile_continue(unit: Unit, node: Node) -> bool:
    """`continue;`: a `switch` is a loop of one turn here, so it is left first, with a mark that says why."""
    loops = unit.frames[-1].loops
    target = next((loop for loop in reversed(loops) if not loop.flag), None)
    if target is None:
        unit.refuse(node, "`continue` stands in no loop")
        return False
    target.continued |= unit.live
    for loop in reversed(loops):
        if loop is target:
            break
        unit.emit(f"{loop.flag} = True")
    unit.emit("break" if loops[-1].flag else "continue")
    return False


@statement("switch_statement")
def compile_switch(unit: Unit, node: Node) -> bool:
    """`switch (x) { case … }`, with the patterns of C# 7."""
    source = unit.compile(node.fields["value"][0])
    body = node.fields["body"][0]
    if source.failed:
        return False
    held, this = unit.fresh(), Loop(unit.fresh("onward"))
    loops = unit.frames[-1].loops
    outer = loops[-1] if loops else None
    unit.emit(f"{held} = {source.code}")
    unit.emit(f"{this.flag} = False")
    unit.emit("while True:")
    value = Expr(held, source.type, source.node)
    with unit.indented():
        loops.append(this)
        start = len(unit.lines)
        with unit.scope():
            has_default = _sections(unit, body, value)
            shared = [local for local in unit.scopes[-1].values() if local.constant is None]
        # What one section declares, another can use without having run the declaration.
        unit.lines[start:start] = [(unit.indent, _unset(local)) for local in shared]
        loops.pop()
        unit.emit("break")
    if any(inner.kind == "continue_statement" for inner in body.walk()) and outer is not None:
        unit.emit(f"if {this.flag}: {'break' if outer.flag else 'continue'}")
    # Which section a constant chooses is not worked out, so nothing is said about where it ends.
    return not source.is_const and (not has_default or this.left)


def _unset(local: Local) -> str:
    return f"{local.python} = {'[None]' if local.cell else 'None'}"


def _sections(unit: Unit, body: Node, value: Expr) -> bool:
    """Write the sections as a chain of `if`s, `default` last; tell whether there is one.

    Labels without statements join the next section. The sections are one scope, so they are read in their order.
    """
    labels: list[Node] = []
    fallback: list[tuple[int, str]] | None = None
    for section in body.parts:
        labels.append(section)
        statements = [part for part in section.parts if part.kind.endswith("_statement") or part.kind == "block"]
        if not statements:
            continue
        has_default = any(label.has("default") for label in labels)
        with unit.scope():
            tests = [_label(unit, label, value) for label in labels if not label.has("default")]
            # What a pattern declares has no value where `default` may have led here as well.
            matched = {} if has_default else dict(unit.scopes[-1])
        labels = []
        if tests:
            unit.emit(f"if {' or '.join(tests)}:")
        start = len(unit.lines)
        _section(unit, statements, matched)
        if has_default:
            fallback = unit.lines[start:]
            if not tests:
                del unit.lines[start:]
    if fallback is not None:
        unit.emit("if True:")
        unit.lines.extend(fallback)
    return fallback is not None


def _section(unit: Unit, statements: list[Node], matched: dict[str, Local]) -> None:
    """Write a section; what its labels have `matched` is its own, what it declares the whole `switch`'s."""
    unit.scopes.insert(-1, matched)
    ends = True
    with unit.indented():
        for part in statements:
            ends = unit.branch(part, live=ends)
    del unit.scopes[-2]
    if ends and unit.live:
        unit.refuse(statements[-1], "the section runs on into the next one; end it with `break` or `return`")


def _label(unit: Unit, label: Node, value: Expr) -> str:
    written = next(
        part for part in label.parts if not part.kind.endswith("_statement") and part.kind != "when_clause"
    )
    test = patterns.pattern(unit, written, value) or "False"
    guard = next((part for part in label.parts if part.kind == "when_clause"), None)
    if guard is None:
        return test
    condition = require(unit, unit.compile(guard.parts[0]), BOOL, "`when`")
    return f"({test} and {condition.code})"
