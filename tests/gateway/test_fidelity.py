"""What the fidelity page says is what the code does, and agrees with the policy reference."""

import pytest

from sinbin.gateway.fidelity import attribute_rows, claims, policy_classes
from sinbin.gateway.registry import policies
from sinbin.policy import catalogue


def test_what_is_modelled_names_its_source_and_what_is_assumed_has_none():
    assert [claim for claim in claims() if claim.state == "modelled" and not claim.source] == []
    assert [claim for claim in claims() if claim.state == "assumed" and claim.source] == []
    assert {claim.state for claim in claims()} == {"modelled", "assumed", "differs", "refused"}


def test_every_policy_that_a_gateway_for_models_needs_is_modelled():
    assert sorted(policies()) == sorted(
        [
            "authentication-basic",
            "authentication-managed-identity",
            "azure-openai-emit-token-metric",
            "azure-openai-semantic-cache-lookup",
            "azure-openai-semantic-cache-store",
            "azure-openai-token-limit",
            "cache-lookup",
            "cache-lookup-value",
            "cache-remove-value",
            "cache-store",
            "cache-store-value",
            "check-header",
            "choose",
            "cors",
            "emit-metric",
            "find-and-replace",
            "forward-request",
            "include-fragment",
            "ip-filter",
            "json-to-xml",
            "limit-concurrency",
            "llm-emit-token-metric",
            "llm-semantic-cache-lookup",
            "llm-semantic-cache-store",
            "llm-token-limit",
            "log-to-eventhub",
            "mock-response",
            "quota",
            "quota-by-key",
            "rate-limit",
            "rate-limit-by-key",
            "retry",
            "return-response",
            "rewrite-uri",
            "send-one-way-request",
            "send-request",
            "set-backend-service",
            "set-body",
            "set-header",
            "set-method",
            "set-query-parameter",
            "set-status",
            "set-variable",
            "trace",
            "validate-azure-ad-token",
            "validate-jwt",
            "wait",
            "xml-to-json",
        ]
    )


@pytest.mark.parametrize("name", sorted(policies()))
def test_sections_scopes_and_required_attributes_are_those_of_the_reference(name):
    policy, reference = policies()[name], catalogue.policy(name)
    assert policy.sections == set(reference.sections)
    assert set(policy.scopes) == set(reference.scopes)
    for attribute, spec in reference.element.attributes.items():
        if attribute in policy.shape.attributes:
            assert policy.shape.attributes[attribute].required == spec.required


@pytest.mark.parametrize("policy", policy_classes(), ids=lambda policy: policy.names[0])
def test_everything_that_the_reference_has_is_modelled_or_refused_by_name(policy):
    rows = dict(attribute_rows(policy))
    reference = catalogue.policy(policy.names[0]).element
    assert {name for name in reference.attributes if name != "id"} <= set(rows)
    assert all(state.startswith(("modelled", "refused")) for state in rows.values())
