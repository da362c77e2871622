"""Policies written out as Python source: one function runs one section of an effective policy.

The source is made of the words of the policies' classes, of names that the `Writer` has chosen and of constants
written with `repr`; no text of a policy document gets into it any other way.

A failure is put down to its policy by the line that raised it, so that a request which fails nowhere pays nothing
for knowing where it would have failed.
"""

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sinbin.csharp.compiler import BUILTINS
from sinbin.gateway.effects import Effect, Outcome
from sinbin.gateway.expressions import STOPPED, Function, failure_of, view_of
from sinbin.gateway.failures import Place, PolicyFailure

if TYPE_CHECKING:
    from sinbin.gateway.blocks import Step
    from sinbin.gateway.context import Context
    from sinbin.gateway.values import Value

Pause: TypeAlias = Generator[Effect, tuple[float, Outcome], None]

_LOCALS = {"trace": "context.trace", "variables": "context.variables", "view": "view_of(context)"}
"""What the head of a function may put into a local variable, when a line of it asks for that."""
_DEEPEST = 12
"""Levels of indentation after which a block becomes a function of its own: Python nests 20 `try` and `while`."""


class _Line(NamedTuple):
    indent: int
    text: str
    place: Place | None
    in_expression: bool = False
    """Running it runs expressions, and nothing else that may go wrong."""


@dataclass(frozen=True, slots=True)
class Section:
    """The policies of a section, ready to run."""

    run: Callable[["Context"], Any]
    """A generator function when the section `waits`, a plain one otherwise."""
    waits: bool
    source: str
    """The Python that was written, for those who debug a policy's class."""


def compile_section(step: "Step", known: Mapping[str, str], *, traced: bool) -> Section:
    """Return the section that runs `step`.

    Args:
        step: the policies.
        known: what expressions need not ask the context for, see `Writer.known`.
        traced: the section notes in the context's trace which policy starts.
    """
    writer = Writer(known, traced=traced)
    name = writer.function(step)
    source, names = writer.finish()
    return Section(names[name], step.waits, source)


class Writer:
    """Writes the functions of one section.

    In every line `context` is the request's context. All other names are handed out: by `bind` (objects), `fresh`
    (variables), `local` (parts of the context) and `function`.
    """

    def __init__(self, known: Mapping[str, str], *, traced: bool) -> None:
        self.known = known
        """What is the same for every request, by the attributes of the view: `operation.id`."""
        self._traced = traced
        self._names: dict[str, Any] = {"__builtins__": BUILTINS, "STOPPED": STOPPED, "view_of": view_of}
        self._bound: dict[int, str] = {}
        self._finished: list[_Line] = []
        self._body: list[_Line] = []
        self._indent = 0
        self._locals: set[str] = set()
        self._place: Place | None = None
        self._in_expression = False
        self._count = 0

    def line(self, text: str) -> None:
        """Write a line."""
        self._body.append(_Line(self._indent, text, self._place, self._in_expression))
        self._in_expression = False

    def expression(self, function: Function) -> str:
        """Return the code for the value of an expression; the next line does nothing but use it."""
        self._in_expression = True
        return function.code(self.local("view"), self)

    def call(self, function: Callable[..., None], *values: "Value") -> None:
        """Write the call of `function` with the context and the values, computed before it in their order."""
        codes = []
        for value in values:
            code = value.code(self)
            if not value.known:
                name = self.fresh("value")
                self.line(f"{name} = {code}")
                code = name
            codes.append(code)
        self.line(f"{self.bind(function, function.__name__.strip('<>'))}({', '.join(['context', *codes])})")

    def policy(self, step: "Step", place: Place) -> None:
        """Write the policy `step`, which stands at `place`."""
        outer, self._place = self._place, place
        if self._traced:
            title = f"{place.name} ({place.file}:{place.line})"
            self.line(f"{self.local('trace')}.policy(context.now, {self.bind(place, 'place')}, {title!r})")
        step.write(self)
        self._place = outer

    def block(self, step: "Step") -> None:
        """Write `step` one level deeper than the line before."""
        with self.deeper():
            if self._indent < _DEEPEST:
                step.write(self)
            else:
                self.line(f"{'yield from ' if step.waits else ''}{self.function(step)}(context)")

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """Write what follows one level deeper; what is empty gets its `pass`."""
        before = len(self._body)
        self._indent += 1
        yield
        if len(self._body) == before:
            self.line("pass")
        self._indent -= 1

    def function(self, step: "Step", *, generator: bool = False) -> str:
        """Write a function of its own that runs `step`; return its name.

        It is a generator function if `step` waits, and with `generator` in any case.
        """
        outer = self._body, self._indent, self._locals
        self._body, self._indent, self._locals = [], 1, set()
        self.line("try:")
        with self.deeper():
            step.write(self)
        self.line("except STOPPED as error:")
        self.line("  raise placed(error)")
        if generator and not step.waits:
            self.line("if False: yield")
        name = self.fresh("run")
        head = [_Line(0, f"def {name}(context):", None)]
        head += [_Line(1, f"{local} = {_LOCALS[local]}", None) for local in sorted(self._locals)]
        self._finished += head + self._body
        self._body, self._indent, self._locals = outer
        return name

    def bind(self, value: object, hint: str) -> str:
        """Return the name of `value` in what is written; `hint` is what it begins with."""
        name = self._bound.get(id(value))
        if name is None:
            name = self._bound[id(value)] = self.fresh(hint)
            self._names[name] = value
        return name

    def fresh(self, hint: str) -> str:
        """Return a name that nothing else has."""
        self._count += 1
        return f"{hint}_{self._count}"

    def local(self, name: str) -> str:
        """Return `name`, the local variable that holds this part of the context: trace, variables or view."""
        self._locals.add(name)
        return name

    def finish(self) -> tuple[str, dict[str, Any]]:
        """Return the source and, by name, everything that running it has defined."""
        source = "\n".join("  " * line.indent + line.text for line in self._finished)
        lines = [_Line(0, "", None), *self._finished]  # Python counts them from 1

        def placed(error: Exception) -> PolicyFailure:
            assert error.__traceback__ is not None
            line = lines[error.__traceback__.tb_lineno]
            failure = failure_of(error, in_expression=line.in_expression)
            failure.place = failure.place or line.place
            return failure

        names = {**self._names, "placed": placed}
        exec(compile(source, "<policies>", "exec"), names)  # noqa: S102 (source written here; see above)
        return source, names
