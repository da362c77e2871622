"""xml-to-json and json-to-xml: change the format of a body."""

import json
from collections.abc import Callable
from typing import Any, ClassVar
from xml.etree.ElementTree import Element, ParseError, SubElement, tostring

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from sinbin.gateway.blocks import Step
from sinbin.gateway.compiler import SectionCompiler
from sinbin.gateway.context import Context
from sinbin.gateway.failures import PolicyFailure
from sinbin.gateway.messages import Headers
from sinbin.gateway.reading import Node
from sinbin.gateway.registry import REFERENCE, Policy
from sinbin.gateway.shape import Attribute, Shape

_SECTIONS = frozenset({"inbound", "outbound", "on-error"})
_CONSIDER = Attribute("boolean", default=True)


def xml_to_value(element: Element) -> Any:
    """Return an element as Json.NET writes it: `@` before attributes, `#text` beside them, repeats as arrays."""
    children = list(element)
    text = (element.text or "").strip()
    if not element.attrib and not children:
        return text or None
    value: dict[str, Any] = {f"@{name}": content for name, content in element.attrib.items()}
    if text:
        value["#text"] = text
    for child in children:
        inner = xml_to_value(child)
        if child.tag not in value:
            value[child.tag] = inner
        elif isinstance(value[child.tag], list):
            value[child.tag].append(inner)
        else:
            value[child.tag] = [value[child.tag], inner]
    return value


def value_to_xml(value: Any, parent: Element) -> None:
    """Add a JSON value to `parent` the way Json.NET reads it back."""
    if not isinstance(value, dict):
        parent.text = "" if value is None else value if isinstance(value, str) else json.dumps(value)
        return
    for name, inner in value.items():
        if name.startswith("@"):
            parent.set(name[1:], inner if isinstance(inner, str) else json.dumps(inner))
        elif name == "#text":
            parent.text = str(inner)
        else:
            for one in inner if isinstance(inner, list) else [inner]:
                value_to_xml(one, SubElement(parent, name))


def _to_json(body: bytes) -> bytes:
    try:
        root = fromstring(body.decode())
    except (ParseError, DefusedXmlException, UnicodeDecodeError) as error:
        raise PolicyFailure("XmlNotValid", f"the body is no XML document: {error}") from error
    return json.dumps({root.tag: xml_to_value(root)}, separators=(",", ":"), ensure_ascii=False).encode()


def _to_xml(body: bytes) -> bytes:
    try:
        value = json.loads(body)
    except ValueError as error:
        raise PolicyFailure("JsonNotValid", f"the body is no JSON text: {error}") from error
    root = Element("Document")
    value_to_xml(value, root)
    return tostring(root)


def _step(
    node: Node, compiler: SectionCompiler, media: str, target: str, convert: Callable[[bytes], bytes]
) -> Step:
    section = compiler.name
    compiler.loader.reads_reply |= section != "inbound"
    apply, consider = node.value("apply"), node.value("consider-accept-header")

    def wanted(context: Context, headers: Headers) -> bool:
        if apply.read(context) != "always" and media not in (headers.get("Content-Type") or ""):
            return False
        accept = context.original.headers.get("Accept")
        if section == "inbound" or accept is None or not consider.read(context):
            return True
        return target in accept or "*/*" in accept

    def run(context: Context) -> None:
        message = context.request if section == "inbound" else context.response
        if message is None or not message.body:
            return
        headers = context.writable_headers() if section == "inbound" else message.headers
        if not wanted(context, headers):
            return
        assert isinstance(message.body, bytes)
        message.body = convert(message.body)
        headers.set("Content-Type", target)
        headers.remove("Content-Length")

    return Step(plain=run)


class XmlToJson(Policy):
    """Converts an XML body to JSON."""

    names: ClassVar = ("xml-to-json",)
    sections = _SECTIONS
    shape = Shape(
        attributes={
            "kind": Attribute(
                "text", required=True, choices=("direct",), note="The javascript-friendly form is refused."
            ),
            "apply": Attribute("text", required=True, choices=("always", "content-type-xml")),
            "consider-accept-header": _CONSIDER,
        },
        refused={"always-array-child-elements": "its form is not documented well enough"},
    )
    source = REFERENCE.format("xml-to-json")
    assumed = ("The form is that of Json.NET: @ before attributes, #text beside them.",)
    differs = ("Namespaces stay in the {uri}name form of the parser.",)

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:
        """Return the step that converts."""
        return _step(node, compiler, "xml", "application/json", _to_json)


class JsonToXml(Policy):
    """Converts a JSON body to XML, with a root element called Document."""

    names: ClassVar = ("json-to-xml",)
    sections = _SECTIONS
    shape = Shape(
        attributes={
            "apply": Attribute("text", required=True, choices=("always", "content-type-json")),
            "consider-accept-header": _CONSIDER,
            "parse-date": Attribute("boolean", default=True, note="Dates stay as they are written."),
        },
        refused=dict.fromkeys(
            ("namespace-separator", "namespace-prefix", "attribute-block-name"), "namespaces are not written"
        ),
    )
    source = REFERENCE.format("json-to-xml")
    assumed = ("The root element is called Document.",)

    @classmethod
    def compile(cls, node: Node, compiler: SectionCompiler) -> Step:
        """Return the step that converts."""
        return _step(node, compiler, "json", "application/xml", _to_xml)
