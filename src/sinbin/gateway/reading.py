"""An element checked against its shape, with typed values: what a policy class compiles from."""

from typing import TYPE_CHECKING, Any

from sinbin.gateway.blocks import Step, block
from sinbin.gateway.context import Context
from sinbin.gateway.expressions import failed
from sinbin.gateway.failures import Place
from sinbin.gateway.shape import ID, Attribute, Shape
from sinbin.gateway.values import Value
from sinbin.policy.nodes import Attribute as WrittenAttribute
from sinbin.policy.nodes import Element, Text

if TYPE_CHECKING:
    from sinbin.gateway.compiler import SectionCompiler


class Node:
    """A policy element, or an element inside one, whose attributes, children and text fit its shape.

    What does not fit is reported to the compiler; reading goes on with defaults so that all problems are found.
    """

    def __init__(self, element: Element, shape: Shape, compiler: "SectionCompiler", path: str) -> None:
        self.element = element
        self.name = element.name
        self.path = path
        self._shape = shape
        self._compiler = compiler
        self._values: dict[str, Value] = {}
        self._children: dict[str, list[Node]] = {}
        self.steps: list[tuple[Step, Place]] = []
        """The policies inside the element, one by one."""
        self._read_attributes()
        self._read_children()
        self._text = self._read_text()

    def has(self, name: str) -> bool:
        """Return whether the attribute `name` is written."""
        return self.element.attribute(name) is not None

    def value(self, name: str) -> Value:
        """Return the value of the attribute `name`, its default when it is not written."""
        return self._values[name]

    def constant(self, name: str) -> Any:
        """Return the value of an attribute that takes no expressions."""
        return self._values[name].constant

    @property
    def text(self) -> Value:
        """The text inside the element."""
        return self._text

    @property
    def has_text(self) -> bool:
        """Whether there is any text inside the element."""
        return bool(self.element.texts)

    def all(self, name: str) -> "list[Node]":
        """Return the children called `name`, in order."""
        return self._children.get(name, [])

    def one(self, name: str) -> "Node | None":
        """Return the first child called `name`."""
        found = self._children.get(name)
        return found[0] if found else None

    @property
    def block(self) -> Step:
        """The policies inside the element, one after the other."""
        return block(self.steps)

    def refuse(self, message: str, attribute: str = "") -> None:
        """Report that the element cannot be loaded, at the attribute `attribute` when there is one to blame."""
        self._compiler.refuse(self.element.attribute(attribute) or self.element, f"<{self.name}> {message}")

    def _read_attributes(self) -> None:
        shape = self._shape
        for written in self.element.attributes:
            if written.name in shape.refused:
                self._compiler.unmodelled(
                    written,
                    f"{self.name}@{written.name}",
                    f"`{written.name}` of <{self.name}> is not modelled: {shape.refused[written.name]}",
                )
            elif written.name not in shape.attributes and written.name != "id":
                known = ", ".join(sorted(shape.attributes)) or "none"
                self._compiler.unmodelled(
                    written,
                    f"{self.name}@{written.name}",
                    f"<{self.name}> has no attribute `{written.name}` (known: {known})",
                )
        for name, attribute in shape.attributes.items():
            written_one = self.element.attribute(name)
            if written_one is None:
                if attribute.required:
                    self.refuse(f"needs the attribute `{name}`")
                self._values[name] = Value.of(attribute.default)
            else:
                self._values[name] = self._attribute(written_one, attribute)
        if (identity := self.element.attribute("id")) and "id" not in shape.attributes:
            self._attribute(identity, ID)

    def _attribute(self, written: WrittenAttribute, attribute: Attribute) -> Value:
        where = f"`{written.name}` of <{self.name}>"
        value = self._compiler.value(written, attribute.kind, where, allow_expression=attribute.expression)
        if not value.known:
            return _checked(value, attribute, where)
        if value.constant is not None and (allowed := attribute.breach(value.constant)):
            note = f" ({attribute.note.rstrip('.')})" if attribute.note else ""
            self._compiler.refuse(written, f"{where} is {_quoted(value.constant)}; it can be {allowed}{note}")
        return value

    def _read_children(self) -> None:
        shape = self._shape
        policies: list[Element] = []
        counts: dict[str, int] = {}
        for child in self.element.elements:
            counts[child.name] = counts.get(child.name, 0) + 1
            if child.name in shape.children:
                expected = shape.children[child.name]
                if counts[child.name] == 2 and not expected.repeated:
                    self._compiler.refuse(child, f"<{self.name}> takes <{child.name}> only once")
                path = f"{self.path}\\{child.name}[{counts[child.name]}]"
                self._children.setdefault(child.name, []).append(Node(child, expected, self._compiler, path))
            elif shape.policies:
                policies.append(child)
            else:
                known = ", ".join(sorted(shape.children)) or "none"
                self._compiler.unmodelled(
                    child,
                    f"{self.name}/{child.name}",
                    f"<{self.name}> has no child <{child.name}> (known: {known})",
                )
        for name, expected in shape.children.items():
            if expected.required and name not in counts:
                self.refuse(f"needs a <{name}>")
        if shape.policies:
            self.steps = self._compiler.steps(policies, self.path, {})

    def _read_text(self) -> Value:
        expected = self._shape.text
        if expected is None:
            for text in self.element.texts:
                self._compiler.refuse(text, f"<{self.name}> takes no text")
            return Value.of("")
        texts = self.element.texts
        if not texts:
            if expected.required:
                self.refuse("needs a text")
            return Value.of("")
        where = f"the text of <{self.name}>"
        if len(texts) == 1:
            return self._compiler.value(texts[0], expected.kind, where, allow_expression=expected.expression)
        return self._joined(texts, where)

    def _joined(self, texts: list[Text], where: str) -> Value:
        parts = [self._compiler.value(text, "text", where, allow_expression=False) for text in texts]
        return Value.of("".join(part.constant or "" for part in parts))


def _checked(value: Value, attribute: Attribute, where: str) -> Value:
    """Return `value`, which an expression gives, with its bounds checked for every request."""
    if not attribute.choices and attribute.low is None and attribute.high is None:
        return value
    read = value.read

    def within_bounds(context: Context) -> Any:
        found = read(context)
        allowed = attribute.breach(found)
        if allowed:
            raise failed(f"{where} is {_quoted(found)}; it can be {allowed}")
        return found

    return Value(within_bounds, known=False)


def _quoted(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)
