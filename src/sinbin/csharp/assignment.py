"""Definite assignment: no local variable is read before every path to that place has given it a value.

A C# compiler refuses such a read (CS0165), so Azure refuses the policy that holds it. The pass goes through a
block in the order in which it runs and keeps the set of variables that have a value. What is not certain is not
told: the body of a local function is not judged from outside, nor a variable that one assigns, nor what follows a
condition that is a constant but a complicated one. Source: C# specification, 9.4 definite assignment
"""

from sinbin.csharp.assigned_values import Both, ExpressionFlow, State, meet
from sinbin.csharp.constants import NOT_CONSTANT
from sinbin.csharp.syntax import Node


def unassigned_reads(block: Node) -> list[Node]:
    """Return the names in `block` that are read without a value on some path, in the order of the source."""
    flow = _StatementFlow()
    flow.statement(block, frozenset())
    return flow.found


def _join(first: State, second: State) -> State:
    """Return what holds when both have run."""
    return None if first is None or second is None else first | second


class _StatementFlow(ExpressionFlow):
    """The pass over one block: where statements lead, and what holds there."""

    def __init__(self) -> None:
        super().__init__()
        self._breaks: list[State] = []
        self._continues: list[State] = []
        self._fixed = False

    def _do_block(self, node: Node, state: State) -> State:
        with self._scope():
            return self._children(node, state)

    def _do_local_declaration_statement(self, node: Node, state: State) -> State:
        self._fixed = any(part.kind == "modifier" and part.text == "const" for part in node.parts)
        state = self._children(node, state)
        self._fixed = False
        return state

    def _do_variable_declarator(self, node: Node, state: State) -> State:
        name, *rest = node.parts
        first = rest[-1] if node.has("=") else None
        if first is not None:
            state = self.statement(first, state)
        names = name.parts if name.kind == "tuple_pattern" else (name,)
        for one in names:
            state = self._declare(one, state, assigned=first is not None)
        if self._fixed and first is not None:
            self._constants[self._variables] = self._constant(first)
        return state

    def _do_local_function_statement(self, node: Node, state: State) -> State:
        outside, self._outside = self._outside, self._variables
        with self._scope():
            inside: State = frozenset(range(self._variables + 1))
            for parameter in node.fields["parameters"][0].parts:
                inside = self._declare(parameter.fields["name"][0], inside, assigned=True)
            self._field(node, "body", inside)
        self._outside = outside
        return state

    def _do_if_statement(self, node: Node, state: State) -> State:
        true, false = self._condition(node.fields["condition"][0], state)
        true = self._field(node, "consequence", true)
        alternative = node.get("alternative")
        return meet(true, false if alternative is None else self.statement(alternative, false))

    def _loop(self, body: Node, state: State) -> Both:
        """Return the states where the next turn would begin, and where `break` leaves the loop."""
        outer = self._breaks, self._continues
        self._breaks, self._continues = [], []
        end, left = self.statement(body, state), None
        for jump in self._continues:
            end = meet(end, jump)
        for jump in self._breaks:
            left = meet(left, jump)
        self._breaks, self._continues = outer
        return end, left

    def _do_while_statement(self, node: Node, state: State) -> State:
        true, false = self._condition(node.fields["condition"][0], state)
        return meet(false, self._loop(node.fields["body"][0], true)[1])

    def _do_do_statement(self, node: Node, state: State) -> State:
        end, left = self._loop(node.fields["body"][0], state)
        return meet(self._condition(node.fields["condition"][0], end)[1], left)

    def _do_for_statement(self, node: Node, state: State) -> State:
        with self._scope():
            for first in node.all("initializer"):
                state = self.statement(first, state)
            condition = node.get("condition")
            true, false = (state, None) if condition is None else self._condition(condition, state)
            end, left = self._loop(node.fields["body"][0], true)
            for step in node.all("update"):
                end = self.statement(step, end)
            return meet(false, left)

    def _do_foreach_statement(self, node: Node, state: State) -> State:
        state = self._field(node, "right", state)
        with self._scope():
            names, inside = node.fields["left"][0], state
            for name in names.parts if names.kind == "tuple_pattern" else (names,):
                inside = self._declare(name, inside, assigned=True)
            return meet(state, self._loop(node.fields["body"][0], inside)[1])

    def _do_break_statement(self, node: Node, state: State) -> State:  # noqa: ARG002 (called like all)
        self._breaks.append(state)
        return None

    def _do_continue_statement(self, node: Node, state: State) -> State:  # noqa: ARG002 (called like all)
        self._continues.append(state)
        return None

    def _do_switch_statement(self, node: Node, state: State) -> State:
        state = self._field(node, "value", state)
        if self._constant(node.fields["value"][0]) is not NOT_CONSTANT:
            state = None  # only one section runs, and which one is not worked out
        outer, self._breaks = self._breaks, []
        sections = [part for part in node.fields["body"][0].parts if part.kind == "switch_section"]
        # One scope for all sections: a variable of one can be used in another, once it has a value there.
        with self._scope():
            for section in sections:
                end = state
                for part in section.parts:
                    # A label's pattern declares its variable with a value; the labels' own texts read nothing.
                    end = self._pattern(part, end) if part.kind.endswith("_pattern") else self.statement(part, end)
        end = None if any(section.has("default") for section in sections) else state
        for jump in self._breaks:
            end = meet(end, jump)
        self._breaks = outer
        return end

    def _do_try_statement(self, node: Node, state: State) -> State:
        end = self._field(node, "body", state)
        last = state
        for clause in node.parts[1:]:
            if clause.kind == "finally_clause":
                last = self._children(clause, state)
            else:
                with self._scope():
                    end = meet(end, self._children(clause, state))
        return _join(end, last) if last is not state else end

    def _do_catch_declaration(self, node: Node, state: State) -> State:
        name = node.get("name")
        return state if name is None else self._declare(name, state, assigned=True)
