"""Facts about models, and the rateLimits that ARM shows for a deployment."""

import pytest

from sinbin.foundry.models import UnknownModelError, known_models, model_facts, ptu_to_buy, rate_limits


@pytest.mark.parametrize(
    ("model", "sku", "capacity", "requests", "tokens"),
    [
        ("gpt-35-turbo", "Standard", 60, 60, 60_000),
        ("gpt-35-turbo", "Standard", 80, 80, 80_000),
        ("gpt-4o", "GlobalStandard", 450, 450, 450_000),
        ("gpt-4.1-mini", "Standard", 60, 10, 60_000),
        ("gpt-4.1-mini", "Standard", 10, 2, 10_000),
        ("o1", "GlobalStandard", 10, 2, 60_000),
        ("o3-mini", "GlobalStandard", 60, 10, 600_000),
        ("text-embedding-ada-002", "Standard", 1, 2, 1_000),
    ],
)
def test_rate_limits_count_requests_per_ten_seconds_and_tokens_per_minute(model, sku, capacity, requests, tokens):
    assert rate_limits(model, sku, capacity) == [
        {"key": "request", "renewalPeriod": 10, "count": requests},
        {"key": "token", "renewalPeriod": 60, "count": tokens},
    ]


def test_a_provisioned_deployment_lists_requests_only():
    assert rate_limits("gpt-4o-mini", "GlobalProvisionedManaged", 100) == [
        {"key": "request", "renewalPeriod": 10, "count": 300}
    ]


def test_every_model_has_facts_that_go_together():
    for name in known_models():
        facts = model_facts(name)
        assert facts.requests_per_unit > 0
        assert facts.tokens_per_unit > 0
        assert facts.context_tokens >= facts.max_output_tokens
        assert ("embeddings" in facts.operations) == (facts.embedding_dimensions > 0)
        assert any("Provisioned" in sku for sku in facts.skus) == (facts.input_tokens_per_ptu is not None), name


def test_a_reply_names_the_model_with_its_version():
    assert model_facts("gpt-4.1-mini").full_name == "gpt-4.1-mini-2025-04-14"
    assert model_facts("text-embedding-3-small").full_name == "text-embedding-3-small"


def test_an_unknown_model_is_refused_with_the_known_ones():
    with pytest.raises(UnknownModelError) as caught:
        model_facts("gpt-2")
    assert str(caught.value) == (
        f'model "gpt-2": sinbin knows no facts about it; it knows {", ".join(known_models())}'
    )


@pytest.mark.parametrize(
    ("model", "units", "regional", "bought"),
    [
        ("gpt-4.1-mini", 0.2, False, 15),
        ("gpt-4.1-mini", 15, False, 15),
        ("gpt-4.1-mini", 15.1, False, 20),
        ("gpt-4.1-mini", 26, True, 50),
        ("gpt-4.1", 51, True, 100),
        ("o1", 26, True, 75),
    ],
)
def test_units_are_bought_from_the_minimum_on_in_steps(model, units, regional, bought):
    assert ptu_to_buy(model, units, regional=regional) == bought


def test_every_model_that_is_offered_provisioned_has_a_minimum_a_step_and_an_aim():
    offered = {name for name in known_models() if any("Provisioned" in sku for sku in model_facts(name).skus)}
    facts = [model_facts(name) for name in offered]
    assert all(one.input_tokens_per_ptu and one.tokens_per_second for one in facts)
    assert {(one.ptu_minimum, one.ptu_step) for one in facts} == {(15, 5)}
    assert {one.regional_ptu_minimum for one in facts} == {25, 50}
