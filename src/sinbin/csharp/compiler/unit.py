"""One expression on its way to a Python function: names in scope, lines written so far, problems found."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sinbin.csharp.compiler.expr import Expr
from sinbin.csharp.parse import ParsedExpression
from sinbin.csharp.refusal import Problem, Reason
from sinbin.csharp.syntax import Node
from sinbin.csharp.types import ERROR, Type

ExpressionCompiler = Callable[["Unit", Node], Expr]
StatementCompiler = Callable[["Unit", Node], bool]

EXPRESSIONS: dict[str, ExpressionCompiler] = {}
STATEMENTS: dict[str, StatementCompiler] = {}

_FUNCTIONS = frozenset(
    {"lambda_expression", "anonymous_method_expression", "local_function_statement", "query_expression"}
)
_ASSIGNING = frozenset({"assignment_expression", "postfix_unary_expression", "prefix_unary_expression"})


def expression(*kinds: str) -> Callable[[ExpressionCompiler], ExpressionCompiler]:
    """Register the compiler of expression nodes of these kinds."""

    def register(compiler: ExpressionCompiler) -> ExpressionCompiler:
        EXPRESSIONS.update(dict.fromkeys(kinds, compiler))
        return compiler

    return register


def statement(*kinds: str) -> Callable[[StatementCompiler], StatementCompiler]:
    """Register the compiler of statement nodes of these kinds; it tells whether the end can be reached."""

    def register(compiler: StatementCompiler) -> StatementCompiler:
        STATEMENTS.update(dict.fromkeys(kinds, compiler))
        return compiler

    return register


@dataclass(slots=True)
class Local:
    """A variable in scope.

    Attributes:
        python: its name in the generated function.
        type: its static type.
        depth: the number of the function that declares it, counted from the outermost.
        cell: whether it lives in a one-element list, because a lambda shares it and someone assigns to it.
        constant: its value, for a `const`.
        function: for a local function, its parameters' and its result's types.
        readonly: why it cannot be assigned to, or an empty text.
    """

    python: str
    type: Type
    depth: int
    cell: bool = False
    constant: Expr | None = None
    function: tuple[tuple[Type, ...], Type] | None = None
    readonly: str = ""


@dataclass(slots=True)
class Loop:
    """A loop or `switch` being written.

    Attributes:
        flag: for a `switch`, the Python variable that says that a `continue` left it; empty for a loop.
        left: whether a `break` that can be reached leaves it.
        continued: whether a `continue` that can be reached goes on with it.
    """

    flag: str = ""
    left: bool = False
    continued: bool = False


@dataclass(slots=True)
class Frame:
    """A function being written: the expression itself, a lambda or a local function.

    Attributes:
        lexical: whether it sees outer variables by name (a local function) instead of capturing them.
        returns: the wanted type of `return`; None while it is being inferred.
        returned: the types of the returned values so far.
        captures: outer variables that a lambda uses.
    """

    lexical: bool = False
    returns: Type | None = None
    returned: list[Expr] = field(default_factory=list)
    captures: dict[str, None] = field(default_factory=dict)
    loops: list[Loop] = field(default_factory=list)


class Unit:
    """The state of compiling one expression."""

    def __init__(self, parsed: ParsedExpression) -> None:
        self.parsed = parsed
        self.problems: list[Problem] = []
        self.env: dict[str, Any] = {}
        self.lines: list[tuple[int, str]] = []
        self.indent = 1
        self.scopes: list[dict[str, Local]] = [{}]
        self.frames = [Frame()]
        # None inside `unchecked(…)`, where even a constant may overflow.
        self.checked: bool | None = False
        # Whether the place being written can be reached, as C# sees it.
        self.live = True
        self.receivers: list[Expr] = []
        self.caught: list[str] = []
        # By the node's identity; the nodes are kept, so that no other takes an identity over.
        self.lambda_cache: dict[object, object] = {}
        self.lambda_nodes: list[Node] = []
        self.metered = _repeats(parsed.root)
        """Whether what it calls is paid for (see `sinbin.csharp.metering`): it can do a thing many times."""
        self._bound: dict[int, str] = {}
        self._templates: dict[tuple[str, int], Any] = {}
        self._count = 0
        self._assigned, self._captured = _survey(parsed.root)

    def refuse(self, node: Node, message: str, reason: Reason = "type-error") -> Expr:
        """Record a problem at `node` and return an expression that causes no further ones."""
        line, column = self.parsed.position(node.start)
        problem = Problem(reason, node.start, node.end, line, column, message)
        if problem not in self.problems:
            self.problems.append(problem)
        return Expr("None", ERROR, node)

    def compile(self, node: Node) -> Expr:
        """Compile an expression."""
        compiler = EXPRESSIONS.get(node.kind)
        if compiler is None:
            return self.refuse(node, f"{describe(node)} is not supported", "not-modelled")
        return compiler(self, node)

    def statement(self, node: Node) -> bool:
        """Compile a statement and return whether the place behind it can be reached."""
        compiler = STATEMENTS.get(node.kind)
        if compiler is None:
            self.refuse(node, f"{describe(node)} is not supported", "not-modelled")
            # Where it leads is not known, so nothing is said about where the code around it ends.
            return False
        return compiler(self, node)

    def branch(self, node: Node, *, live: bool) -> bool:
        """Compile a statement that cannot be reached unless `live`; return whether the place behind it can be."""
        before, self.live = self.live, self.live and live
        ends = self.statement(node)
        self.live = before
        return ends and live

    def emit(self, line: str) -> None:
        """Write a line of Python at the current indentation."""
        self.lines.append((self.indent, line))

    @contextmanager
    def indented(self) -> Iterator[None]:
        """Write what follows one level deeper; an empty body gets its `pass`."""
        before = len(self.lines)
        self.indent += 1
        yield
        if len(self.lines) == before:
            self.emit("pass")
        self.indent -= 1

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Open a scope for local variables."""
        self.scopes.append({})
        yield
        self.scopes.pop()

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Undo the lines and problems of what is only tried."""
        lines, problems = len(self.lines), list(self.problems)
        yield
        del self.lines[lines:]
        self.problems = problems

    def fresh(self, prefix: str = "t") -> str:
        """Return a Python name that nothing else uses."""
        self._count += 1
        return f"{prefix}{self._count}"

    def bind(self, value: object, hint: str = "k") -> str:
        """Return the name under which the generated code finds `value`."""
        name = self._bound.get(id(value))
        if name is None:
            name = self._bound[id(value)] = self.fresh(f"{hint}_")
            self.env[name] = value
        return name

    def written_out(self, template: str, count: int) -> Any:
        """Return a template of the library as a function of `count` arguments."""
        made = self._templates.get((template, count))
        if made is None:
            names = [f"a{number}" for number in range(count)]
            made = eval(f"lambda {', '.join(names)}: {template.format(*names)}")  # noqa: S307  (a constant of ours)
            self._templates[template, count] = made
        return made

    def declare(self, node: Node, name: str, kind: Type, *, late: bool = False, readonly: str = "") -> Local:
        """Bring a variable into scope; C# wants the name to be new in the enclosing scopes too.

        A `late` variable gets its value in the middle of a statement (`out var x`, `is T x`): when a lambda
        uses it, its cell must stand ready before.
        """
        depth = len(self.frames) - 1
        for scope in self.scopes:
            if name in scope and name != "_":
                self.refuse(node, f"a variable named `{name}` is already defined in this scope")
        cell = name in self._captured and (late or name in self._assigned)
        local = Local(self.fresh("v"), kind, depth, cell=cell, readonly=readonly)
        if late and cell:
            self.emit(f"{local.python} = [None]")
        self.scopes[-1][name] = local
        return local

    def lookup(self, name: str) -> Local | None:
        """Return the variable `name`, noting it in every lambda between its use and its declaration."""
        for scope in reversed(self.scopes):
            local = scope.get(name)
            if local is not None:
                if local.function is None and local.constant is None:
                    for frame in self.frames[local.depth + 1 :]:
                        if not frame.lexical:
                            frame.captures[local.python] = None
                return local
        return None


def describe(node: Node) -> str:
    """Return the node's kind in words."""
    return node.kind.replace("_", " ")


_REPEATING = frozenset({
    *("while_statement", "do_statement", "for_statement", "foreach_statement"),
    *("lambda_expression", "anonymous_method_expression", "local_function_statement", "query_expression"),
})  # fmt: skip
_CALLING = frozenset({"invocation_expression", "object_creation_expression"})
_FEW_CALLS = 16
"""Each may double what the one before has made."""


def _repeats(root: Node | None) -> bool:
    """Return whether running `root` may take longer than its length tells."""
    calls = 0
    for node in root.walk() if root else ():
        calls += node.kind in _CALLING
        if node.kind in _REPEATING or calls > _FEW_CALLS:
            return True
    return False


def _survey(root: Node | None) -> tuple[set[str], set[str]]:
    """Return the names that are assigned to, and the names that stand inside a lambda or local function."""
    assigned: set[str] = set()
    captured: set[str] = set()
    for node in root.walk() if root else ():
        if node.kind in _FUNCTIONS:
            captured.update(inner.text for inner in node.walk() if inner.kind == "identifier")
        elif node.kind in _ASSIGNING and node.children:
            target = node.children[1 if node.kind.startswith("prefix") else 0]
            assigned.update(part.text for part in target.walk() if part.kind == "identifier")
        elif node.kind == "argument" and (node.has("out") or node.has("ref")):
            assigned.update(part.text for part in node.walk() if part.kind == "identifier")
        elif node.kind in {"for_statement", "variable_declarator"} and len(node.parts) == 1:
            assigned.add(node.parts[0].text)
    return assigned, captured
