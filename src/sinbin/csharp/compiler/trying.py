"""`try`, `catch`, `finally`, `throw`, `using`, `checked { … }`."""

from sinbin.csharp.casting import assignable
from sinbin.csharp.compiler.conversions import require
from sinbin.csharp.compiler.names import resolve_type
from sinbin.csharp.compiler.statements import declare_variables
from sinbin.csharp.compiler.unary import throw
from sinbin.csharp.compiler.unit import Unit, statement
from sinbin.csharp.exceptions import EXCEPTIONS, CsException
from sinbin.csharp.syntax import Node
from sinbin.csharp.types import BOOL, ERROR, Type

_EXCEPTION = Type("Exception")


@statement("try_statement")
def compile_try(unit: Unit, node: Node) -> bool:
    """`try … catch (T e) when (c) … finally …`."""
    unit.emit("try:")
    with unit.indented():
        ends = unit.statement(node.fields["body"][0])
    clauses = [part for part in node.parts if part.kind == "catch_clause"]
    if clauses:
        ends = _catches(unit, clauses) or ends
    final = next((part for part in node.parts if part.kind == "finally_clause"), None)
    if final is not None:
        if unit.metered:
            unit.emit(f"except {unit.bind(Exception)}:")
            with unit.indented():
                _pay(unit)
                unit.emit("raise")
        unit.emit("finally:")
        with unit.indented():
            ends = unit.statement(final.parts[0]) and ends
    return ends


def _pay(unit: Unit) -> None:
    """Count the handling of an exception: Python searches all that were raised while others were handled."""
    if unit.metered:
        unit.emit("rt.spend(200)")


def _catches(unit: Unit, clauses: list[Node]) -> bool:
    caught, open_ = unit.fresh("e"), unit.fresh("open")
    unit.emit(f"except {unit.bind(CsException)} as {caught}_:")
    ends = False
    with unit.indented():
        # Python forgets the name of an `except` at its end; a lambda in a handler may still want it.
        unit.emit(f"{caught} = {caught}_")
        _pay(unit)
        unit.emit(f"{open_} = True")
        for clause in clauses:
            ends |= _catch(unit, clause, caught, open_)
        unit.emit(f"if {open_}: raise")
    return ends


def _catch(unit: Unit, clause: Node, caught: str, open_: str) -> bool:
    declaration = next((part for part in clause.parts if part.kind == "catch_declaration"), None)
    guard = next((part for part in clause.parts if part.kind == "catch_filter_clause"), None)
    kind = resolve_type(unit, declaration.fields["type"][0]) if declaration else _EXCEPTION
    if kind is ERROR:
        return False
    if not assignable(kind, _EXCEPTION):
        unit.refuse(clause, f"`{kind}` is no exception")
        return True
    unit.emit(f"if {open_} and isinstance({caught}, {unit.bind(EXCEPTIONS[kind.name])}):")
    with unit.indented(), unit.scope():
        name = declaration.get("name") if declaration else None
        if name is not None:
            local = unit.declare(name, name.text, kind)
            unit.emit(f"{local.python} = {f'[{caught}]' if local.cell else caught}")
        if guard is None:
            return _handler(unit, clause, caught, open_)
        condition = require(unit, unit.compile(guard.parts[0]), BOOL, "`when`")
        unit.emit(f"if {condition.code}:")
        with unit.indented():
            return _handler(unit, clause, caught, open_)


def _handler(unit: Unit, clause: Node, caught: str, open_: str) -> bool:
    unit.emit(f"{open_} = False")
    unit.caught.append(caught)
    ends = unit.statement(clause.fields["body"][0])
    unit.caught.pop()
    return ends


@statement("throw_statement")
def compile_throw(unit: Unit, node: Node) -> bool:
    """`throw e;`, and `throw;` for the exception in hand."""
    if not node.parts:
        if not unit.caught:
            unit.refuse(node, "`throw;` stands in no `catch`")
        else:
            unit.emit(f"raise {unit.caught[-1]}")
        return False
    value = require(unit, unit.compile(node.parts[0]), _EXCEPTION, "`throw`")
    unit.emit(f"{unit.bind(throw)}({value.code})")
    return False


@statement("using_statement")
def compile_using(unit: Unit, node: Node) -> bool:
    """`using (var x = …) …`: nothing that a policy can make holds anything to give back."""
    with unit.scope():
        for part in node.parts[:-1]:
            if part.kind == "variable_declaration":
                declare_variables(unit, part)
            else:
                unit.emit(unit.compile(part).code)
        return unit.statement(node.fields["body"][0])


@statement("checked_statement")
def compile_checked_block(unit: Unit, node: Node) -> bool:
    """`checked { … }` and `unchecked { … }`."""
    before, unit.checked = unit.checked, True if node.has("checked") else None
    ends = unit.statement(node.parts[0])
    unit.checked = before
    return ends
