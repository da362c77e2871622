"""Tables: rows can be told apart in a narrow terminal, and refusals are explained."""

import io

import pytest
from rich.console import Console

from sinbin.simulate.replications import replicate
from sinbin.simulate.scenario import Region
from sinbin.simulate.tables import print_result, region_labels, stdout_console


def region(location):
    return Region.model_validate(
        {
            "requestsPerMinute": 60,
            "tokensPerMinute": 60_000,
            "latency": {"medianMs": 300, "p95Ms": 300},
            "location": location,
        }
    )


def printed(result):
    console = Console(file=io.StringIO(), width=80)
    print_result(result, console)
    return console.file.getvalue()


def test_a_region_is_its_location_and_the_deployment_where_it_has_several():
    regions = {
        "gpt-4-1-mini-standard-uksouth": region("uksouth"),
        "gpt-4-1-mini-provisionedmanaged-uksouth": region("uksouth"),
        "gpt-4-1-mini-standard-westeurope": region("westeurope"),
    }
    assert region_labels(regions) == {
        "gpt-4-1-mini-standard-uksouth": "uksouth\nstandard",
        "gpt-4-1-mini-provisionedmanaged-uksouth": "uksouth\nprovisionedmanaged",
        "gpt-4-1-mini-standard-westeurope": "westeurope",
    }


def test_regions_that_would_look_alike_keep_their_names():
    regions = {"a": region(None), "b-a": region("a")}
    assert region_labels(regions) == {"a": "a", "b-a": "b-a"}


def test_a_cap_at_the_gateway_is_named_as_what_refused(scenario):
    result = replicate([scenario(rpm=600, gateway={"pool": {"a": {}}, "requestsPerMinute": 60})], runs=1)[0]
    refused = result.unanswered[429]
    assert result.refused_at_gateway == {"limits": refused}
    assert f"│ refused at the gateway  │ limits {refused:.1f} │" in printed(result)


def test_an_emptied_pool_is_named_as_what_refused(scenario):
    result = replicate([scenario(rpm=60, gateway={"pool": {"a": {}}, "circuitBreaker": {"count": 1}})], runs=1)[0]
    assert result.refused_at_gateway == {"pool empty": result.unanswered[503]}
    assert result.as_json()["refused_at_gateway"] == {"pool empty": result.unanswered[503]}


def test_regions_that_refuse_are_no_refusal_of_the_gateway(scenario):
    result = replicate([scenario(rpm=60, gateway={"pool": {"a": {}}})], runs=1)[0]
    assert result.unanswered[429] > 0
    assert result.refused_at_gateway == {}
    assert "refused at the gateway" not in printed(result)


@pytest.mark.parametrize(("columns", "width"), [(None, 110), ("63", 63)])
def test_tables_are_as_wide_as_columns_says(monkeypatch, columns, width):
    monkeypatch.delenv("COLUMNS", raising=False)
    if columns is not None:
        monkeypatch.setenv("COLUMNS", columns)
    assert stdout_console().width == width
