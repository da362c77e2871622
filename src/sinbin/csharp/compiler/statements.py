"""Statements: declarations, blocks, `if`, `return`, local functions."""

from sinbin.csharp.compiler.conversions import require
from sinbin.csharp.compiler.creation import array_of
from sinbin.csharp.compiler.expr import STATIC, Expr
from sinbin.csharp.compiler.names import resolve_type
from sinbin.csharp.compiler.places import assignment_statement
from sinbin.csharp.compiler.unit import Frame, Local, Unit, statement
from sinbin.csharp.syntax import Node
from sinbin.csharp.types import BOOL, ERROR, NULL, VOID, Type

_VALUELESS = {
    "assignment_expression", "invocation_expression", "object_creation_expression", "postfix_unary_expression",
    "prefix_unary_expression", "conditional_access_expression", "throw_expression",
}  # fmt: skip


@statement("block")
def compile_block(unit: Unit, node: Node) -> bool:
    """`{ … }`: local functions can be called from before their place, so they are written first."""
    reachable = True
    with unit.scope():
        functions = [part for part in node.parts if part.kind == "local_function_statement"]
        for function in functions:
            _declare_function(unit, function)
        start = len(unit.lines)
        for part in node.parts:
            if part.kind == "local_function_statement":
                start = _write_function(unit, part, start)
            else:
                reachable = unit.branch(part, live=reachable)
    return reachable


@statement("empty_statement")
def compile_empty(unit: Unit, node: Node) -> bool:
    """`;`."""
    return True


@statement("expression_statement")
def compile_expression_statement(unit: Unit, node: Node) -> bool:
    """A call, an assignment or a step, for what it does."""
    inner = node.parts[0]
    if inner.kind not in _VALUELESS:
        unit.refuse(inner, "only a call, an assignment, `++`, `--` or `new` can stand as a statement")
        return True
    if inner.kind == "assignment_expression" and assignment_statement(unit, inner):
        return True
    unit.emit(unit.compile(inner).code)
    return inner.kind != "throw_expression"


@statement("local_declaration_statement")
def compile_local(unit: Unit, node: Node) -> bool:
    """`var x = …;`, `int a, b = 2;`, `const string C = "…";`, `var (a, b) = …;`."""
    fixed = any(part.kind == "modifier" and part.text == "const" for part in node.parts)
    declaration = next(part for part in node.parts if part.kind == "variable_declaration")
    declare_variables(unit, declaration, fixed=fixed)
    return True


def declare_variables(unit: Unit, node: Node, *, fixed: bool = False) -> None:
    """Bring the variables of a declaration into scope, with their first values."""
    written = node.fields["type"][0]
    for declarator in (part for part in node.parts if part.kind == "variable_declarator"):
        first = declarator.parts[-1] if declarator.has("=") else None
        if declarator.parts[0].kind == "tuple_pattern":
            if first is not None:
                deconstruct(unit, declarator.parts[0], unit.compile(first))
            continue
        _declare_one(unit, written, declarator, first, fixed=fixed)


def _declare_one(unit: Unit, written: Node, declarator: Node, first: Node | None, *, fixed: bool) -> None:
    name = declarator.parts[0]
    inferred = written.kind == "implicit_type"
    kind = ERROR if inferred else resolve_type(unit, written)
    value = None
    if first is not None and first.kind == "initializer_expression" and kind.name == "[]":
        value = array_of(unit, first, kind.args[0], first)
    elif first is not None:
        value = unit.compile(first)
    if inferred:
        if value is None or value.type in (NULL, VOID, STATIC) or value.type.name in {"lambda", "method group"}:
            if value is None or not value.failed:
                unit.refuse(declarator, f"the type of `{name.text}` cannot be inferred; write it out")
        else:
            kind = value.type
    elif value is not None and kind is not ERROR:
        value = require(unit, value, kind, f"`{name.text}`")
    local = unit.declare(name, name.text.removeprefix("@"), kind)
    if fixed:
        if value is None or not value.is_const:
            unit.refuse(declarator, f"`{name.text}` is const and needs a constant value")
        else:
            local.constant = value
        return
    code = value.code if value is not None else "None"
    unit.emit(f"{local.python} = [{code}]" if local.cell else f"{local.python} = {code}")


def deconstruct(unit: Unit, names: Node, value: Expr) -> None:
    """Declare the variables of `(a, b)` from a tuple, or from a KeyValuePair."""
    parts = names.parts
    kinds = value.type.args if value.type.name in {"()", "KeyValuePair"} else ()
    if value.failed or len(kinds) != len(parts):
        if not value.failed:
            unit.refuse(names, f"`{value.type}` does not come apart into {len(parts)} values")
        kinds = (ERROR,) * len(parts)
    whole = unit.fresh()
    unit.emit(f"{whole} = {value.code}")
    for index, (part, kind) in enumerate(zip(parts, kinds, strict=True)):
        if part.text != "_":
            local = unit.declare(part, part.text, kind)
            unit.emit(f"{local.python} = {f'[{whole}[{index}]]' if local.cell else f'{whole}[{index}]'}")


@statement("if_statement")
def compile_if(unit: Unit, node: Node) -> bool:
    """`if … else …`; what a pattern in the condition declares lives on behind it."""
    condition = require(unit, unit.compile(node.fields["condition"][0]), BOOL, "the condition")
    unit.emit(f"if {condition.code}:")
    decided = condition.const if condition.is_const else None
    with unit.indented(), unit.scope():
        first = unit.branch(node.fields["consequence"][0], live=decided is not False)
    alternative = node.get("alternative")
    if alternative is None:
        return first or decided is not True
    unit.emit("else:")
    with unit.indented(), unit.scope():
        second = unit.branch(alternative, live=decided is not True)
    return first or second


@statement("return_statement")
def compile_return(unit: Unit, node: Node) -> bool:
    """`return x;`."""
    frame = unit.frames[-1]
    if not node.parts:
        if frame.returns not in (None, VOID):
            unit.refuse(node, "`return` needs a value here")
        unit.emit("return None")
        return False
    value = unit.compile(node.parts[0])
    frame.returned.append(value)
    if frame.returns == VOID:
        unit.refuse(node, "nothing is returned here")
    elif frame.returns is not None:
        value = require(unit, value, frame.returns, "the result")
    unit.emit(f"return {value.code or 'None'}")
    return False


def _declare_function(unit: Unit, node: Node) -> None:
    name = node.fields["name"][0]
    returns = resolve_type(unit, node.fields["type"][0])
    takes = []
    for parameter in node.fields["parameters"][0].parts:
        written = parameter.get("type")
        if written is None or len(parameter.parts) > 2 or parameter.has("ref") or parameter.has("out"):
            unit.refuse(parameter, "a local function takes plain parameters only", "not-modelled")
            takes.append(ERROR)
        else:
            takes.append(resolve_type(unit, written))
    depth = len(unit.frames) - 1
    unit.scopes[-1][name.text] = Local(unit.fresh("f"), Type("method"), depth, function=(tuple(takes), returns))


def _write_function(unit: Unit, node: Node, start: int) -> int:
    """Write a local function at line `start`, and return the line behind it."""
    local = unit.scopes[-1][node.fields["name"][0].text]
    if local.function is None:
        return start
    takes, returns = local.function
    frame = Frame(lexical=True, returns=returns)
    unit.frames.append(frame)
    mark = len(unit.lines)
    with unit.scope():
        names = []
        for parameter, kind in zip(node.fields["parameters"][0].parts, takes, strict=True):
            written = unit.declare(parameter, parameter.fields["name"][0].text, kind)
            names.append(written)
        unit.emit(f"def {local.python}({', '.join(name.python for name in names)}):")
        with unit.indented():
            unit.emit("rt.enter()")
            for name in names:
                if name.cell:
                    unit.emit(f"{name.python} = [{name.python}]")
            body = node.fields["body"][0]
            _write_body(unit, body, returns)
    unit.frames.pop()
    written_lines = unit.lines[mark:]
    del unit.lines[mark:]
    unit.lines[start:start] = written_lines
    return start + len(written_lines)


def _write_body(unit: Unit, body: Node, returns: Type) -> None:
    if body.kind == "block":
        if unit.statement(body) and returns not in (VOID, ERROR):
            unit.refuse(body, "not all code paths return a value")
        return
    value = unit.compile(body.parts[0])
    if returns == VOID:
        unit.emit(value.code)
    else:
        unit.emit(f"return {require(unit, value, returns, 'the result').code}")
