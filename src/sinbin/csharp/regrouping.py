"""Places put right in which tree-sitter's C# grammar errs.

- It gives `?.` too low a precedence: it reads `a == b?.c` as `(a == b)?.c` and ends the null-conditional part of
  `a?.b.c` after `b`. C# specification, 12.4.2 operator precedence and 12.8.8 null conditional member access.
- It reads `(T)a.F<B>(c)` as two comparisons. C# specification, 6.2.5 grammar ambiguities.
"""

from dataclasses import replace

from sinbin.csharp.tree import Node

POSTFIX_HEAD = {
    "invocation_expression": "function",
    "member_access_expression": "expression",
    "element_access_expression": "expression",
    "conditional_access_expression": "condition",
    "postfix_unary_expression": None,
}
TYPE_TESTS = frozenset({"as_expression", "is_expression", "is_pattern_expression"})
_PRECEDENCE = {
    operator: rank
    for rank, operators in enumerate(
        ["??", "||", "&&", "|", "^", "&", "== !=", "< > <= >= as is", "<< >>", "+ -", "* / %"], start=1
    )
    for operator in operators.split()
}
_TYPES = frozenset(
    {"identifier", "predefined_type", "generic_name", "qualified_name", "array_type", "nullable_type"}
)


def _head(node: Node) -> Node | None:
    name = POSTFIX_HEAD.get(node.kind, "")
    if name == "":
        return None
    return node.children[0] if name is None else node.get(name)


def _with_head(node: Node, head: Node) -> Node:
    """Return the postfix node with another head."""
    old = _head(node)
    children = tuple(head if child is old else child for child in node.children)
    name = POSTFIX_HEAD[node.kind]
    fields = dict(node.fields)
    if name is not None:
        fields[name] = (head,)
    return replace(node, children=children, fields=fields, start=head.start)


def unhook(node: Node) -> Node:
    """Put right a postfix expression whose null-conditional head was read too wide or too short."""
    head = _head(node)
    if head is None:
        return node
    if node.kind == "conditional_access_expression" and "body" not in node.fields:
        last = _rightmost(head)
        if last is not None:
            return reassociate(_with_rightmost(head, _conditional(_with_head(node, last)), node))
        return _conditional(node)
    if head.kind == "conditional_access_expression":
        # `a?.b` followed by `.c`, `[0]` or `()`: the rest belongs to what is skipped when `a` is null.
        body = head.fields["body"][0]
        inner = unhook(_with_head(node, body))
        return replace(
            head, end=node.end, children=(head.children[0], inner), fields={**head.fields, "body": (inner,)}
        )
    last = _rightmost(head)
    if last is not None and last.kind == "conditional_access_expression":
        return reassociate(_with_rightmost(head, unhook(_with_head(node, last)), node))
    return node


def _conditional(node: Node) -> Node:
    """Return `condition?binding` as a node with `condition` and `body`."""
    condition = node.fields["condition"][0]
    binding = node.children[-1]
    receiver = Node("binding_receiver", condition.end, condition.end, node.source)
    kind = (
        "member_access_expression" if binding.kind == "member_binding_expression" else "element_access_expression"
    )
    if kind == "member_access_expression":
        fields = {"expression": (receiver,), "name": binding.all("name")}
    else:
        subscript = replace(binding, kind="bracketed_argument_list")
        fields = {"expression": (receiver,), "subscript": (subscript,)}
        binding = replace(binding, children=(subscript,))
    body = replace(binding, kind=kind, children=(receiver, *binding.children), fields=fields)
    return replace(node, children=(condition, body), fields={"condition": (condition,), "body": (body,)})


def _rightmost(node: Node) -> Node | None:
    """Return the operand that a postfix operator after `node` really applies to, when that is not `node`."""
    if node.kind in {"binary_expression", "prefix_unary_expression"}:
        inner = node.children[-1]
    elif node.kind == "cast_expression":
        inner = node.fields["value"][0]
    else:
        return None
    return _rightmost(inner) or inner


def _with_rightmost(node: Node, operand: Node, outer: Node) -> Node:
    inner = node.children[-1]
    new = operand if _rightmost(inner) is None else _with_rightmost(inner, operand, outer)
    fields = {name: tuple(new if old is inner else old for old in nodes) for name, nodes in node.fields.items()}
    return replace(node, children=(*node.children[:-1], new), fields=fields, end=outer.end)


def reassociate(node: Node) -> Node:
    """Group a chain of binary operators by precedence, whatever the grammar made of it."""
    operands: list[Node] = []
    operators: list[Node] = []
    _flatten(node, operands, operators)
    _merge_generic_calls(operands, operators)
    if not operators:
        return operands[0]
    if len(operators) < 2:
        return node
    values: list[Node] = [operands[0]]
    pending: list[Node] = []
    for operator, operand in zip(operators, operands[1:], strict=True):
        rank = _rank(operator)
        while pending and (_rank(pending[-1]) > rank or (_rank(pending[-1]) == rank and operator.kind != "??")):
            _reduce(values, pending)
        pending.append(operator)
        values.append(operand)
    while pending:
        _reduce(values, pending)
    return values[0]


def _flatten(node: Node, operands: list[Node], operators: list[Node]) -> None:
    """List operands and operators from left to right; a type test counts as an operator with its type."""
    rights: list[tuple[Node, Node]] = []
    while True:
        if node.kind == "binary_expression" and len(node.children) == 3:
            left, operator, right = node.children
        elif node.kind in TYPE_TESTS:
            left, right = node.children[0], node.children[-1]
            operator = node
        else:
            break
        rights.append((operator, right))
        node = left
    operands.append(node)
    for operator, right in reversed(rights):
        operators.append(operator)
        if operator.kind in TYPE_TESTS:
            operands.append(right)
        else:
            _flatten(right, operands, operators)


def _merge_generic_calls(operands: list[Node], operators: list[Node]) -> None:
    """Make one operand of `(T)a.F < B > (c)`: what the grammar takes for comparisons after a cast is a call."""
    for index in range(len(operators) - 2, -1, -1):
        callee, argument, called = operands[index : index + 3]
        less, greater = operators[index : index + 2]
        name = _rightmost(callee) or callee
        if (
            (less.kind, greater.kind) == ("<", ">")
            and name.kind in {"identifier", "member_access_expression"}
            and argument.kind in _TYPES
            and _first(called).kind == "parenthesized_expression"
        ):
            call = _generic_call(
                name,
                Node("type_argument_list", less.start, greater.end, less.source, (less, argument, greater)),
                _first(called),
            )
            whole = _with_first(called, call)
            operands[index : index + 3] = [whole if name is callee else _with_rightmost(callee, whole, whole)]
            del operators[index : index + 2]


def _generic_call(name: Node, types: Node, brackets: Node) -> Node:
    """Return the call of `name` with the type arguments `types` and what stands in `brackets`."""
    last = name.fields["name"][0] if name.kind == "member_access_expression" else name
    generic = Node("generic_name", last.start, types.end, name.source, (last, types))
    function = generic
    if last is not name:
        children = (*name.children[:-1], generic)
        function = replace(name, end=types.end, children=children, fields={**name.fields, "name": (generic,)})
    opening, inner, closing = brackets.children
    argument = Node("argument", inner.start, inner.end, name.source, (inner,))
    arguments = replace(brackets, kind="argument_list", children=(opening, argument, closing), fields={})
    fields: dict[str, tuple[Node, ...]] = {"function": (function,), "arguments": (arguments,)}
    return Node("invocation_expression", name.start, brackets.end, name.source, (function, arguments), fields)


def _first(node: Node) -> Node:
    """Return what the postfix operators of `node` apply to in the end."""
    while (head := _head(node)) is not None:
        node = head
    return node


def _with_first(node: Node, new: Node) -> Node:
    head = _head(node)
    return new if head is None else _with_head(node, _with_first(head, new))


def _rank(operator: Node) -> int:
    return _PRECEDENCE.get("as" if operator.kind in TYPE_TESTS else operator.kind, 0)


def _reduce(values: list[Node], pending: list[Node]) -> None:
    operator, right, left = pending.pop(), values.pop(), values.pop()
    if operator.kind in TYPE_TESTS:
        children = (left, *operator.children[1:])
        first = operator.children[0]
        fields = {
            name: tuple(left if old is first else old for old in nodes) for name, nodes in operator.fields.items()
        }
        values.append(replace(operator, start=left.start, end=right.end, children=children, fields=fields))
        return
    fields = {"left": (left,), "operator": (operator,), "right": (right,)}
    values.append(Node("binary_expression", left.start, right.end, left.source, (left, operator, right), fields))
