"""`<base />` and fragments are replaced in place, and every step knows where it was written."""

from sinbin.policy.effective import expand
from sinbin.policy.parser import parse_text


def policies(path, **sections):
    body = "".join(
        f"<{name.replace('_', '-')}>{text}</{name.replace('_', '-')}>" for name, text in sections.items()
    )
    return parse_text(f"<policies>{body}</policies>", path)


def outline(steps):
    return [
        (step.name, step.scope, step.element.source.path, *([outline(step.children)] if step.children else []))
        for step in steps
    ]


def test_base_is_replaced_in_place_from_the_narrowest_scope_up():
    effective = expand(
        {
            "global": policies("global.xml", inbound="<trace/>"),
            "product": policies("product.xml", inbound="<quota/><base/>"),
            "operation": policies("operation.xml", inbound="<set-header/><base/><set-body/>"),
        },
        {},
    )
    assert outline(effective.sections["inbound"]) == [
        ("set-header", "operation", "operation.xml"),
        ("quota", "product", "product.xml"),
        ("trace", "global", "global.xml"),
        ("set-body", "operation", "operation.xml"),
    ]


def test_without_base_all_broader_scopes_are_lost_in_that_section_only():
    effective = expand(
        {
            "global": policies("g", inbound="<trace/>", outbound="<trace/>"),
            "product": policies("p", inbound="<base/>", outbound="<base/>"),
            "api": policies("a", inbound="", outbound="<base/>"),
        },
        {},
    )
    assert outline(effective.sections["inbound"]) == []
    assert outline(effective.sections["outbound"]) == [("trace", "global", "g")]


def test_a_left_out_section_inherits_unless_told_otherwise():
    documents = {"global": policies("g", backend="<forward-request/>"), "api": policies("a", inbound="")}
    assert outline(expand(documents, {}).sections["backend"]) == [("forward-request", "global", "g")]
    assert outline(expand(documents, {}, missing_section="empty").sections["backend"]) == []


def test_base_inside_a_container_is_replaced_there():
    effective = expand(
        {
            "global": policies("g", backend="<forward-request/>"),
            "api": policies("a", backend="<retry><base/></retry>"),
        },
        {},
    )
    assert outline(effective.sections["backend"]) == [("retry", "api", "a", [("forward-request", "global", "g")])]


def test_a_fragment_is_put_in_and_its_steps_know_the_way():
    fragment = parse_text("<fragment><choose><when><trace/></when></choose></fragment>", "f")
    effective = expand({"api": policies("a", inbound='<include-fragment fragment-id="f"/>')}, {"f": fragment})
    assert outline(effective.sections["inbound"]) == [
        ("choose", "api", "f", [("when", "api", "f", [("trace", "api", "f")])])
    ]
    trace = next(step for step in effective.walk() if step.name == "trace")
    assert [include.get("fragment-id") for include in trace.through] == ["f"]
    assert effective.missing_fragments == ()


def test_an_unknown_and_a_nested_fragment_stay_as_they_are():
    fragment = parse_text('<fragment><include-fragment fragment-id="f"/></fragment>', "f")
    document = policies("a", inbound='<include-fragment fragment-id="f"/><include-fragment fragment-id="g"/>')
    effective = expand({"api": document}, {"f": fragment})
    assert [(e.source.path, e.get("fragment-id")) for e in effective.missing_fragments] == [("f", "f"), ("a", "g")]
    assert [step.name for step in effective.walk()] == ["include-fragment", "include-fragment"]


def test_repeated_bases_cannot_blow_up_the_policy():
    bases = policies("b", inbound="<base/>" * 1000)
    effective = expand(
        {"global": policies("g", inbound="<trace/>"), "product": bases, "api": bases, "operation": bases}, {}
    )
    assert not effective.complete
    assert sum(1 for _ in effective.walk("inbound")) <= 21_000
