"""The page in a real browser: what a person sees, and does with the keyboard alone."""

import http.server
import socket
import threading

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.local.foundry.running import make_account
from tests.local.gateway.stub import Stub, answer
from tests.local.page.browser import Browser

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
UKSOUTH = "chat-local-uksouth"
HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"


@pytest.fixture(scope="module")
def window():
    browser = Browser()
    yield browser
    browser.close()


@pytest.fixture
def browser(window, show):
    """A window whose console has nothing to complain about in the end, which is before `show` ends."""
    del show
    window.complaints()
    yield window
    window.driver.get("about:blank")
    assert window.complaints() == []


def region(browser, name):
    return browser.until(
        lambda: (
            next(one for one in browser.all("article.region") if one.accessible_name == name)
            if len(browser.all("article.region")) == 3
            else None
        )
    )


def value(meter):
    return float(meter.get_attribute("aria-valuenow"))


def test_it_shows_what_is_deployed(browser, shown):
    browser.open(shown.url)
    regions = [region(browser, name) for name in ("swedencentral", "uksouth", "westeurope")]
    assert all("in play" in one.text and "gpt-4.1-mini" in one.text for one in regions)
    assert "apim on " + shown.azure.url in browser.one_text("header")
    assert "time runs 10 times faster" in browser.one_text("header")
    assert browser.one_text("#link") == "● live"
    pool = browser.one(".pool", "pool-chat-default").text
    assert "configured 90 %" in pool
    assert "no calls" in pool
    assert "sinbin local key nightly" in browser.one_text("#example")


def test_before_a_deployment_it_says_what_to_do(browser, show):
    browser.open(show(topology=None).url)
    assert "pulumi up -s local" in browser.one("#regions-empty", "No region").text
    assert "nothing is deployed" in browser.one_text("header")


def test_a_bucket_fills_with_traffic_and_empties_again(browser, show):
    shown = show(speed=1)
    browser.open(shown.url)
    meter = region(browser, "uksouth").find_element(By.CSS_SELECTOR, '[aria-label^="requests of gpt-4-1-mini"]')
    assert value(meter) == 0
    shown.ask(5)
    most = browser.until(lambda: value(meter))
    assert f"{round(most)} of 60" in region(browser, "uksouth").text or value(meter) != most
    browser.until(lambda: value(meter) < most)


def test_the_shares_that_routing_really_had_stand_beside_the_configured_ones(browser, show):
    shown = show(speed=1)
    browser.open(shown.url)
    shown.ask(4)
    pool = browser.one(".pool", "4 calls")
    shares = [int(one.text.split()[0]) for one in pool.find_elements(By.CSS_SELECTOR, ".figure")]
    assert sum(shares) == 100
    assert "configured 90 %" in pool.text


def test_who_sits_out_is_shown_with_the_time_that_is_left(browser, shown):
    browser.open(shown.url)
    region(browser, "uksouth")
    for name in ("chat-local-uksouth", "chat-local-swedencentral", "chat-local-westeurope"):
        shown.fault(name, kind="status", status=429, retryAfterS=200, calls=1)
    shown.ask()

    def left():
        minutes, seconds = browser.one(".region[data-state=out] .yellow-card").text.split(":")
        return int(minutes) * 60 + int(seconds)

    first = left()
    assert 100 < first <= 200
    assert "in the sin bin" in browser.one(".region[data-state=out]").text
    assert "sits out for 3:" in browser.one("#news", "sits out").text
    browser.until(lambda: left() < first)
    assert browser.one("#news").get_attribute("aria-live") == "polite"


def test_a_fault_begun_with_the_keyboard_alone_hits_a_real_request(browser, shown):
    browser.open(shown.url)
    region(browser, "uksouth")
    browser.tab_to("Make it fail … (uksouth)")
    browser.press(Keys.ENTER)
    browser.one("dialog[open] h2", "Make uksouth fail")
    assert browser.focused().accessible_name.startswith("Error status")
    status = browser.tab_to("Status")
    browser.press(Keys.CONTROL + "a" + Keys.NULL, "418")
    assert status.get_attribute("value") == "418"
    browser.tab_to("until I end it")
    browser.press(Keys.ARROW_DOWN)
    browser.tab_to("Begin the fault")
    browser.press(Keys.ENTER)
    assert "Error status 418 with Retry-After 20 3 calls left" in browser.one(".fault").text
    assert shown.faults()[UKSOUTH] == ["status"]
    assert browser.focused().accessible_name == "Make it fail … (uksouth)"
    got = [answer.status_code for answer in shown.ask(30)]
    assert got.count(418) == 3
    browser.until(lambda: not browser.all(".fault"))


def test_a_region_is_run_dry_from_the_form(browser, shown):
    browser.open(shown.url)
    region(browser, "uksouth")
    browser.tab_to("Make it fail … (uksouth)")
    browser.press(Keys.ENTER)
    browser.one("input[value=quota]").click()
    browser.tab_to("What is left of the quota, %")
    browser.press(Keys.CONTROL + "a" + Keys.NULL, "0", Keys.ENTER)
    assert "0 % left until you end it" in browser.one(".fault").text
    assert shown.faults()[UKSOUTH] == ["quota"]


def test_a_fault_is_ended_with_the_keyboard_and_the_focus_is_not_lost(browser, shown):
    shown.fault(UKSOUTH, kind="quota", quotaShare=0.5)
    browser.open(shown.url)
    assert "Less quota: 50 % left until you end it" in browser.one(".fault").text
    browser.until(lambda: "0 of 30" in region(browser, "uksouth").text)
    browser.tab_to("End Less quota: 50 % left of uksouth")
    browser.press(Keys.ENTER)
    browser.until(lambda: not browser.all(".fault"))
    assert shown.faults()[UKSOUTH] == []
    assert browser.focused().accessible_name == "Make it fail … (uksouth)"


def test_what_the_server_says_against_a_fault_is_shown_and_the_form_stays(browser, shown):
    browser.open(shown.url)
    region(browser, "uksouth")
    browser.tab_to("Make it fail … (uksouth)")
    browser.press(Keys.ENTER)
    browser.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN)  # delay
    browser.tab_to("Delay, seconds")
    browser.press(Keys.CONTROL + "a" + Keys.NULL, "9999", Keys.ENTER)
    assert "fault.delayS: Input should be less than or equal to 3600" in browser.one("[role=alert]", "delayS").text
    browser.press(Keys.ESCAPE)
    browser.until(lambda: not browser.all("dialog[open]"))
    assert shown.faults()[UKSOUTH] == []
    assert "400" in " ".join(browser.complaints())  # the refusal, which Chromium writes into the console


def test_a_trace_opens_and_closes_with_the_keyboard(browser, shown):
    browser.open(shown.url)
    region(browser, "uksouth")
    for name in ("chat-local-uksouth", "chat-local-swedencentral"):
        shown.fault(name, kind="status", status=503, calls=1)
    shown.ask(3)
    browser.one("button.request", "→")
    browser.tab_to("then")
    name = browser.focused().accessible_name
    browser.press(Keys.ENTER)
    trace = browser.one("dialog.sheet[open]", "What ran")
    for words in ("scopes: global, product web-chat", "rate-limit-by-key", "calls left", "pool-chat-default →",
                  "its breaker opens", "the caller got 200", "in play, 0 failures", "sits out", "answered 200"):  # fmt: skip
        assert words in trace.text
    assert browser.focused().accessible_name.startswith("Request ")
    browser.tab_to("policies ran")
    fold = browser.focused()
    browser.press(Keys.ENTER)
    assert "apim/" in fold.find_element(By.XPATH, "..").text
    browser.press(Keys.ESCAPE)
    browser.until(lambda: not browser.all("dialog[open]"))
    assert browser.focused().accessible_name == name


def test_hostile_names_and_paths_stay_text(browser, shown):
    async def add():
        account = make_account("evil", HOSTILE)
        await shown.azure.regions.servers.apply({"evil": account})

    shown.azure.call(add())
    browser.open(shown.url)
    assert HOSTILE in browser.one("article.region").text
    port = int(shown.azure.url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port)) as caller:
        path = HOSTILE.replace(" ", "/").encode()
        caller.sendall(b"GET /" + path + b" HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
        while caller.recv(65536):
            pass
    request = browser.one("button.request", "onerror")
    assert "<img/src=x/onerror=alert(1)><script>alert(2)</script>" in request.text
    request.send_keys(Keys.ENTER)
    assert "<script>alert(2)</script>" in browser.one("dialog.sheet[open]", "What ran").text
    assert browser.all("img, body script, header script, dialog script") == []


def test_hostile_headers_stay_text(browser, show):
    shown = show(topology=None)
    azure = shown.azure
    azure.make_service()
    stub = Stub(azure.call, answer(503, retry_after=HOSTILE))
    azure.backend("b", stub.url)
    azure.make_api(
        "t",
        '<policies><inbound><base /><set-backend-service backend-id="b" /></inbound><backend><base /></backend><outbound>'
        "<base /></outbound><on-error><base /></on-error></policies>",
        displayName=HOSTILE,
    )
    azure.settle()
    browser.open(shown.url)
    browser.one("#requests-empty", "No request yet")
    with azure.client() as client:
        client.get("/t/x")
    browser.one("button.request", "503").send_keys(Keys.ENTER)
    assert f"Retry-After {HOSTILE}" in browser.one("dialog.sheet[open]", "What ran").text
    assert browser.all("img, body script, header script, dialog script") == []
    stub.stop()


def test_every_control_has_a_name_and_every_message_a_place_to_be_heard(browser, shown):
    shown.fault(UKSOUTH, kind="delay", delayS=1)
    browser.open(shown.url)
    browser.one(".fault")
    shown.ask(2)
    browser.one("button.request", "200")
    browser.tab_to("Make it fail … (uksouth)")
    browser.press(Keys.ENTER)
    browser.one("dialog[open]")
    assert nameless(browser, "dialog", 20) == []
    browser.press(Keys.ESCAPE)
    browser.until(lambda: not browser.all("dialog[open]"))
    assert nameless(browser, "main", 15) == []
    assert {one.get_attribute("id") for one in browser.all("[role=status]")} == {"link", "news"}


def nameless(browser, place, least):
    controls = [
        one
        for kind in ("button", "input", "select", "summary", "[role=meter]")
        for one in browser.all(f"{place} {kind}")
    ]
    shown = [one for one in controls if one.is_displayed()]
    assert len(shown) >= least
    return [one.get_attribute("outerHTML") for one in shown if not one.accessible_name]


@pytest.mark.parametrize("width", [320, 420, 768, 1280])
def test_nothing_has_to_be_scrolled_sideways(browser, shown, width):
    shown.fault(
        UKSOUTH, kind="status", status=503, retryAfterS=3600, share=0.25, deployment="gpt-4-1-mini-standard"
    )
    browser.open(shown.url, width, 800)
    browser.one(".fault")
    shown.ask(2)
    browser.one("button.request", "200").send_keys(Keys.ENTER)
    sheet = browser.one("dialog.sheet[open]", "What ran")
    for element in (browser.one("html"), sheet):
        assert int(element.get_property("scrollWidth")) <= int(element.get_property("clientWidth")) <= width
    browser.press(Keys.ESCAPE)


def test_it_says_when_nothing_answers_any_more(browser, show):
    shown = show()
    browser.open(shown.url)
    browser.one("#link", "live")
    shown.stop()
    browser.one("#link", "no answer")
    browser.complaints()  # of the requests that nobody answered


PAGE = """<!doctype html><title>evil</title><p id=said></p><form method=post action="{url}" target=frame></form>
<iframe name=frame></iframe><script>
const body = JSON.stringify({{kind: "region-down"}}), said = [];
const send = (more) => fetch("{url}", {{method: "POST", body, ...more}}).then((a) => a.type + a.status, () => "refused");
document.forms[0].submit();
Promise.all([send({{headers: {{"x-sinbin": "1"}}}}), send({{mode: "no-cors"}}), send({{}}),
    fetch("{state}").then((a) => a.text(), () => "unread")])
  .then((all) => {{ document.getElementById("said").textContent = all.join(" "); }});
</script>"""


def test_a_page_of_another_origin_changes_and_reads_nothing(window, shown):
    url = f"{shown.url}/regions/{UKSOUTH}/faults"
    page = PAGE.format(url=url, state=f"{shown.url}/state").encode()

    class Evil(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(page)

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Evil) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            window.open(f"http://127.0.0.1:{server.server_port}/")
            assert window.one("#said", "unread").text == "refused refused refused unread"
        finally:
            server.shutdown()
            thread.join()
    assert shown.faults()[UKSOUTH] == []
    window.driver.get("about:blank")
