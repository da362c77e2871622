"""XML as JSON and back, the way Json.NET does it; entities are never expanded."""

import json
from typing import Any
from xml.etree.ElementTree import Element, ParseError, SubElement, tostring

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from sinbin.gateway.failures import PolicyFailure


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


def to_json(body: bytes) -> bytes:
    """Return the XML document in `body` as JSON.

    Raises:
        PolicyFailure: it is no XML document, or has a document type with entities.
    """
    try:
        root = fromstring(body.decode())
    except (ParseError, DefusedXmlException, UnicodeDecodeError) as error:
        raise PolicyFailure("XmlNotValid", f"the body is no XML document: {error}") from error
    return json.dumps({root.tag: xml_to_value(root)}, separators=(",", ":"), ensure_ascii=False).encode()


def to_xml(body: bytes) -> bytes:
    """Return the JSON text in `body` as XML.

    Raises:
        PolicyFailure: it is no JSON text.
    """
    try:
        value = json.loads(body)
    except ValueError as error:
        raise PolicyFailure("JsonNotValid", f"the body is no JSON text: {error}") from error
    root = Element("Document")
    value_to_xml(value, root)
    return tostring(root)
