"""The text of a policy as API Management takes it: read, judged, its references resolved, and given back.

Only what Azure refuses when a policy is saved is refused here; what merely goes wrong later is for the linter.

Source of the wording: refusals quoted in https://github.com/Azure/apiops/issues/37 and
https://github.com/hashicorp/terraform-provider-azurerm/issues/7288, read 2026-11-29; where no refusal was found,
assumed in the same form.
"""

from collections.abc import Iterator

from defusedxml import ElementTree
from defusedxml.common import DefusedXmlException

from sinbin.local.control_plane.entity import SERVICES, service_of
from sinbin.local.control_plane.errors import validation_error
from sinbin.local.control_plane.policy_faults import attribute_faults, expression_faults, in_element
from sinbin.local.control_plane.resource import Scene
from sinbin.policy import catalogue
from sinbin.policy.document import SECTIONS, Document, DocumentKind
from sinbin.policy.nodes import Element, Node
from sinbin.policy.parser import parse_text
from sinbin.policy.placement import Placed, place

POLICY_TYPES = (
    f"{SERVICES}/policies",
    f"{SERVICES}/apis/policies",
    f"{SERVICES}/apis/operations/policies",
    f"{SERVICES}/products/policies",
    f"{SERVICES}/policyFragments",
)


def read(text: str, form: str) -> Document:
    """Return the document in `text`.

    Raises:
        ArmError: the text is no policy, or not well-formed where `form` is `xml`.
    """
    if form not in {"xml", "rawxml"}:
        raise validation_error("format", f"The format '{form}' is not modelled; send the text as xml or rawxml")
    if form == "xml":
        try:
            ElementTree.fromstring(text, forbid_dtd=True)
        except (ElementTree.ParseError, DefusedXmlException, ValueError) as error:
            raise validation_error("representation", f"The XML is not well-formed: {error}") from error
    document = parse_text(text)
    if document.problems:
        raise validation_error(
            "representation",
            "\n".join(f"{problem.message} {_at(document, problem.start)}" for problem in document.problems),
        )
    return document


def check(scene: Scene, entity_id: str, text: str, form: str, scope: str) -> None:
    """Refuse a policy that Azure refuses to save.

    Args:
        scene: where the backends, fragments and named values are looked up.
        entity_id: the id of the policy or fragment.
        text: what it says.
        form: `xml` or `rawxml`.
        scope: global, product, api, operation or fragment.

    Raises:
        ArmError: every reason at once.
    """
    document = read(text, form)
    service = service_of(entity_id)
    reasons = [
        *_structure(document, scope),
        *_references(scene, service, document),
        *attribute_faults(document),
        *expression_faults(document),
    ]
    if reasons:
        raise validation_error("representation", "\n".join(reasons))


def users(scene: Scene, service: str, kind: str, name: str) -> list[str]:
    """Return the ids of the policies that name the backend, fragment or named value `name`."""
    found = []
    for record in scene.store.select(under=service):
        if record.type in POLICY_TYPES:
            document = parse_text(record.properties["value"])
            if any(k == kind and n.lower() == name.lower() for k, n, _ in references(document)):
                found.append(record.id)
    return found


def references(document: Document) -> Iterator[tuple[str, str, Node]]:
    """Yield what a policy names: (`backends`, `policyFragments` or `namedValues`; the name; where)."""
    for element in document.walk():
        for owner, attribute, kind in (
            ("set-backend-service", "backend-id", "backends"),
            ("include-fragment", "fragment-id", "policyFragments"),
        ):
            if element.name == owner and (name := element.literal(attribute)) is not None:
                yield kind, name, element
        for valued in element.valued():
            if element.get("template") != "liquid":  # Liquid has the same brackets, and they are its own
                for reference in valued.named_values():
                    yield "namedValues", reference.name, valued


def convert(text: str, written: str, wanted: str) -> str:
    """Return the policy `text`, written as `written`, in the form `wanted`, with line ends as Azure gives them.

    Source: https://github.com/Azure/azure-rest-api-specs/issues/21835, read 2026-11-29.
    """
    if written != wanted:
        document = parse_text(text)
        pieces, at = [], 0
        spots = sorted(
            (
                (expression, valued)
                for element in document.walk()
                for valued in element.valued()
                for expression in valued.expressions
            ),
            key=lambda spot: spot[0].start,
        )
        for expression, _ in spots:
            code = expression.code if wanted == "rawxml" else _escape(expression.code)
            opening, closing = ("@{", "}") if expression.block else ("@(", ")")
            pieces += [text[at : expression.start], opening, code, closing]
            at = expression.end
        text = "".join([*pieces, text[at:]])
    return "\r\n".join(text.splitlines())


def _structure(document: Document, scope: str) -> Iterator[str]:
    expected = DocumentKind.FRAGMENT if scope == "fragment" else DocumentKind.POLICIES
    if document.kind is not expected or len(document.elements) != 1:
        yield f"The root element must be a single '{expected}'"
        return
    root = document.elements[0]
    if scope != "fragment":
        yield from _sections(root)
    for placed in place(document).all:
        yield from _placed(placed, scope)


def _sections(root: Element) -> Iterator[str]:
    seen: set[str] = set()
    for section in root.elements:
        if section.name not in SECTIONS:
            yield in_element(section, "it is no section; sections are " + ", ".join(SECTIONS))
        elif section.name in seen:
            yield in_element(section, "the section is there twice")
        seen.add(section.name)
        if section.name == "backend" and len(section.elements) > 1:
            yield in_element(section.elements[1], "only one policy is allowed in the 'backend' section")


def _placed(placed: Placed, scope: str) -> Iterator[str]:
    element = placed.element
    if scope == "fragment" and element.name in {"base", "include-fragment"}:
        yield in_element(element, "it is not allowed in a policy fragment")
    if placed.spec is None and placed.around is not None and placed.around.holds_policies:
        yield in_element(element, "there is no policy of that name")
    spec = catalogue.policy(element.name) if placed.policy is not None else None
    if spec is None:
        return
    if scope != "fragment" and scope not in spec.scopes:
        yield in_element(element, "Policy is not allowed in the specified scope")
    if placed.section is not None and placed.section not in spec.sections:
        yield in_element(element, "Policy is not allowed in the specified section")


def _references(scene: Scene, service: str, document: Document) -> Iterator[str]:
    names = {
        record.properties["displayName"].lower()
        for record in scene.store.select(f"{SERVICES}/namedValues", parent=service)
    }
    for kind, name, where in references(document):
        if kind == "namedValues":
            if name.lower() not in names:
                yield f"Cannot find a property '{name}' {_at(document, where.start)}"
        elif scene.record(f"{service}/{kind}/{name}") is None and isinstance(where, Element):
            noun = "Backend" if kind == "backends" else "Policy fragment"
            yield in_element(where, f"{noun} with id '{name}' could not be found")


def _at(document: Document, offset: int) -> str:
    position = document.position(offset)
    return f"on line {position.line}, column {position.column}."


def _escape(code: str) -> str:
    return code.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
