"""What API Management refuses inside an element when a policy is saved: its attributes, C# that does not compile.

Sources, read 2026-11-30: what an element may hold, https://github.com/microsoft/vscode-apimanagement/issues/145;
C#, in the words of its compiler, https://github.com/Azure/azure-api-management-devops-resource-kit/issues/350; a
type that is not allowed, https://github.com/Azure-Samples/Apim-Samples. That types which do not fit are found too
is assumed: the reference speaks of limited verification.
"""

from collections.abc import Iterator

from sinbin.csharp.compiler import problems_of
from sinbin.csharp.parse import parse_expression
from sinbin.policy.attribute_value import wrong_value
from sinbin.policy.document import Document
from sinbin.policy.nodes import Element
from sinbin.policy.placement import place

_REFUSED_BY_AZURE = frozenset({"syntax", "type-not-allowed", "member-not-allowed", "type-error"})
"""Reasons of the compiler that are Azure's as well; what is merely not modelled here is the gateway's to tell."""


def in_element(element: Element, reason: str) -> str:
    """Return `reason` with its place, in Azure's words."""
    position = element.position
    return f"Error in element '{element.name}' on line {position.line}, column {position.column}: {reason}."


def attribute_faults(document: Document) -> Iterator[str]:
    """Yield which attributes are missing, and which have a value that they cannot have."""
    for placed in place(document).all:
        spec = placed.spec
        if spec is None or spec.open:
            continue
        element = placed.element
        present = {attribute.name for attribute in element.attributes}
        for name, known in spec.attributes.items():
            if known.required and known.documented and name not in present:
                yield in_element(element, f"Required attribute '{name}' is missing")
        for attribute in element.attributes:
            known_here = spec.attributes.get(attribute.name)
            expected = wrong_value(known_here, attribute) if known_here is not None else None
            if expected:
                yield in_element(
                    element,
                    f"The value '{attribute.value}' of '{attribute.name}' is not valid; expected {expected}",
                )


def expression_faults(document: Document) -> Iterator[str]:
    """Yield why expressions do not compile; one with a named value in it is not known before it is filled in."""
    for element in document.walk():
        if element.get("template") == "liquid":
            continue
        for valued in element.valued():
            for expression in valued.expressions:
                if "{{" in expression.code:
                    continue
                parsed = parse_expression(expression.code, "block" if expression.block else "expression")
                for problem in problems_of(parsed):
                    if problem.reason in _REFUSED_BY_AZURE:
                        at = expression.position(problem.start)
                        yield in_element(element, f"{problem.message} (line {at.line}, column {at.column})")
