"""xml-to-json and json-to-xml: change the format of a body."""

from collections.abc import Callable
from typing import ClassVar

from sinbin.gateway.blocks import Step
from sinbin.gateway.compiler import SectionCompiler
from sinbin.gateway.context import Context
from sinbin.gateway.messages import Headers
from sinbin.gateway.reading import Node
from sinbin.gateway.registry import REFERENCE, Policy
from sinbin.gateway.shape import Attribute, Shape
from sinbin.gateway.xml_and_json import to_json, to_xml

_SECTIONS = frozenset({"inbound", "outbound", "on-error"})
_CONSIDER = Attribute("boolean", default=True)


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
        return _step(node, compiler, "xml", "application/json", to_json)


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
        return _step(node, compiler, "json", "application/xml", to_xml)
