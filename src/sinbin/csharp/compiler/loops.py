"""Loops, `switch`, `break` and `continue`.

Every turn of a loop is a step; `Runtime` ends an expression that takes too many.
"""

from sinbin.csharp.casting import children_of, is_value_type
from sinbin.csharp.compiler import patterns
from sinbin.csharp.compiler.conversions import cast, require
from sinbin.csharp.compiler.expr import Expr
from sinbin.csharp.compiler.names import resolve_type
from sinbin.csharp.compiler.statements import declare_variables, deconstruct
from sinbin.csharp.compiler.unit import Unit, statement
from sinbin.csharp.exceptions import throw_null_reference
from sinbin.csharp.library.arrays import enumerate_list
from sinbin.csharp.registry import as_base
from sinbin.csharp.syntax import Node
from sinbin.csharp.types import BOOL, ERROR, STRING, Type

_TICK = ("rt.steps -= 1", "if rt.steps < 0: rt.exhausted()")


def _tick(unit: Unit) -> None:
    for line in _TICK:
        unit.emit(line)


def _body(unit: Unit, node: Node) -> None:
    unit.frames[-1].loops.append("loop")
    with unit.scope():
        unit.statement(node)
    unit.frames[-1].loops.pop()


def _breaks(node: Node) -> bool:
    """Tell whether a `break` in `node` leaves the loop around it."""
    stack = [node]
    while stack:
        inner = stack.pop()
        if inner.kind == "break_statement":
            return True
        if inner.kind not in {"for_statement", "foreach_statement", "while_statement", "do_statement", "switch_statement",  # noqa: E501
                              "lambda_expression", "local_function_statement"}:  # fmt: skip
            stack.extend(inner.children)
    return False


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
        _body(unit, body)
    return not (value.is_const and value.const is True) or _breaks(body)


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
        _body(unit, body)
    return not (value.is_const and value.const is True) or _breaks(body)


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
            endless = condition is None
            if condition is not None:
                value = require(unit, unit.compile(condition), BOOL, "the condition")
                unit.emit(f"if not {value.code}: break")
                endless = value.is_const and value.const is True
            _body(unit, node.fields["body"][0])
    return not endless or _breaks(node.fields["body"][0])


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
    if not unit.frames[-1].loops:
        unit.refuse(node, "`break` stands in no loop and no `switch`")
    unit.emit("break")
    return False


@statement("continue_statement")
def compile_continue(unit: Unit, node: Node) -> bool:
    """`continue;`: a `switch` is a loop of one turn here, so it is left first, with a mark that says why."""
    loops = unit.frames[-1].loops
    if "loop" not in loops:
        unit.refuse(node, "`continue` stands in no loop")
        return False
    for flag in reversed(loops):
        if flag == "loop":
            break
        unit.emit(f"{flag} = True")
    unit.emit("continue" if loops[-1] == "loop" else "break")
    return False


@statement("switch_statement")
def compile_switch(unit: Unit, node: Node) -> bool:
    """`switch (x) { case … }`, with the patterns of C# 7."""
    source = unit.compile(node.fields["value"][0])
    body = node.fields["body"][0]
    if source.failed:
        return True
    held, flag = unit.fresh(), unit.fresh("onward")
    loops = unit.frames[-1].loops
    outer = loops[-1] if loops else None
    unit.emit(f"{held} = {source.code}")
    unit.emit(f"{flag} = False")
    unit.emit("while True:")
    value = Expr(held, source.type, source.node)
    with unit.indented():
        loops.append(flag)
        ends, has_default = _sections(unit, body, value)
        loops.pop()
        unit.emit("break")
    if any(inner.kind == "continue_statement" for inner in body.walk()) and outer is not None:
        unit.emit(f"if {flag}: {'continue' if outer == 'loop' else 'break'}")
    return ends or not has_default or any(_breaks(section) for section in body.parts)


def _sections(unit: Unit, body: Node, value: Expr) -> tuple[bool, bool]:
    """Write the sections as a chain of `if`s, `default` last; labels without statements join the next section."""
    groups: list[tuple[list[Node], list[Node]]] = []
    labels: list[Node] = []
    for section in body.parts:
        labels.append(section)
        statements = [part for part in section.parts if part.kind.endswith("_statement") or part.kind == "block"]
        if statements:
            groups.append((labels, statements))
            labels = []
    fallback: list[Node] | None = None
    ends = False
    for labelled, statements in groups:
        has_default = any(label.has("default") for label in labelled)
        with unit.scope():
            tests = [_label(unit, label, value) for label in labelled if not label.has("default")]
            if has_default:
                fallback = statements
            if tests:
                unit.emit(f"if {' or '.join(tests)}:")
                ends |= _section(unit, statements)
    if fallback is not None:
        unit.emit("if True:")
        with unit.scope():
            ends |= _section(unit, fallback)
    return ends, fallback is not None


def _section(unit: Unit, statements: list[Node]) -> bool:
    ends = True
    with unit.indented(), unit.scope():
        for part in statements:
            if not unit.statement(part):
                ends = False
    if ends:
        unit.refuse(statements[-1], "the section runs on into the next one; end it with `break` or `return`")
    return False


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
