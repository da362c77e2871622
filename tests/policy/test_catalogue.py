"""The catalogue is complete, consistent with itself, and read lazily."""

import json
from pathlib import Path

import pytest

from sinbin.policy import catalogue
from sinbin.policy.document import SECTIONS
from sinbin.policy.parser import parse_text
from sinbin.policy.placement import place
from sinbin.policy.suggest import closest

SCOPES = {"global", "workspace", "product", "api", "operation", "resolver"}
GATEWAYS = {"classic", "v2", "consumption", "self-hosted", "workspace"}


def specs(spec):
    yield spec
    for child in spec.children.values():
        yield from specs(child)


@pytest.mark.parametrize("name", sorted(catalogue.names()))
def test_an_entry_says_where_it_is_from_and_holds_together(name):
    policy = catalogue.policy(name)
    assert policy.source.startswith("https://")
    assert policy.retrieved == "2026-11-29"
    assert set(policy.sections) <= set(SECTIONS)
    assert set(policy.scopes) <= SCOPES
    assert policy.scopes
    assert set(policy.gateways) <= GATEWAYS
    assert policy.gateways
    assert policy.once in {None, "section", "document"}
    for spec in specs(policy.element):
        for group in (*spec.exactly_one, *spec.at_least_one, *spec.at_most_one, *spec.together):
            assert set(group) <= set(spec.attributes), (spec.name, group)
        for attribute in spec.attributes.values():
            assert (attribute.type == "enum") == bool(attribute.values), attribute
            assert attribute.type in {"string", "integer", "number", "boolean", "enum"}
            assert not (attribute.required and attribute.default), attribute


def test_the_catalogue_holds_every_policy_of_the_reference():
    assert len(catalogue.names()) == 77
    assert sum(catalogue.policy(name).documented for name in catalogue.names()) == 70


def test_no_key_of_an_entry_is_overlooked():
    known = {
        "policy", "source", "retrieved", "evidence", "sections", "scopes", "gateways", "once", "fragment", "name",
        "attributes", "children", "content", "min", "max", "ordered", "open", "only", "exactly_one", "at_least_one",
        "at_most_one", "together",
    }  # fmt: skip

    def keys(raw):
        yield from raw
        for child in raw.get("children", ()):
            yield from keys(child)

    for path in Path(catalogue.__file__).parent.glob("*.json"):
        raw = json.loads(path.read_text())
        assert raw["policy"] == path.stem
        assert set(keys(raw)) <= known, path


def test_containers_are_looked_through_and_messages_are_not():
    document = parse_text(
        "<policies><inbound><choose><when condition='@(true)'><retry><set-method>GET</set-method></retry></when></choose>"
        "<send-request><set-method>GET</set-method></send-request><set-body><retry/></set-body></inbound></policies>"
    )
    methods = place(document).named("set-method")
    assert [(p.element.position.column, p.policy is not None, p.section) for p in methods] == [
        (61, True, "inbound"),
        (127, False, "inbound"),
    ]
    assert len(place(document).policies("retry")) == 1


def test_children_of_an_unclosed_leaf_follow_it():
    document = parse_text("<policies><backend><base><retry><forward-request></retry><trace/></backend></policies>")
    assert [e.path for e in document.walk()] == [
        "policies",
        "policies/backend",
        "policies/backend/base",
        "policies/backend/retry",
        "policies/backend/retry/forward-request",
        "policies/backend/trace",
    ]


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [
        ("rate-limit-by-keys", "rate-limit-by-key"),
        ("set_variable", "set-variable"),
        ("forwardRequest", "forward-request"),
        ("include-fragments", "include-fragment"),
        ("entirely-else", None),
    ],
)
def test_a_misspelt_name_suggests_the_closest_one(name, suggestion):
    assert closest(name, catalogue.names()) == suggestion
