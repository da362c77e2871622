"""Query expressions: `from x in xs where c orderby k select e`, as the method calls they stand for.

`let`, `join`, `group` and a second `from` are refused. Source: C# specification, 12.20.3
"""

from sinbin.csharp.compiler import access, calls
from sinbin.csharp.compiler.expr import LAMBDA, Expr
from sinbin.csharp.compiler.overloads import Argument
from sinbin.csharp.compiler.unit import Unit, describe, expression
from sinbin.csharp.syntax import Node


@expression("query_expression")
def compile_query(unit: Unit, node: Node) -> Expr:
    """Call Where, OrderBy, ThenBy and Select one after the other."""
    first, *clauses = node.parts
    name = first.get("name")
    if name is None or len(first.parts) != 2:
        return unit.refuse(first, "a query starts with `from name in sequence`", "not-modelled")
    value = unit.compile(first.parts[-1])
    for clause in clauses:
        match clause.kind:
            case "where_clause":
                value = _call(unit, clause, value, "Where", name, clause.parts[0])
            case "order_by_clause":
                value = _order(unit, clause, value, name)
            case "select_clause" if clause.parts[0].text != name.text or len(clauses) == 1:
                value = _call(unit, clause, value, "Select", name, clause.parts[0])
            case "select_clause":
                pass
            case _:
                return unit.refuse(clause, f"{describe(clause)} is not supported", "not-modelled")
    return value


def _order(unit: Unit, clause: Node, value: Expr, name: Node) -> Expr:
    method = "OrderBy"
    keys = [child for child in clause.children if child.kind not in {"orderby", ","}]
    for index, key in enumerate(keys):
        if key.kind in {"ascending", "descending"}:
            continue
        falling = index + 1 < len(keys) and keys[index + 1].kind == "descending"
        value = _call(unit, clause, value, f"{method}Descending" if falling else method, name, key)
        method = "ThenBy"
    return value


def _call(unit: Unit, clause: Node, value: Expr, method: str, name: Node, body: Node) -> Expr:
    made = Node(
        "lambda_expression",
        body.start,
        body.end,
        body.source,
        (name, body),
        {"parameters": (name,), "body": (body,)},
    )
    group = access.named_member(unit, clause, value, clause, method)
    if group.failed:
        return group
    return calls.call_group(unit, clause, group, [Argument(body, Expr("", LAMBDA, made))])
