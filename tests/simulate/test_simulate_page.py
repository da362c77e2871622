"""The page about simulations: its example runs, its keys are those of a scenario, its links lead somewhere."""

import re
from pathlib import Path

import pytest
import yaml

from sinbin.foundry.limiters import LIMITERS
from sinbin.simulate import loads
from sinbin.simulate import scenario as parts
from sinbin.simulate.cost import TokenPrice, load_prices
from sinbin.simulate.replications import replicate
from sinbin.simulate.scenario_file import parse_scenario

PAGE = Path(__file__).parents[2] / "docs" / "simulate.md"
TEXT = PAGE.read_text("utf-8")
KEYS = {
    field.alias or name
    for part in (vars(parts) | vars(loads)).values()
    if isinstance(part, type) and issubclass(part, (parts.Part, parts.CircuitBreakerSettings, parts.RetrySettings))
    for name, field in part.model_fields.items()
}


def test_the_example_is_a_scenario_that_runs():
    [example] = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
    [result] = replicate([parse_scenario(yaml.safe_load(example), source="page")], runs=1)
    assert result.total["requests"].mean == pytest.approx(1800, rel=0.1)
    assert result.total["success_pct"].mean > 50


def test_every_key_of_a_scenario_is_explained():
    words = set(re.findall(r"[A-Za-z0-9]+", TEXT))
    assert sorted(KEYS - words) == []


def test_every_limiter_is_named():
    assert sorted(name for name in LIMITERS if f"`{name}`" not in TEXT) == []


def test_every_link_leads_to_a_file():
    links = re.findall(r"\]\(([^)#]+)\)", TEXT)
    assert [link for link in links if not (PAGE.parent / link).is_file()] == []
    scenarios = PAGE.parent / "scenarios"
    linked = {PAGE.parent / link for link in links if link.endswith(".yaml")}
    assert linked == set(scenarios.rglob("*.yaml"))


def test_the_price_list_of_the_page_can_be_read(tmp_path):
    [example] = re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)
    path = tmp_path / "prices.json"
    path.write_text(example)
    prices = load_prices(path)
    assert (prices.ptu_hour, prices.ptu_reserved_month, prices.ptu_reserved_year) == (1, 260, 2652)
    assert prices.tokens == {"gpt-4.1-mini": TokenPrice(0.4, 1.6)}
    assert (prices.source, prices.retrieved, prices.ptu_source) == ("our agreement", "2026-11-29", "our agreement")
