"""Which dereferences of a value that may be null stand behind a test for it.

A value is known by its text without white space (`context.Response`, `context.Variables["r"]`). The walk follows
C#: the right side of `&&` runs when the left was true, that of `||` when it was false, and so on through `?:`,
`if` and what follows an `if` that leaves.
"""

from collections.abc import Callable, Iterator

from sinbin.csharp.syntax import Node

Known = frozenset[str]
_NOTHING: Known = frozenset()
_LEAVING = frozenset({"return_statement", "throw_statement", "continue_statement", "break_statement"})


def key_of(node: Node) -> str:
    """Return what a value is known by: its text without white space, casts and brackets around it."""
    while True:
        if node.kind == "parenthesized_expression" and node.parts:
            node = node.parts[0]
        elif node.kind == "cast_expression" and (value := node.get("value")):
            node = value
        elif node.kind == "as_expression" and (left := node.get("left")):
            node = left
        else:
            return "".join(node.text.split())


def unguarded(root: Node, nullable: Callable[[Node], bool]) -> Iterator[Node]:
    """Yield each receiver of `.member` or `[index]` that is `nullable` and not known to be there."""
    yield from _Walk(nullable).visit(root, _NOTHING)


def is_guarded(root: Node, access: Node) -> bool:
    """Whether the value `access` itself (`context.Variables["x"]`) stands behind a test that it is there."""
    walk = _Walk(lambda node: (node.start, node.end, node.kind) == (access.start, access.end, access.kind))
    walk.whole = True
    return next(walk.visit(root, _NOTHING), None) is None


class _Walk:
    def __init__(self, nullable: Callable[[Node], bool]) -> None:
        self.nullable = nullable
        self.whole = False
        """Whether the values themselves are looked for, not what is taken from them."""

    def visit(self, node: Node, known: Known) -> Iterator[Node]:
        kind = node.kind
        if kind == "block":
            yield from self._block(node, known)
            return
        if kind == "binary_expression":
            left, right = node.get("left"), node.get("right")
            operator = node.get("operator")
            sign = operator.kind if operator is not None else _sign(node)
            if left is not None and right is not None and sign in ("&&", "||", "??"):
                yield from self.visit(left, known)
                more = when_true(left) if sign == "&&" else when_false(left) if sign == "||" else _NOTHING
                yield from self.visit(right, known | more)
                return
        if kind in ("conditional_expression", "if_statement", "while_statement"):
            condition = node.get("condition")
            if condition is not None:
                yield from self.visit(condition, known)
                for name, more in (
                    ("consequence", when_true(condition)),
                    ("body", when_true(condition)),
                    ("alternative", when_false(condition)),
                ):
                    if (branch := node.get(name)) is not None:
                        yield from self.visit(branch, known | more)
                return
        takes = kind in ("member_access_expression", "element_access_expression")
        receiver = node if self.whole else node.get("expression") if takes else None
        if receiver is not None and self.nullable(receiver) and key_of(receiver) not in known:
            yield receiver
        for child in node.parts:
            yield from self.visit(child, known)

    def _block(self, block: Node, known: Known) -> Iterator[Node]:
        for statement in block.parts:
            yield from self.visit(statement, known)
            if statement.kind == "if_statement" and (condition := statement.get("condition")) is not None:
                consequence, alternative = statement.get("consequence"), statement.get("alternative")
                if consequence is not None and leaves(consequence):
                    known |= when_false(condition)
                elif alternative is not None and leaves(alternative):
                    known |= when_true(condition)


def leaves(statement: Node) -> bool:
    """Whether nothing behind the statement runs: it returns or throws, or its last part does."""
    if statement.kind == "block":
        return bool(statement.parts) and leaves(statement.parts[-1])
    return statement.kind in _LEAVING


def when_true(node: Node) -> Known:
    """Return what is certainly there when the condition `node` was true."""
    return _facts(node, outcome=True)


def when_false(node: Node) -> Known:
    """Return what is certainly there when the condition `node` was false."""
    return _facts(node, outcome=False)


def _facts(node: Node, *, outcome: bool) -> Known:
    if node.kind == "parenthesized_expression" and node.parts:
        return _facts(node.parts[0], outcome=outcome)
    if node.kind == "prefix_unary_expression" and node.has("!"):
        return _facts(node.parts[-1], outcome=not outcome)
    if node.kind == "is_pattern_expression":
        return _pattern(node, outcome=outcome)
    if node.kind == "is_expression":
        return frozenset({key_of(node.parts[0])}) if outcome else _NOTHING
    if node.kind == "invocation_expression":
        return _contains(node) if outcome else _NOTHING
    if node.kind != "binary_expression":
        return _NOTHING
    left, right = node.get("left"), node.get("right")
    if left is None or right is None:
        return _NOTHING
    operator = node.get("operator")
    return _binary(operator.kind if operator is not None else _sign(node), left, right, outcome=outcome)


def _binary(sign: str, left: Node, right: Node, *, outcome: bool) -> Known:
    if sign in ("&&", "||"):
        one, other = _facts(left, outcome=outcome), _facts(right, outcome=outcome)
        return one | other if (sign == "&&") == outcome else one & other
    if sign not in ("==", "!=", "<", ">", "<=", ">="):
        return _NOTHING
    if left.kind == "null_literal":
        left, right = right, left
    if right.kind == "null_literal":
        return _certain(left) if (sign == "!=") == outcome else _NOTHING
    # `a?.b == 429` is only true, and `a?.b != 429` only false, when there is an a.
    if sign == "!=":
        return _NOTHING if outcome else _through(left) | _through(right)
    return _through(left) | _through(right) if outcome else _NOTHING


def _pattern(node: Node, *, outcome: bool) -> Known:
    value, pattern = node.get("expression") or node.parts[0], node.get("pattern")
    negated = pattern is not None and pattern.kind == "negated_pattern"
    tests_null = pattern is not None and pattern.text.split()[-1:] == ["null"]
    there = outcome != tests_null if not negated else outcome == tests_null
    return _certain(value) if there else _NOTHING


def _contains(call: Node) -> Known:
    """`context.Variables.ContainsKey("x")` says that `context.Variables["x"]` can be read."""
    function, arguments = call.get("function"), call.get("arguments")
    name = function.get("name") if function is not None else None
    owner = function.get("expression") if function is not None else None
    if name is None or owner is None or arguments is None or name.text not in ("ContainsKey", "TryGetValue"):
        return _NOTHING
    keys = arguments.parts
    return frozenset({f"{key_of(owner)}[{key_of(keys[0])}]"}) if keys else _NOTHING


def _certain(node: Node) -> Known:
    return frozenset({key_of(node)}) | _through(node)


def _through(node: Node) -> Known:
    """Return what must be there for `a?.b` to be no null."""
    while node.kind in ("parenthesized_expression", "cast_expression"):
        node = node.parts[-1]
    if node.kind != "conditional_access_expression":
        return _NOTHING
    condition = node.get("condition")
    return _certain(condition) if condition is not None else _NOTHING


def _sign(node: Node) -> str:
    return next((child.kind for child in node.children if not child.named), "")
