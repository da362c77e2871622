"""Tables: rows can be told apart in a narrow terminal, and refusals are explained."""

import io
import math

import pytest
from rich.console import Console

from sinbin.simulate.replications import replicate
from sinbin.simulate.results import Figure, figure
from sinbin.simulate.scenario import Region
from sinbin.simulate.tables import print_result, region_labels, show, stdout_console


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
    console = Console(file=io.StringIO(), width=120)
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


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (Figure(100, 100, 100), "%", "100.0 %"),
        (Figure(99.97, 99.95, 99.99), "%", "99.97 ± 0.02 %"),
        (Figure(99.9996, 99.9996, 99.9996), "%", "99.99 %"),
        (Figure(99.97, 99.8, 100), "%", "99.97 (≥ 99.80) %"),
        (Figure(98.96, 98.9, 99.02), "%", "99.0 ± 0.1 %"),
        (Figure(0.5, 0, 2), "", "0.50 (≤ 2.00)"),
        (Figure(math.nan, math.nan, math.nan), "ms", "-"),
    ],
)
def test_a_figure_promises_no_more_than_is_known(value, unit, text):
    assert show(value, unit) == text


def test_an_interval_ends_where_the_values_end():
    wide = figure([0, 0, 3], 0)
    assert (wide.mean, wide.low) == (1, 0)
    assert wide.high == pytest.approx(1 + 4.303 * 3**0.5 / 3**0.5, rel=1e-3)
    nearly = figure([100, 100, 97], 0, 100)
    assert (nearly.mean, nearly.high) == (99, 100)
    assert figure([0, 0, 3]).low < 0


def test_lost_requests_faults_and_sit_outs_stand_in_the_tables(scenario):
    lost = scenario(
        regions=("a", "b"),
        rpm=600,
        load={"kind": "steady", "requestsPerSecond": 2, "durationSeconds": 60},
        gateway={"pool": {"a": {"priority": 1}, "b": {"priority": 2}}, "circuitBreaker": {"count": 1}},
        faults=[{"kind": "outage", "region": "a", "fromSeconds": 0, "toSeconds": 999}],
    )
    [result] = replicate([lost], runs=1)
    failed, trips = result.total["failed_calls"].mean, result.total["sit_outs"].mean
    assert failed == trips == result.unanswered[503] == result.merged.regions["a"].sit_outs
    assert result.by_region["a"]["sit_outs"].mean == trips
    text = printed(result)
    assert text.splitlines()[0].rstrip() == "test: 1 run"
    rows = {
        line.split("│")[1].strip(): line.split("│")[2:-1] for line in text.splitlines() if line.startswith("│")
    }
    assert [cell.strip() for cell in rows["failed calls"]] == [f"{failed:.2f}"]
    assert [cell.strip() for cell in rows["sit-outs"]] == [f"{trips:.2f}"]
    heading = next(line for line in text.splitlines() if "┃ region" in line)
    assert [cell.strip() for cell in heading.split("┃")[1:-1]] == [
        *("region", "req/s", "calls", "refused", "failed", "sit-outs", "median ms", "p95 ms", "cost USD"),
    ]
    assert [cell.strip() for cell in rows["a"][1:5]] == [f"{failed:.2f}", "0.00", f"{failed:.2f}", f"{trips:.2f}"]


def test_it_is_said_whose_requests_the_gateway_refused(scenario):
    mix = [{"name": "web", "share": 3}, {"name": "night", "share": 1}]
    load = {"kind": "steady", "requestsPerSecond": 2, "durationSeconds": 120, "mix": mix}
    [result] = replicate(
        [scenario(rpm=600, load=load, gateway={"pool": {"a": {}}, "requestsPerMinute": 60})], runs=1
    )
    refused = {name: reasons["limits"] for name, reasons in result.refused_by_consumer.items()}
    assert sum(refused.values()) == result.refused_at_gateway["limits"]
    assert refused == {name: sum(kind.unanswered.values()) for name, kind in result.merged.kinds.items()}
    lines = [line.split("│")[1:-1] for line in printed(result).splitlines() if "limits" in line]
    assert [[cell.strip() for cell in line] for line in lines] == [
        ["refused at the gateway", f"web: limits {refused['web']:.1f}"],
        ["", f"night: limits {refused['night']:.1f}"],
    ]


@pytest.mark.parametrize(("columns", "width"), [(None, 1000), ("63", 63)])
def test_tables_are_as_wide_as_columns_says(monkeypatch, columns, width):
    monkeypatch.delenv("COLUMNS", raising=False)
    if columns is not None:
        monkeypatch.setenv("COLUMNS", columns)
    assert stdout_console().width == width
