import json
from collections import Counter
from pathlib import Path

import pytest

from sinbin.errors import SinbinError
from sinbin.lint.baseline import new_findings, read_baseline, write_baseline
from sinbin.lint.configuration import Configuration, read_configuration
from sinbin.lint.context import Facts
from sinbin.lint.engine import load_rules
from sinbin.lint.finding import Severity
from sinbin.lint.run import fix, lint
from sinbin.lint.sources import read_paths, read_text

RULES = load_rules()
RETRY = '<retry condition="@(context.Response == null)" count="2" interval="0"><forward-request /></retry>'
POLICY = (
    "<policies>\n  <inbound><base /></inbound>\n  <backend>{before}{retry}</backend>\n"
    "  <outbound><base /></outbound>\n  <on-error><base /></on-error>\n</policies>\n"
)


def judge(text: str, path: str = "api.xml", configuration: Configuration | None = None, rules=RULES):
    return lint(read_text(path, text, Facts()), rules, configuration)


def brief(report):
    return [(f.rule, f.line, f.message) for f in report.findings if f.severity > Severity.NOTE]


UNBUFFERED = (
    "SB101",
    3,
    "`forward-request` inside `retry` does not buffer the request body: a second attempt has none",
)


def test_a_comment_silences_the_rule_for_the_element_that_follows():
    text = POLICY.format(before="<!-- sinbin: ignore[SB101] only GET passes here -->", retry=RETRY)
    assert brief(judge(text)) == []


def test_a_suppression_without_a_reason_silences_nothing():
    text = POLICY.format(before="<!-- sinbin: ignore[SB101] -->", retry=RETRY)
    assert brief(judge(text)) == [
        ("SB002", 3, "the suppression of SB101 gives no reason"),
        UNBUFFERED,
    ]


def test_a_suppression_that_silences_nothing_is_a_finding():
    text = POLICY.format(before="<!-- sinbin: ignore[SB102] x --><!-- sinbin: ignore[SB999] y -->", retry=RETRY)
    assert brief(judge(text)) == [
        ("SB003", 3, "SB102 finds nothing here, so this suppresses nothing"),
        ("SB003", 3, "there is no rule SB999"),
        UNBUFFERED,
    ]


def test_a_suppression_speaks_only_for_its_own_element():
    text = POLICY.format(before="", retry=RETRY).replace(
        "<inbound>", '<inbound><!-- sinbin: ignore[SB101] x --><set-variable name="a" value="b" />'
    )
    assert [rule for rule, _, _ in brief(judge(text))] == ["SB003", "SB101"]


PYPROJECT = """
[tool.sinbin.lint]
fail-on = "warning"

[[tool.sinbin.lint.ignore]]
rule = "SB301"
path = "infra/*.json"
at = "/properties/pool"
reason = "the second region opens in March"

[[tool.sinbin.lint.ignore]]
rule = "SB304"
path = "infra/*.json"
reason = "never needed"

[[tool.sinbin.lint.ignore]]
rule = "SB310"
path = "other/*.json"
reason = "of a file that is not judged"
"""
POOL = json.dumps(
    {
        "type": "Microsoft.ApiManagement/service/backends",
        "name": "pool",
        "properties": {"type": "Pool", "pool": {"services": [{"id": "/backends/a"}]}},
    }
)


def test_pyproject_silences_by_path_rule_and_place(tmp_path):
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    configuration = read_configuration(tmp_path)
    assert configuration.fail_on is Severity.WARNING
    report = judge(POOL, "infra/pool.json", configuration)
    assert [(f.path, f.rule, f.line, f.message) for f in report.findings] == [
        ("pyproject.toml", "SB003", 11, "SB304 finds nothing here, so this suppresses nothing")
    ]
    assert [f.rule for f in judge(POOL, "elsewhere/pool.json", configuration).findings] == ["SB301"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('fail-on = "never"', 'tool.sinbin.lint.fail-on: "never" is not allowed; one of error, warning, note'),
        ("colour = true", "tool.sinbin.lint.colour: is no key that is known here; known: baseline, context"),
        ('ignore = [{rule = "SB301"}]', "tool.sinbin.lint.ignore[0]: needs rule, path and reason"),
    ],
)
def test_a_wrong_configuration_is_refused_with_its_place(tmp_path, text, message):
    (tmp_path / "pyproject.toml").write_text(f"[tool.sinbin.lint]\n{text}\n")
    with pytest.raises(SinbinError) as caught:
        read_configuration(tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / 'pyproject.toml'}: {message}")


def test_a_baseline_forgives_what_it_lists_once_and_survives_moved_lines(tmp_path):
    report = judge(POLICY.format(before="", retry=RETRY))
    baseline = tmp_path / "baseline.json"
    write_baseline(baseline, report.findings)
    forgiven = read_baseline(baseline)
    moved = judge("\n\n" + POLICY.format(before="", retry=RETRY))
    assert new_findings(moved.findings, forgiven) == []
    assert new_findings([*report.findings, report.findings[0]], forgiven) == [report.findings[0]]


def test_a_broken_baseline_is_refused(tmp_path):
    (tmp_path / "b.json").write_text("[]")
    with pytest.raises(SinbinError, match="is no baseline; write one with"):
        read_baseline(tmp_path / "b.json")


def test_repairs_change_only_what_is_wrong_and_a_second_run_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = b"\xef\xbb\xbf" + POLICY.format(before="", retry=RETRY).replace("\n", "\r\n").encode()
    file = tmp_path / "api.xml"
    file.write_bytes(before)
    assert fix(lint(read_paths([file], Facts()), RULES)) == 1
    assert file.read_bytes() == before.replace(
        b"<forward-request />", b'<forward-request buffer-request-body="true" />'
    )
    assert fix(lint(read_paths([file], Facts()), RULES)) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["api.xml"]


def test_a_byte_order_mark_moves_no_column_and_stays(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = POOL.replace('"type": "Pool"', '"type": "Pool", "url": "http://localhost"')
    file = tmp_path / "pool.json"
    file.write_bytes(b"\xef\xbb\xbf" + text.encode())
    report = lint(read_paths([file], Facts()), RULES)
    [finding] = [f for f in report.findings if f.rule == "SB302"]
    assert text[finding.column - 1 : finding.end_column - 1] == '"url"'
    assert fix(report) == 1
    assert file.read_bytes() == b"\xef\xbb\xbf" + POOL.encode()


def test_a_policy_in_a_template_is_judged_where_it_stands():
    policy = POLICY.format(before="", retry=RETRY)
    text = json.dumps(
        {
            "type": "Microsoft.ApiManagement/service/products/policies",
            "name": "policy",
            "properties": {"format": "rawxml", "value": policy},
        },
        indent=1,
    )
    [finding] = [f for f in judge(text, "main.json").findings if f.rule == "SB101"]
    line = text.splitlines()[finding.line - 1]
    assert line[finding.column - 1 : finding.end_column - 1] == "<forward-request"
    assert (finding.element, finding.edits) == ("/properties/value/policies/backend/retry/forward-request", ())


RULE = '''
from sinbin.lint.finding import Problem, Severity
from sinbin.lint.rule import PolicyRule


class Shouting(PolicyRule):
    """Policy that shouts.

    ## Why
    x

    ## Bad
    x

    ## Good
    x

    ## Fix
    x
    """

    id = "{id}"
    name = "{name}"
    severity = Severity.ERROR
    source = "https://example.test"

    def check(self, policy, context):
        {body}
'''


def test_a_users_own_rule_runs_beside_ours(tmp_path):
    body = 'yield Problem(policy.root, "it shouts", "be quiet")'
    (tmp_path / "sb950_shouting.py").write_text(RULE.format(id="SB950", name="shouting", body=body))
    rules = load_rules(tmp_path)
    report = judge(POLICY.format(before="", retry=RETRY), rules=rules)
    assert ("SB950", 1, "it shouts") in brief(report)
    assert not report.crashed


def test_a_rule_that_fails_is_a_finding_and_the_others_still_run(tmp_path):
    (tmp_path / "sb951_failing.py").write_text(
        RULE.format(id="SB951", name="failing", body="yield policy.nothing")
    )
    report = judge(POLICY.format(before="", retry=RETRY), rules=load_rules(tmp_path))
    message = (
        "the rule SB951 failing failed on this file: AttributeError: 'Document' object has no attribute 'nothing'"
    )
    assert report.crashed
    assert brief(report) == [("SB001", 1, message), UNBUFFERED]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("mine.py", "", "your own rules are numbered SB900 to SB999"),
        ("sb952_x.py", "nonsense(", "the rule cannot be loaded: SyntaxError"),
        (
            "sb953_x.py",
            RULE.format(id="SB953", name="y", body="pass"),
            "the rule SB953 y belongs in a file sb953_y.py",
        ),
    ],
)
def test_a_rules_folder_with_something_else_in_it_is_refused(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    with pytest.raises(SinbinError) as caught:
        load_rules(tmp_path)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("path", "data", "expected"),
    [
        ("main.bicep", b"resource x", ("SB005", "the file is Bicep, which is not read")),
        ("main.tf", b"x", ("SB005", "the file is Terraform, which is not read")),
        ("package.json", b'{"name": "x"}', ("SB005", "no API Management or Foundry resource in this file")),
        ("values.yaml", b"a: 1", ("SB005", "no `sinbin:gateway` under `config` in this file")),
        ("x.json", b'{"a": }', ("SB004", "the file is no JSON: expected a value, found `}`")),
        ("x.json", b"\xff\xff", ("SB004", "byte 0 is not UTF-8")),
        ("Pulumi.dev.yaml", b"a: [", ("SB004", "the file is no YAML: did not find expected node content")),
    ],
)
def test_a_file_that_cannot_be_judged_says_so_when_it_was_named(tmp_path, monkeypatch, path, data, expected):
    monkeypatch.chdir(tmp_path)
    Path(path).write_bytes(data)
    report = lint(read_paths([Path(path)], Facts()), RULES)
    assert [(f.rule, f.message) for f in report.findings] == [expected]


def test_a_folder_is_searched_for_what_can_be_judged(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "b.json": POOL,
        "a.xml": POLICY.format(before="", retry=RETRY),
        "package.json": "{}",
        "pom.xml": "<project />",
        "values.yaml": "a: 1",
        ".hidden/x.json": POOL,
        "node_modules/x.json": POOL,
    }.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    assert [document.path for document in read_paths([tmp_path], Facts())] == ["a.xml", "b.json"]


@pytest.mark.parametrize("name", ["nothing-here", "empty"])
def test_nothing_to_read_is_the_users_mistake(tmp_path, name):
    (tmp_path / "empty").mkdir()
    with pytest.raises(SinbinError):
        read_paths([tmp_path / name], Facts())


def test_settings_that_describe_no_gateway_are_findings_at_their_value():
    text = "config:\n  sinbin:gateway:\n    workload: chat\n    regions: [{location: nowhere}]\n    colour: red\n"
    found = [(f.rule, f.line, f.column) for f in judge(text, "Pulumi.dev.yaml").findings if f.rule == "SB006"]
    assert ("SB006", 4, 26) in found
    assert ("SB006", 5, 13) in found


def test_the_counter_of_a_baseline_is_left_as_it_was():
    forgiven = Counter({("SB101", "a", "b"): 1})
    new_findings([], forgiven)
    assert forgiven == Counter({("SB101", "a", "b"): 1})
