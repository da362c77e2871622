"""Policy tests: what is compared, what is shown, what is refused."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from sinbin.cli.test import command
from sinbin.gateway.testing.run import run_suite
from sinbin.gateway.testing.suite import SuiteError, load_suite, parse_suite

DOCUMENT = '<policies><inbound><set-backend-service backend-id="a" /></inbound><backend><forward-request /></backend></policies>'


def suite(*steps, **more):
    raw = {
        "policies": {"api": DOCUMENT},
        "backends": {"a": {"url": "http://a.test"}},
        "cases": [{"name": "c", "steps": list(steps)}],
        **more,
    }
    return parse_suite(raw, "tests.yaml", Path())


def mismatches(*steps, **more):
    [result] = run_suite(suite(*steps, **more))
    return [[str(mismatch) for mismatch in step.mismatches] for step in result.failed]


@pytest.mark.parametrize("path", ["http://[", "https://[::1"])
def test_a_path_that_is_no_url_is_refused_with_its_place(path):
    with pytest.raises(SuiteError) as caught:
        suite({"request": {"path": path}})
    why = f"is no path and no URL: Invalid IPv6 URL (got '{path}')"
    assert str(caught.value) == f"tests.yaml: cases.0.steps.0.request.path: {why}"


def test_only_what_expect_names_is_compared():
    assert mismatches({"request": {"path": "/x"}}, {"request": {"path": "/x"}, "expect": {"status": 200}}) == []


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ({"status": 201}, "status: expected 201, got 200"),
        ({"body": {"a": 1}}, 'body: expected {"a": 1}, got {"a": 2}'),
        ({"body": "text"}, 'body: expected "text", got "{\\"a\\":2}"'),
        ({"headers": {"x-b": "1"}}, 'headers.x-b: expected "1", got "2"'),
        ({"headers": {"x-b": None}}, 'headers.x-b: expected null, got "2"'),
        ({"calls": []}, 'calls: expected [], got ["a"]'),
        ({"received": []}, 'received (how many): expected 0, got ["POST http://a.test/x?q=1"]'),
        ({"received": [{"url": "http://a.test/x"}]}, 'received[0].url: expected "http://a.test/x", got "http://a.test/x?q=1"'),
        ({"received": [{"body": {"c": 2}, "method": "GET"}]}, 'received[0].method: expected "GET", got "POST"'),
        ({"waited": 1}, "waited: expected 1.0, got 0.0"),
        ({"elapsed": 1}, "elapsed: expected 1.0, got 0.5"),
        ({"variables": {"v": 1}}, "variables.v: expected 1, got null"),
        ({"lastError": {"source": "x"}}, 'lastError: expected {"source": "x"}, got null'),
        ({"refused": True}, "refused: expected true, got null"),
    ],
)  # fmt: skip
def test_a_mismatch_says_what_was_expected_and_what_came(expect, message):
    step = {
        "request": {"method": "POST", "path": "/x?q=1", "body": {"c": 3}},
        "answers": {"a": {"body": {"a": 2}, "headers": {"x-b": "2"}, "latency": 0.5}},
        "expect": expect,
    }
    assert mismatches(step)[0][0] == message


def test_a_refused_document_is_compared_by_part_of_its_message_and_its_line():
    wrong = {"policies": {"api": "<policies>\n<inbound><foo /></inbound>\n</policies>"}}
    assert mismatches({**wrong, "expect": {"refused": {"message": "not modelled", "line": 2}}}) == []
    assert mismatches({**wrong, "expect": {"refused": {"line": 3}}}) == [
        [
            'refused: expected {"line": 3}, got [{"file": "tests.yaml(api)", "line": 2, "message": "<foo> is not modelled"}]'
        ]
    ]
    assert mismatches({**wrong, "request": {}, "expect": {"status": 200}}) == [
        ['policies: expected "documents that load", got "tests.yaml(api):2:10: <foo> is not modelled"']
    ]


def test_a_body_that_is_no_text_is_sent_as_json_and_a_text_as_it_is():
    steps = [
        {"request": {"method": "POST", "body": {"a": [1]}}, "expect": {"received": [{"body": '{"a":[1]}', "headers": {"Content-Type": "application/json"}}]}},
        {"request": {"method": "POST", "body": "a=1"}, "expect": {"received": [{"body": "a=1", "headers": {"Content-Type": None}}]}},
    ]  # fmt: skip
    assert mismatches(*steps) == []


def test_a_backend_that_a_step_does_not_mention_answers_by_its_last_script_from_the_start():
    steps = [
        {"request": {}, "answers": {"a": [{"status": 201}, {"status": 202}]}, "expect": {"status": 201}},
        {"request": {}, "expect": {"status": 201}},
    ]
    assert mismatches(*steps) == []


def test_every_case_starts_with_a_fresh_gateway_and_clock():
    raw = {
        "policies": {"api": '<policies><inbound><rate-limit-by-key calls="1" renewal-period="60" counter-key="k" /></inbound><backend /></policies>'},
        "cases": [{"name": name, "steps": [{"at": 5, "request": {}, "expect": {"status": 200}}]} for name in ("one", "two")],
    }  # fmt: skip
    assert [result.passed for result in run_suite(parse_suite(raw, "t.yaml", Path()))] == [True, True]


def test_a_step_cannot_go_back_in_time():
    with pytest.raises(
        SuiteError, match=r"^tests.yaml: case `c`, step 2: at 1 is before 5, when the step before it ended"
    ):
        run_suite(suite({"at": 5, "request": {}}, {"at": 1, "request": {}}))


def test_all_problems_of_a_file_are_told_at_once():
    raw = {
        "backends": {"a": {"url": "x", "circuitBreaker": {"interval": "1m", "tripDuration": "PT1M", "count": 1}}},
        "casez": [],
        "cases": [],
    }
    with pytest.raises(SuiteError) as refused:
        parse_suite(raw, "t.yaml", Path())
    assert str(refused.value).splitlines() == [
        "t.yaml: backends.a.circuitBreaker.interval: \"1m\" is no ISO 8601 duration; write PT1M (got '1m')",
        "t.yaml: cases: is empty; at least one case is needed (got [])",
        "t.yaml: casez: is no key that is known here; docs/policy-tests.md lists them (got [])",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [\n", "{file}:2:1: is no YAML: did not find expected node content"),
        ("", "{file}: a policy test file is a mapping with policies, backends and cases"),
        ("policies: {api: nope.xml}\ncases: [{name: a, steps: [{request: {}}]}]", "{file}: api: {folder}/nope.xml: there is no such file"),
        ("policies: {api: /etc/passwd}\ncases: [{name: a, steps: [{request: {}}]}]", "{file}: api: /etc/passwd lies elsewhere; name a file below the folder of the test file, or below the one you work in"),
        ("policies: {api: ../x.xml}\ncases: [{name: a, steps: [{request: {}}]}]", "{file}: api: {folder}/../x.xml lies elsewhere; name a file below the folder of the test file, or below the one you work in"),
        ("cases: [{name: a, steps: [{request: {sub: 1}}]}]", "{file}: cases.0.steps.0.request.sub: is no key that is known here; docs/policy-tests.md lists them (got 1)"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_used_is_told_in_one_line_with_its_place(tmp_path, text, message):
    file = tmp_path / "t.yaml"
    file.write_text(text)
    with pytest.raises(SuiteError) as refused:
        run_suite(load_suite(file))
    assert str(refused.value) == message.format(file=file, folder=tmp_path)


def test_a_pool_member_must_be_a_backend_of_the_file():
    with pytest.raises(SuiteError, match=r'^tests.yaml: pools.p: "b" is no backend of this file'):
        suite({"request": {}}, pools={"p": [{"backend": "b"}]})


def test_answers_must_be_those_of_a_backend_or_a_url():
    with pytest.raises(
        SuiteError, match=r'^tests.yaml: cases.0.steps.0.answers: "b" is no backend of this file and no URL'
    ):
        suite({"request": {}, "answers": {"b": {"status": 200}}})


def test_azures_own_nesting_of_breaker_and_pool_is_taken_too():
    rule = {
        "name": "r",
        "failureCondition": {"count": 1, "interval": "PT1M", "statusCodeRanges": [{"min": 429, "max": 429}]},
        "tripDuration": "PT1M",
        "acceptRetryAfter": True,
    }
    parsed = suite(
        {"request": {}},
        backends={"a": {"url": "http://a.test", "circuitBreaker": {"rules": [rule]}}},
        pools={
            "p": {
                "services": [{"id": "/backends/a", "priority": 2, "weight": 3}],
                "failureResponse": {"statusCode": 429},
            }
        },
    )
    configuration = parsed.configuration()
    assert configuration.backends[0].circuit_breaker.trip_duration_s == 60.0
    assert configuration.pools[0].members[0].backend == "a"
    assert configuration.pools[0].failure_response_status == 429


@pytest.mark.parametrize(("status", "code"), [(200, 0), (404, 1)])
def test_the_command_exits_1_when_a_case_fails_and_reports_as_json(tmp_path, status, code):
    file = tmp_path / "t.yaml"
    (tmp_path / "api.xml").write_text(DOCUMENT)
    file.write_text(
        json.dumps(
            {
                "policies": {"api": "api.xml"},
                "backends": {"a": {"url": "http://a.test"}},
                "cases": [{"name": "c", "steps": [{"request": {}, "expect": {"status": status}}]}],
            }
        )
    )
    result = CliRunner().invoke(command, ["--format", "json", str(file)])
    assert result.exit_code == code
    report = json.loads(result.stdout)
    assert report["failed"] == code
    assert [case["passed"] for case in report["cases"]] == [code == 0]
    if code:
        [failure] = report["cases"][0]["failures"]
        assert failure["mismatches"] == [{"what": "status", "expected": 404, "came": 200}]
        assert failure["trace"][-1].endswith("answered 200")


def test_the_text_report_shows_the_mismatch_and_the_trace(tmp_path):
    file = tmp_path / "t.yaml"
    file.write_text(
        json.dumps(
            {
                "policies": {"api": DOCUMENT},
                "backends": {"a": {"url": "http://a.test"}},
                "cases": [{"name": "c", "steps": [{"request": {}, "expect": {"status": 404}}]}],
            }
        )
    )
    result = CliRunner().invoke(command, [str(file)])
    lines = result.stdout.splitlines()
    assert lines[0] == f"FAIL {file}: c"
    assert lines[1] == "       step 1: status: expected 404, got 200"
    assert lines[-1] == "1 case, 1 failed"
    assert any("a answered 200" in line for line in lines)


def test_the_junit_report_has_one_test_case_per_case(tmp_path):
    file = tmp_path / "t.yaml"
    file.write_text(json.dumps({"cases": [{"name": "a <b>", "steps": [{"expect": {}}]}]}))
    result = CliRunner().invoke(command, ["--format", "junit", str(file)])
    assert result.stdout.splitlines()[1:] == [
        "<testsuites>",
        f'  <testsuite name="{file}" tests="1" failures="0">',
        f'    <testcase classname="{file}" name="a &lt;b&gt;" />',
        "  </testsuite>",
        "</testsuites>",
    ]
