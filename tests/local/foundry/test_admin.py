"""What one can ask of the regions, and who may not."""

import httpx
import pytest

from sinbin.local.foundry.admin import AdminHandler
from sinbin.local.http.server import HttpServer
from sinbin.local.ports import bind
from tests.local.foundry.running import make_account


@pytest.fixture
def ask(regions):
    """Ask the server beside the regions; changing calls carry the header unless told otherwise."""
    regions.apply(make_account(), make_account("ai-weu", "westeurope"))
    server, listener = HttpServer(AdminHandler(regions.servers, regions.clock)), bind(0)
    regions.thread.call(server.start(listener))
    base = f"http://127.0.0.1:{listener.getsockname()[1]}"
    with httpx.Client(base_url=base, headers={"x-sinbin": "1"}, trust_env=False) as client:
        yield client.request
    regions.thread.call(server.stop(0.1))


def said(answer):
    return answer.status_code, answer.json()["error"]["message"]


def test_regions_are_described_with_address_gauges_and_faults(ask, regions):
    ask("POST", "/regions/ai-weu/faults", json={"kind": "quota", "quotaShare": 0.5})
    first, second = ask("GET", "/regions").json()["regions"]
    assert first == {
        "name": "ai-uksouth",
        "location": "uksouth",
        "url": regions.servers.url("ai-uksouth"),
        "localAuth": True,
        "deployments": [
            {
                "name": "chat",
                "model": "gpt-4.1-mini",
                "sku": "Standard",
                "capacity": 1000,
                "gauges": [
                    {"limit": "requests", "used": 0.0, "of": 1000.0, "windowS": 60.0},
                    {"limit": "tokens", "used": 0.0, "of": 1000000.0, "windowS": 60.0},
                ],
            },
            {
                "name": "embed",
                "model": "text-embedding-3-small",
                "sku": "Standard",
                "capacity": 1000,
                "gauges": [
                    {"limit": "requests", "used": 0.0, "of": 6000.0, "windowS": 60.0},
                    {"limit": "tokens", "used": 0.0, "of": 1000000.0, "windowS": 60.0},
                ],
            },
        ],
        "faults": [],
    }
    assert second["deployments"][0]["gauges"][0]["of"] == 500
    assert [fault["kind"] for fault in second["faults"]] == ["quota"]


def test_faults_are_cleared_one_or_all(ask):
    for kind in ("dns", "tls", "region-down"):
        ask("POST", "/regions/ai-weu/faults", json={"kind": kind})
    assert ask("DELETE", "/regions/ai-weu/faults/2").json() == {"cleared": True}
    assert ask("DELETE", "/regions/ai-weu/faults/2").json() == {"cleared": False}
    assert [fault["number"] for fault in ask("GET", "/regions").json()["regions"][1]["faults"]] == [1, 3]
    assert ask("DELETE", "/regions/ai-weu/faults").json() == {"cleared": True}
    assert ask("GET", "/regions").json()["regions"][1]["faults"] == []


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"{", "the body is no JSON"),
        (b"[]", "the body is no JSON object"),
        (b'{"kind": "status"}', "fault: status needs status"),
        (
            b'{"kind": "dns", "deployment": "nobody"}',
            'fault.deployment: there is no deployment "nobody"; there are: chat, embed',
        ),
    ],
)
def test_a_fault_that_makes_no_sense_is_refused(ask, body, message):
    assert said(ask("POST", "/regions/ai-weu/faults", content=body)) == (400, message)


def test_what_is_not_there_is_not_found(ask):
    assert said(ask("GET", "/nothing")) == (404, "there is no GET /nothing")
    assert said(ask("POST", "/regions/mars/faults", json={"kind": "dns"})) == (
        404,
        'there is no region "mars"; there are: ai-uksouth, ai-weu',
    )


def test_a_page_of_a_website_cannot_break_a_region(ask):
    """A browser sends neither the header across origins nor a loopback host for a name that points here."""
    url, fault = "/regions/ai-weu/faults", {"kind": "dns"}
    assert said(ask("POST", url, json=fault, headers={"host": "evil.test"})) == (
        403,
        "this is for callers on this machine",
    )
    bare = httpx.post(str(ask("GET", "/regions").url.join(url)), json=fault, trust_env=False)
    assert said(bare) == (403, "a call that changes something needs the header x-sinbin")
    assert ask("GET", "/regions").json()["regions"][1]["faults"] == []


def test_a_region_is_known_by_its_location_where_it_is_alone_there(ask, regions):
    assert ask("POST", "/regions/westeurope/faults", json={"kind": "dns"}).status_code == 201
    first, second = ask("GET", "/regions").json()["regions"]
    assert ([fault["kind"] for fault in first["faults"]], [fault["kind"] for fault in second["faults"]]) == (
        [],
        ["dns"],
    )
    regions.apply(make_account(), make_account("ai-weu", "westeurope"), make_account("ai-weu-2", "westeurope"))
    assert said(ask("POST", "/regions/westeurope/faults", json={"kind": "dns"})) == (
        404,
        'several regions are in "westeurope"; name one: ai-weu, ai-weu-2',
    )
