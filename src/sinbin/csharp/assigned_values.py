"""Definite assignment in expressions: which local variables have a value behind each of them.

A condition has two answers, one for each outcome: `o is int n && n > 1` reads `n` where it has a value. See
`sinbin.csharp.assignment` for the rule.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sinbin.csharp.constants import NOT_CONSTANT, UNKNOWN, constant, is_nameof
from sinbin.csharp.syntax import Node

State = frozenset[int] | None
"""The variables that have a value; None where nothing runs, so that every variable may be said to have one."""
Both = tuple[State, State]
"""The states where a condition is true, and where it is false."""

_JUMPS = frozenset({"return_statement", "throw_statement", "throw_expression", "goto_statement"})


def meet(first: State, second: State) -> State:
    """Return what holds whichever of two ways was taken."""
    if first is None:
        return second
    return first if second is None else first & second


class ExpressionFlow:
    """Goes through expressions in the order in which they run, and notes reads of variables without a value."""

    def __init__(self) -> None:
        self._found: list[tuple[int, Node]] = []
        self._scopes: list[dict[str, int]] = [{}]
        self._variables = 0
        self._constants: dict[int, object] = {}
        self._outside = 0
        """The number of the last variable outside the innermost local function."""
        self._unjudged: set[int] = set()
        """Variables that a local function assigns: whether they have a value hangs on where it is called."""

    @property
    def found(self) -> list[Node]:
        """The names that are read without a value on some path."""
        return [node for known, node in self._found if known not in self._unjudged]

    # Variables.

    @contextmanager
    def _scope(self) -> Iterator[None]:
        self._scopes.append({})
        yield
        self._scopes.pop()

    def _declare(self, name: Node, state: State, *, assigned: bool) -> State:
        self._variables += 1
        self._scopes[-1][name.text] = self._variables
        return self._with(name, state) if assigned else state

    def _with(self, name: Node, state: State) -> State:
        known = self._lookup(name)
        if known is not None and known <= self._outside:
            self._unjudged.add(known)
        return state if known is None or state is None else state | {known}

    def _lookup(self, name: Node) -> int | None:
        return next((scope[name.text] for scope in reversed(self._scopes) if name.text in scope), None)

    def _constant(self, node: Node) -> object:
        return constant(node, self._constant_named)

    def _constant_named(self, name: Node) -> object:
        known = self._lookup(name)
        return None if known is None else self._constants.get(known, NOT_CONSTANT)

    # Expressions and what is in them: each returns the state at its end.

    def statement(self, node: Node, state: State) -> State:
        """Go through `node`, an expression or a statement, from `state`; return the state at its end."""
        handle: Callable[[Node, State], State] | None = getattr(self, f"_do_{node.kind}", None)
        if handle is not None:
            return handle(node, state)
        return self._children(node, state)

    def _field(self, node: Node, name: str, state: State) -> State:
        return self.statement(node.fields[name][0], state)

    def _children(self, node: Node, state: State) -> State:
        for part in node.parts:
            state = self.statement(part, state)
        return None if node.kind in _JUMPS else state

    def _do_identifier(self, node: Node, state: State) -> State:
        known = self._lookup(node)
        if known is not None and state is not None and known not in state:
            self._found.append((known, node))
            return state | {known}  # told once
        return state

    def _do_member_access_expression(self, node: Node, state: State) -> State:
        return self._field(node, "expression", state)

    def _do_qualified_name(self, node: Node, state: State) -> State:
        return self.statement(node.parts[0], state)

    def _do_invocation_expression(self, node: Node, state: State) -> State:
        return state if is_nameof(node) else self._children(node, state)

    def _do_anonymous_object_creation_expression(self, node: Node, state: State) -> State:
        for part, after in zip(node.children, (*node.children[1:], None), strict=True):
            if part.named and not (after is not None and after.kind == "="):
                state = self.statement(part, state)
        return state

    def _do_initializer_expression(self, node: Node, state: State) -> State:
        for part in node.parts:
            # `new T { Name = value }` names a property on the left.
            named = part.kind == "assignment_expression" and part.fields["left"][0].kind == "identifier"
            state = self.statement(part.fields["right"][0] if named else part, state)
        return state

    def _do_argument_list(self, node: Node, state: State) -> State:
        assigned: list[Node] = []
        for argument in (part for part in node.parts if part.kind == "argument"):
            value = argument.parts[-1]
            if argument.has("out"):
                assigned.append(value)
            else:
                state = self.statement(value, state)
        for value in assigned:
            state = self._assign(value, state)
        return state

    def _assign(self, target: Node, state: State) -> State:
        if target.kind == "identifier":
            return self._with(target, state)
        if target.kind == "declaration_expression":
            name = target.parts[-1]
            return self._declare(name, state, assigned=True) if name.kind == "identifier" else state
        if target.kind == "tuple_expression":
            for argument in target.parts:
                state = self._assign(argument.parts[-1], state)
            return state
        return self.statement(target, state)

    def _do_assignment_expression(self, node: Node, state: State) -> State:
        target, operator = node.fields["left"][0], node.fields["operator"][0].text
        if operator != "=":
            return self.statement(node.fields["right"][0], self.statement(target, state))
        if target.kind in {"identifier", "tuple_expression", "declaration_expression"}:
            return self._assign(target, self._field(node, "right", state))
        return self.statement(node.fields["right"][0], self.statement(target, state))

    def _do_lambda_expression(self, node: Node, state: State) -> State:
        with self._scope():
            self._field(node, "body", state)
        return state

    def _do_conditional_access_expression(self, node: Node, state: State) -> State:
        state = self._field(node, "condition", state)
        self._field(node, "body", state)
        return state

    def _do_conditional_expression(self, node: Node, state: State) -> State:
        true, false = self._condition(node.fields["condition"][0], state)
        return meet(self._field(node, "consequence", true), self._field(node, "alternative", false))

    def _either(self, node: Node, state: State) -> State:
        return meet(*self._condition(node, state))

    def _do_binary_expression(self, node: Node, state: State) -> State:
        operator = node.fields["operator"][0].text
        if operator in {"&&", "||"}:
            return self._either(node, state)
        left = self._field(node, "left", state)
        right = self._field(node, "right", left)
        return left if operator == "??" else right

    _do_is_pattern_expression = _either

    def _condition(self, node: Node, state: State) -> Both:
        if node.kind == "parenthesized_expression":
            return self._condition(node.parts[0], state)
        if node.kind == "prefix_unary_expression" and node.has("!"):
            true, false = self._condition(node.parts[0], state)
            return false, true
        if node.kind == "is_pattern_expression":
            state = self._field(node, "expression", state)
            matched = self._pattern(node.fields["pattern"][0], state)
            # Which way a constant goes is not judged: nothing that follows is a certain fault.
            return (matched, state) if self._constant(node) is NOT_CONSTANT else (None, None)
        operator = node.get("operator") if node.kind == "binary_expression" else None
        if operator is not None and operator.text in {"&&", "||"}:
            true, false = self._condition(node.fields["left"][0], state)
            right_true, right_false = self._condition(
                node.fields["right"][0], true if operator.text == "&&" else false
            )
            if operator.text == "&&":
                return right_true, meet(false, right_false)
            return meet(true, right_true), right_false
        state, value = self.statement(node, state), self._constant(node)
        if value is UNKNOWN:
            return None, None
        return (None if value is False else state), (None if value is True else state)

    def _pattern(self, node: Node, state: State) -> State:
        """Declare what a pattern declares; return the state where it matches."""
        name = node.get("name") if node.kind == "declaration_pattern" else None
        if name is not None and name.kind == "identifier":
            return self._declare(name, state, assigned=True)
        return state
