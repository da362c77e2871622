"""One suite for every OpenAI client, through the gateway and directly at a region: see suite.yaml."""

import re
from pathlib import Path

import pytest
import yaml

SUITE = yaml.safe_load(Path(__file__).with_name("suite.yaml").read_text("utf-8"))
BASES = ("dated", "v1", "v1-header")
PLACES = ("region", "gateway")
CLIENTS = (
    "PyPI, synchronous",
    "PyPI, asynchronous",
    pytest.param("npm", marks=[pytest.mark.node, pytest.mark.xdist_group("node")]),
)
RUNS = [
    pytest.param(case, place, base, id=f"{case['name']}-{place}-{base}")
    for case in SUITE
    for place in case.get("places", PLACES)
    for base in case.get("bases", BASES)
]


def matches(expected, found):
    if isinstance(expected, str) and expected.startswith("~"):
        return re.fullmatch(expected[1:], str(found)) is not None
    return expected == found


@pytest.mark.parametrize("client", CLIENTS, indirect=True)
@pytest.mark.parametrize(("case", "place", "base"), RUNS)
def test_the_client_gets_what_it_gets_in_azure(client, places, case, place, base):
    where = places[place]
    given = {
        name: value.format(**where.models) if isinstance(value, str) else value
        for name, value in case.get("with", {}).items()
    }
    if "fault" in case:
        where.fault(**case["fault"])
    order = {
        "url": where.url,
        "key": case.get("key", where.key),
        "base": base,
        "do": case["do"],
        "with": given,
        "retries": case.get("retries", 0),
    }
    try:
        found = client(order)
    finally:
        where.heal()
    assert {
        name: found.get(name) for name, value in case["expect"].items() if not matches(value, found.get(name))
    } == {}


def test_every_case_says_what_is_expected():
    assert [case["name"] for case in SUITE if not case["expect"]] == []
    assert len({case["name"] for case in SUITE}) == len(SUITE)
