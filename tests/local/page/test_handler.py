"""What the server of the page answers, and whom it does not."""

import re

import httpx
import pytest

from sinbin.local.gateway.traces import HEADER

CHANGE = {"x-sinbin": "1"}
DOWN = {"kind": "region-down"}


@pytest.fixture
def ask(shown):
    with httpx.Client(base_url=shown.url, trust_env=False) as client:
        yield client.request


def test_the_page_and_all_that_it_loads_come_from_the_package(ask):
    page = ask("GET", "/")
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    loaded = set(re.findall(r'(?:src|href)="(/[^"]+)"', page.text))
    scripts = [path for path in loaded if path.endswith(".js")]
    while scripts:
        text = ask("GET", scripts.pop()).text
        new = set(re.findall(r'from "(/[^"]+)"', text)) - loaded
        loaded |= new
        scripts += new
    kinds = {ask("GET", path).headers["content-type"] for path in loaded}
    assert len(loaded) > 10
    assert kinds == {f"{kind}; charset=utf-8" for kind in ("text/css", "text/javascript", "image/svg+xml")}


def test_nothing_in_the_page_is_loaded_from_elsewhere_or_read_as_markup(ask):
    page = ask("GET", "/").text
    assert "http" not in re.sub(r"<code>.*?</code>", "", page, flags=re.DOTALL)
    assert not re.search(r"<script(?! type=\"module\" src=)|\son\w+=|style=", page)
    for path in re.findall(r'"(/\w+\.js)"', page + ask("GET", "/app.js").text):
        text = ask("GET", path).text
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", text)


def test_every_answer_carries_the_policy_that_confines_the_page(ask):
    for path in ("/", "/state", "/nowhere"):
        headers = ask("GET", path).headers
        policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
        assert policy == {
            "default-src": "'none'",
            "script-src": "'self'",
            "style-src": "'self'",
            "img-src": "'self'",
            "connect-src": "'self'",
            "base-uri": "'none'",
            "form-action": "'none'",
            "frame-ancestors": "'none'",
            "require-trusted-types-for": "'script'",
            "trusted-types": "'none'",
        }
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert not [name for name in headers if name.startswith("access-control")]


def test_the_state_shows_regions_breakers_shares_and_requests_and_no_key(ask, shown):
    ask("GET", "/state")  # somebody looks: from now on requests are traced
    [answer] = shown.ask()
    state = ask("GET", "/state").json()
    assert state["clock"]["speed"] == 10
    assert [region["location"] for region in state["regions"]] == ["swedencentral", "uksouth", "westeurope"]
    [gateway] = state["gateways"]
    behind = {backend["name"]: backend["account"] for backend in gateway["backends"] if backend["breaker"]}
    assert set(behind) == set(gateway["instances"][0]["breakers"])
    assert set(behind.values()) == {region["name"] for region in state["regions"]}
    chat = next(pool for pool in gateway["pools"] if pool["name"] == "pool-chat-default")
    assert [member["share"] for member in chat["members"]] == [0.9, 0.05, 0.05]
    assert sum(member["calls"] for member in chat["members"]) == 1
    assert gateway["consumers"] == ["nightly", "web-chat"]
    [request] = state["traces"]
    assert (request["path"], request["status"], request["got"]) == ("/openai/v1/chat/completions", 200, [200])
    assert HEADER not in answer.headers
    assert shown.key not in str(state)


def test_requests_are_traced_while_somebody_looks_and_not_before(ask, shown):
    shown.ask()
    assert ask("GET", "/state").json()["traces"] == []
    shown.ask()
    [request] = ask("GET", "/state").json()["traces"]
    assert ask("GET", f"/traces/{request['id']}").json()["answer"]["status"] == 200
    assert ask("GET", "/traces/99").status_code == 404


def test_nobody_watches_once_the_page_is_closed(ask, shown, monkeypatch):
    monkeypatch.setattr("sinbin.local.gateway.traces._WATCHED_S", 0.0)
    ask("GET", "/state")
    ask("GET", "/")
    shown.ask()
    assert ask("GET", "/state").json()["traces"] == []


def test_a_fault_is_begun_and_ended(ask, shown):
    path = "/regions/chat-local-uksouth/faults"
    assert ask("POST", path, json=DOWN, headers=CHANGE).status_code == 201
    assert shown.faults()["chat-local-uksouth"] == ["region-down"]
    assert ask("DELETE", path, headers=CHANGE).json() == {"cleared": True}
    assert shown.faults()["chat-local-uksouth"] == []


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {**CHANGE, "origin": "http://evil.example"},
        {**CHANGE, "origin": "null"},
        {**CHANGE, "origin": "http://127.0.0.1:1"},
        {**CHANGE, "sec-fetch-site": "cross-site"},
        {**CHANGE, "sec-fetch-site": "same-site"},
        {**CHANGE, "host": "evil.example"},
        {**CHANGE, "host": "127.0.0.1.evil.example", "origin": "http://127.0.0.1.evil.example"},
    ],
)
def test_another_website_changes_nothing(ask, shown, headers):
    answer = ask("POST", "/regions/chat-local-uksouth/faults", json=DOWN, headers=headers)
    assert answer.status_code == 403
    assert shown.faults()["chat-local-uksouth"] == []


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example:4683"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"host": "localhost"}, 200),
        ({"host": "[::1]:4683"}, 200),
        ({"sec-fetch-site": "cross-site"}, 200),  # a link on another website that leads here
    ],
)
def test_a_name_that_is_made_to_point_here_reads_nothing(ask, headers, status):
    for path in ("/", "/state"):
        assert ask("GET", path, headers=headers).status_code == status


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/../handler.py"), ("GET", "/assets/app.js"), ("POST", "/state"), ("PUT", "/"), ("GET", "/traces/x")],
)
def test_what_is_not_there_is_said_so(ask, method, path):
    answer = ask(method, path, headers=CHANGE)
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/json; charset=utf-8")
