import re
import sys
import xml.etree.ElementTree as ET

import pytest
from click.testing import CliRunner

from sinbin.cli.simulate import command
from sinbin.errors import MissingExtraError
from sinbin.simulate.cost import load_prices
from sinbin.simulate.replications import replicate
from sinbin.simulate.report.charts import pictures
from sinbin.simulate.report.page import report
from sinbin.simulate.report.setup import setup_of
from sinbin.simulate.report.svg import Plot, ticks

SHORT = {"kind": "steady", "requestsPerSecond": 6, "durationSeconds": 90}


@pytest.fixture
def results(scenario):
    quota = dict.fromkeys(("uk", "se<1>", "we"), 20)
    pool = {"uk": {"priority": 1}, "se<1>": {"priority": 2}, "we": {"priority": 2}}
    gateway = scenario(rpm=quota, load=SHORT, gateway={"pool": pool, "circuitBreaker": {"count": 1}})
    client = scenario(rpm=quota, load=SHORT, client={"pick": "in-order", "attempts": 3, "coolDownSeconds": 20})
    return replicate([gateway, client], runs=2)


def test_a_report_opens_from_disk_and_loads_nothing(results):
    page = report(results, load_prices())
    assert page.startswith("<!doctype html>")
    assert not re.search(r"<script|<link|<img|src=|url\(|@import|href=", page)
    assert page.count("<svg ") == page.count("</svg>") == 8
    assert "se<1>" not in page
    assert "se&lt;1&gt;" in page


def test_every_picture_is_well_formed_and_names_its_regions(results):
    for result in results:
        drawn = pictures(result)
        assert list(drawn) == ["goodput", "success", "sit-outs", "latency"]
        for picture in drawn.values():
            ET.fromstring(picture)
        words = "".join(ET.fromstring(drawn["goodput"]).itertext())
        assert words.startswith("answers per second, by region")
        assert all(name in words for name in ("uk", "se<1>", "we", "without an answer"))


def test_bars_show_when_a_region_sat_out(scenario):
    once = scenario(
        rpm=10,
        load={"kind": "steady", "requestsPerSecond": 1, "durationSeconds": 100},
        gateway={
            "pool": {"a": {}},
            "circuitBreaker": {"count": 1, "tripDuration": "PT20S", "acceptRetryAfter": False},
        },
    )
    [result] = replicate([once], runs=1)
    seconds = sum(result.first.regions["a"].sat_out.counts)
    assert seconds == pytest.approx(20 * result.first.sit_out_count)
    root = ET.fromstring(pictures(result)["sit-outs"])
    bars = [bar for bar in root.iter("{http://www.w3.org/2000/svg}rect") if bar.get("fill") == "#0072B2"]
    pixels = sum(float(bar.get("width")) * float(bar.get("fill-opacity")) / 0.85 for bar in bars)
    shown = pixels / (760 - 58 - 16) * result.first.elapsed_s
    # The last trip may end after the picture does.
    assert seconds - 20 <= shown <= seconds + 1


def test_the_page_names_pool_breaker_and_the_time_of_faults(scenario):
    one = scenario(
        regions=("a", "b"),
        load=SHORT | {"mix": [{"name": "web", "share": 1}, {"name": "night", "share": 1}]},
        gateway={
            "pool": {"a": {"priority": 1}, "b": {"priority": 2, "weight": 3}},
            "circuitBreaker": {"count": 2, "tripDuration": "PT30S", "acceptRetryAfter": False},
            "retry": {"count": 2},
        },
        faults=[
            {"kind": "outage", "region": "a", "fromSeconds": 10, "toSeconds": 20, "status": 500},
            {"kind": "quota", "region": "b", "fromSeconds": 30, "toSeconds": 40, "share": 0.5},
            {"kind": "slow", "region": "b", "fromSeconds": 50, "toSeconds": 60, "factor": 3},
        ],
    )
    assert setup_of(one) == [
        "steady load (callers 20, promptTokens 20, completionTokens 5, requestsPerSecond 6, durationSeconds 90)",
        "through the gateway, pool: a (priority 1, weight 1), b (priority 2, weight 3)",
        "breaker: 2 failures (429, 500-599, BackendConnectionFailure, Timeout) within PT1M; sits out PT30S",
        "retries: 2, at once",
        "fault: outage of a from 10 to 20 s, answered with 500",
        "fault: quota of b from 30 to 40 s, 50% left",
        "fault: slowness of b from 50 to 60 s, 3 times as long",
    ]
    page = report(replicate([one], runs=1), load_prices())
    assert all(f"<p>{line}</p>" in page for line in setup_of(one))
    assert "<th>kind of request</th>" in page
    assert "<td>web</td>" in page


def test_who_answers_less_is_not_the_best_for_costing_less(scenario):
    pool = {"pool": {"a": {}}}
    short = scenario(rpm=10, load=SHORT, gateway=pool).model_copy(update={"name": "short"})
    enough = scenario(rpm=6000, load=SHORT, gateway=pool).model_copy(update={"name": "enough"})
    results = replicate([short, enough], runs=2)
    assert results[0].total["cost_usd"].mean < results[1].total["cost_usd"].mean
    table = re.search(r"<table>.*?</table>", report(results, load_prices()))[0]
    marks = {
        name: cells.count('class="best"')
        for name, cells in re.findall(r"<td>(short|enough)</td>(.*?)</tr>", table)
    }
    assert marks == {"short": 0, "enough": 8}


def test_the_same_results_give_the_same_page(results):
    assert report(results, load_prices()) == report(results, load_prices())


def test_a_run_without_answers_has_pictures_too(scenario):
    dead = scenario(load=SHORT, faults=[{"kind": "outage", "region": "a", "fromSeconds": 0, "toSeconds": 999}])
    [result] = replicate([dead], runs=1)
    for picture in pictures(result).values():
        ET.fromstring(picture)
    assert "540.0 with 503" in report([result], load_prices())


@pytest.mark.parametrize(
    ("low", "high", "expected"), [(0, 6, [0, 1, 2, 3, 4, 5, 6]), (0, 0.7, [0, 0.2, 0.4, 0.6]), (3, 3, [3])]
)
def test_marks_stand_at_round_numbers(low, high, expected):
    assert ticks(low, high) == pytest.approx(expected)


def test_the_command_writes_the_page_and_the_pictures(tmp_path):
    path = tmp_path / "s.yaml"
    path.write_text(
        "name: A test!\nregions: {a: {requestsPerMinute: 60, tokensPerMinute: 6000, latency: {medianMs: 9, p95Ms: 9}}}\n"
        "load: {kind: burst, requests: 20, callers: 2}\n"
    )
    outcome = CliRunner().invoke(
        command,
        [str(path), "--runs", "1", "--html", str(tmp_path / "r.html"), "--pictures", str(tmp_path / "p")],
    )
    assert outcome.exit_code == 0
    assert (tmp_path / "r.html").read_text().startswith("<!doctype html>")
    assert sorted(file.name for file in (tmp_path / "p").iterdir()) == [
        "a-test-goodput.png",
        "a-test-goodput.svg",
        "a-test-latency.png",
        "a-test-latency.svg",
        "a-test-sit-outs.png",
        "a-test-sit-outs.svg",
        "a-test-success.png",
        "a-test-success.svg",
    ]
    svg = ET.fromstring((tmp_path / "p" / "a-test-goodput.svg").read_text())
    png = (tmp_path / "p" / "a-test-goodput.png").read_bytes()
    assert png.startswith(b"\x89PNG\r\n")
    size = tuple(int.from_bytes(png[at : at + 4]) for at in (16, 20))
    assert size == tuple(2 * int(svg.attrib["viewBox"].split()[at]) for at in (2, 3))


def test_pictures_without_what_draws_them_are_refused_before_anything_is_simulated(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    outcome = CliRunner().invoke(command, [str(tmp_path / "none.yaml"), "--pictures", str(tmp_path / "p")])
    assert isinstance(outcome.exception, MissingExtraError)
    assert str(outcome.exception) == (
        "`--pictures` needs the package that holds `resvg_py`, which is not installed; "
        'install it with: pip install "sinbin[pictures]"'
    )


@pytest.mark.parametrize(
    ("names", "rows", "height"),
    [(["uksouth", "westeurope"], {21}, 260), ([f"gpt-4-1-mini-standard-{n}" for n in "abcde"], {39, 57}, 296)],
    ids=["short", "long"],
)
def test_keys_stand_beside_the_title_or_below_it_never_upon_it(names, rows, height):
    plot = Plot("answers per second, by region", (0, 1), (0, 1))
    for name in names:
        plot.key("#000000", name)
    svg = ET.fromstring(plot.render())
    keys = [text for text in svg.iter("{http://www.w3.org/2000/svg}text") if text.text in names]
    title_end = 10 + 8.5 * len("answers per second, by region")
    assert [text.text for text in keys] == names
    assert {int(text.attrib["y"]) for text in keys} == rows
    assert all(float(text.attrib["x"]) > title_end for text in keys if text.attrib["y"] == "21")
    assert svg.attrib["viewBox"] == f"0 0 760 {height}"
