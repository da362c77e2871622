import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from sinbin.lint.context import Facts
from sinbin.lint.engine import Report, load_rules
from sinbin.lint.finding import Finding, Severity
from sinbin.lint.page import stale_pages
from sinbin.lint.reporters import formats, render
from sinbin.lint.run import lint
from sinbin.lint.sources import read_text

ROOT = Path(__file__).parents[2]
RULES = load_rules()
TEXT = """{
\t"type": "Microsoft.ApiManagement/service/backends",
\t"name": "pool|chat",
\t"properties": {"type": "Pool", "url": "http://localhost", "pool": {"services": [{"id": "/backends/a"}]}}
}
"""
REPORT = lint(read_text("infra/pool.json", TEXT, Facts()), RULES)


def test_the_formats_are_the_modules():
    assert formats() == ("github", "json", "markdown", "sarif", "text")


def test_text_shows_the_line_with_a_caret_under_what_is_wrong():
    assert render("text", REPORT) == (
        "infra/pool.json:4:33: SB302 [error] pool `pool|chat` has `url`, which the service refuses for a pool\n"
        '  | \t"properties": {"type": "Pool", "url": "http://localhost", "pool": {"services": [{"id": "/backends/a"}]}}\n'
        f"  | \t{' ' * 31}^^^^^\n"
        "  help: remove `url`; it belongs to the members (pool-with-url)\n"
        "infra/pool.json:4:81: SB301 [warning] pool `pool|chat` has one member, so a refusal has nowhere to go\n"
        '  | \t"properties": {"type": "Pool", "url": "http://localhost", "pool": {"services": [{"id": "/backends/a"}]}}\n'
        f"  | \t{' ' * 79}^\n"
        "  help: add a member in another account, or use the backend without a pool (pool-with-one-member)\n"
        "1 file: 1 error, 1 warning; 1 can be repaired with --fix\n"
    )


def test_text_is_coloured_only_when_asked():
    assert "\033[31m[error]\033[0m" in render("text", REPORT, colour=True)
    assert "\033" not in render("text", REPORT)


def test_json_has_the_agreed_shape():
    document = json.loads(render("json", REPORT))
    assert document["files"] == 1
    assert document["findings"][0] == {
        "rule": "SB302",
        "name": "pool-with-url",
        "severity": "error",
        "path": "infra/pool.json",
        "line": 4,
        "column": 33,
        "end_line": 4,
        "end_column": 38,
        "message": "pool `pool|chat` has `url`, which the service refuses for a pool",
        "help": "remove `url`; it belongs to the members",
        "fixable": True,
    }


def test_github_annotations_are_escaped():
    finding = Finding("a,b.json", 2, 3, "SB301", "x", Severity.NOTE, 2, 9, "50 % of\nit", "do: that")
    assert render("github", Report((), (finding,))) == (
        "::notice file=a%2Cb.json,line=2,endLine=2,title=SB301 x,col=3,endColumn=9::50 %25 of%0Ait; do: that\n"
    )


def test_markdown_is_a_table_worst_first():
    assert render("markdown", REPORT) == (
        "**sinbin lint**: 1 error, 1 warning\n\n| | Where | What | What to do |\n|---|---|---|---|\n"
        "| error SB302 | `infra/pool.json:4` | pool `pool\\|chat` has `url`, which the service refuses for a pool |"
        " remove `url`; it belongs to the members |\n"
        "| warning SB301 | `infra/pool.json:4` | pool `pool\\|chat` has one member, so a refusal has nowhere to go |"
        " add a member in another account, or use the backend without a pool |\n"
    )


def test_markdown_fits_into_a_comment_however_much_is_found():
    finding = Finding("a.json", 2, 3, "SB301", "x", Severity.ERROR, 2, 9, "é" * 400, "h" * 400)
    text = render("markdown", Report((), (finding,) * 5_000))
    assert len(text) < 65_536
    assert text.endswith(" more; run `sinbin lint` to see them all\n")


def test_sarif_follows_the_published_schema():
    schema = json.loads((ROOT / "tests" / "data" / "sarif-schema-2.1.0.json").read_text("utf-8"))
    log = json.loads(render("sarif", REPORT))
    jsonschema.validate(log, schema)
    [run] = log["runs"]
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert ids == sorted(ids)
    assert [(ids[r["ruleIndex"]], r["level"]) for r in run["results"]] == [
        ("SB302", "error"),
        ("SB301", "warning"),
    ]


def test_fingerprints_survive_a_moved_line_and_tell_doubles_apart():
    def prints(text):
        log = json.loads(render("sarif", lint(read_text("infra/pool.json", text, Facts()), RULES)))
        return [result["partialFingerprints"]["sinbinElement/v1"] for result in log["runs"][0]["results"]]

    assert prints("\n\n" + TEXT) == prints(TEXT)
    twice = Report((), (REPORT.findings[0],) * 2, RULES)
    results = json.loads(render("sarif", twice))["runs"][0]["results"]
    assert results[0]["partialFingerprints"] != results[1]["partialFingerprints"]


@pytest.mark.parametrize("form", ["sarif", "json"])
def test_two_runs_write_the_same_bytes(tmp_path, form):
    (tmp_path / "pool.json").write_text(TEXT)
    outputs = [
        subprocess.run(
            [sys.executable, "-m", "sinbin", "lint", "pool.json", "--format", form],
            cwd=tmp_path,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=False,
        ).stdout
        for seed in ("1", "2")
    ]
    assert outputs[0] == outputs[1]
    assert json.loads(outputs[0])


def test_a_key_in_the_source_is_not_printed():
    key = "3f1c0c52b0d94f6d8f6e2f0d5a9b7c1e"
    text = json.dumps(
        {
            "type": "Microsoft.ApiManagement/service/namedValues",
            "name": "k",
            "properties": {"displayName": "api-key", "value": key},
        }
    )
    shown = render("text", lint(read_text("n.json", text, Facts()), RULES))
    assert "SB553" in shown
    assert key not in shown


def test_the_pages_of_the_rules_are_current():
    assert stale_pages(ROOT / "docs" / "rules", RULES) == []
