"""System.Xml.Linq: XElement, XDocument, XAttribute and XName, as far as policies use them to read and build.

Entities and document types are refused (defusedxml), so that a body can neither expand nor fetch anything. Names in
a namespace are refused, and `<a></a>` is written as `<a />`.
Source: https://learn.microsoft.com/dotnet/api/system.xml.linq, read 2026-11-29
"""

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar
from xml.etree.ElementTree import Element, ParseError
from xml.sax.saxutils import escape

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from sinbin.csharp.exceptions import argument_null, raised
from sinbin.csharp.jsonnet.writer import write_value
from sinbin.csharp.registry import Linear, declare
from sinbin.csharp.types import Type
from sinbin.csharp.values import CsObject, Query, to_text


class XAttribute(CsObject):
    """A name and a value on an element."""

    __slots__ = ("name", "owner", "value")
    cs_type: ClassVar[Type] = Type("XAttribute")

    def __init__(self, name: str | None, value: Any) -> None:
        if name is None:
            raise argument_null("name")
        self.name = name
        self.value = xml_text(value)

    def cs_text(self) -> str:
        """Return `name="value"`."""
        marks = {'"': "&quot;"}
        return f'{self.name}="{escape(self.value, marks)}"'


class XElement(CsObject):
    """An element."""

    __slots__ = ("node",)
    cs_type: ClassVar[Type] = Type("XElement")

    def __init__(self, node: Element) -> None:
        self.node = node

    def __eq__(self, other: object) -> bool:
        return isinstance(other, XElement) and self.node is other.node

    def __hash__(self) -> int:
        return id(self.node)

    @property
    def value(self) -> str:
        """All text inside."""
        return "".join(self.node.itertext())

    def elements(self, name: str | None = None) -> Iterator["XElement"]:
        """Yield the child elements, of one name if it is given."""
        return (XElement(child) for child in self.node if name is None or child.tag == name)

    def element(self, name: str | None) -> "XElement | None":
        """Return the first child element of a name, or null."""
        return next(self.elements(name), None)

    def descendants(self, name: str | None = None) -> Iterator["XElement"]:
        """Yield the elements below."""
        return (
            XElement(node)
            for node in self.node.iter()
            if node is not self.node and (name is None or node.tag == name)
        )

    def attribute(self, name: str | None) -> XAttribute | None:
        """Return an attribute, or null."""
        value = self.node.get(name or "")
        return None if value is None or name is None else XAttribute(name, value)

    def add(self, content: Any) -> None:
        """Add elements, attributes, texts, and sequences of them."""
        if isinstance(content, XElement):
            self.node.append(content.node)
        elif isinstance(content, XAttribute):
            self.node.set(content.name, content.value)
        elif content is not None and not isinstance(content, str) and hasattr(content, "__iter__"):
            for item in content:
                self.add(item)
        elif content is not None:
            text = xml_text(content)
            if len(self.node):
                self.node[-1].tail = (self.node[-1].tail or "") + text
            else:
                self.node.text = (self.node.text or "") + text

    def cs_text(self) -> str:
        """Return indented XML; an element with text in it stays on one line."""
        return _write(self.node, "")


def xml_text(value: Any) -> str:
    """Return a value as XML Schema writes it: `true`, ISO dates."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if hasattr(value, "cs_json"):
        return write_value(value).strip('"')
    return to_text(value)


def _write(node: Element, indent: str, *, mixed: bool = False) -> str:
    """Write an element; from the first text on, nothing in it is indented any more."""
    attributes = "".join(f" {XAttribute(name, value).cs_text()}" for name, value in node.items())
    if not len(node) and node.text is None:
        return f"<{node.tag}{attributes} />"
    inner = escape(node.text or "")
    mixed = mixed or bool(inner)
    for child in node:
        inner += (
            _write(child, f"{indent}  ", mixed=True) if mixed else f"\n{indent}  {_write(child, f'{indent}  ')}"
        )
        inner += escape(child.tail or "")
        mixed = mixed or bool(child.tail)
    return f"<{node.tag}{attributes}>{inner}{'' if mixed or not len(node) else chr(10) + indent}</{node.tag}>"


def parse_element(text: str | None) -> XElement:
    """Return `XElement.Parse(text)`; white space between elements is dropped.

    Raises:
        CsException: ArgumentNullException, XmlException.
    """
    if text is None:
        raise argument_null("text")
    try:
        root = fromstring(text.lstrip("\ufeff"))
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise raised("XmlException", f"The text is no XML that is read here: {error}") from None
    for node in root.iter():
        if "}" in node.tag or any("}" in name for name in node.attrib):
            raise raised("XmlException", f"Names in a namespace, such as '{node.tag}', are not modelled.")
        if len(node) and not (node.text or "").strip():
            node.text = None
        for child in node:
            if not (child.tail or "").strip():
                child.tail = None
    return XElement(root)


def _new(name: str | None, content: Iterable[Any] = ()) -> XElement:
    if name is None:
        raise argument_null("name")
    made = XElement(Element(name))
    made.add(list(content))
    return made


def _set_value(element: XElement, value: Any) -> Any:
    for child in list(element.node):
        element.node.remove(child)
    element.node.text = xml_text(value)
    return value


def _query(method: str) -> Any:
    return lambda element, *name: Query(lambda: getattr(element, method)(*name))


_READ = {
    "string! Value": "{0}.value",
    "IEnumerable<XElement>! Elements()": _query("elements"),
    "IEnumerable<XElement>! Elements(string name)": _query("elements"),
    "XElement Element(string name)": "{0}.element({1})",
    "IEnumerable<XElement>! Descendants()": _query("descendants"),
    "IEnumerable<XElement>! Descendants(string name)": _query("descendants"),
    "string! ToString()": Linear("{0}.cs_text()"),
}
declare(
    "XName", "System.Xml.Linq.XName", {"string! LocalName": "{0}", "string! ToString()": "{0}"}, bases="object"
)
declare(
    "XAttribute",
    "System.Xml.Linq.XAttribute",
    {
        "new(string name, object value)": XAttribute,
        "XName! Name": "{0}.name",
        "string! Value": "{0}.value",
        "explicit string(XAttribute attribute)": lambda attribute: None if attribute is None else attribute.value,
        "string! ToString()": Linear("{0}.cs_text()"),
    },
    bases="object",
)
declare(
    "XElement",
    "System.Xml.Linq.XElement",
    {
        **_READ,
        "new(string name)": _new,
        "new(string name, object content)": lambda name, content: _new(name, [content]),
        "new(string name, params object[] content)": _new,
        "static XElement! Parse(string text)": parse_element,
        "set string Value": _set_value,
        "XName! Name": "{0}.node.tag",
        "XAttribute Attribute(string name)": "{0}.attribute({1})",
        "IEnumerable<XAttribute>! Attributes()":
            lambda element: Query(lambda: (XAttribute(name, value) for name, value in element.node.items())),
        "bool HasElements": "(len({0}.node) > 0)",
        "void Add(object content)": "{0}.add({1})",
        "explicit string(XElement element)": lambda element: None if element is None else element.value,
    },
    bases="object",
)  # fmt: skip


class XDocument(XElement):
    """A document: its root."""

    __slots__ = ()
    cs_type: ClassVar[Type] = Type("XDocument")

    def elements(self, name: str | None = None) -> Iterator[XElement]:
        """Yield the root, if it has the name."""
        return (XElement(node) for node in (self.node,) if name is None or node.tag == name)

    def descendants(self, name: str | None = None) -> Iterator[XElement]:
        """Yield the root and everything below."""
        return (XElement(node) for node in self.node.iter() if name is None or node.tag == name)


def parse_document(text: str | None) -> XDocument:
    """Return `XDocument.Parse(text)`."""
    return XDocument(parse_element(text).node)


declare(
    "XDocument",
    "System.Xml.Linq.XDocument",
    {
        **{signature: code for signature, code in _READ.items() if "Value" not in signature},
        "static XDocument! Parse(string text)": parse_document,
        "XElement! Root": lambda document: XElement(document.node),
    },
    bases="object",
)
