"""`sinbin eval`: exit codes and whole output."""

import json
from pathlib import Path

import pytest

from sinbin.cli import main

DATA = Path(__file__).parents[1] / "data/csharp/conformance"


@pytest.fixture
def sinbin(monkeypatch, capsys):
    def run(*arguments):
        monkeypatch.setattr("sys.argv", ["sinbin", "eval", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            main()
        out, err = capsys.readouterr()
        return caught.value.code, out, err

    return run


CONTEXT = {
    "request": {
        "method": "POST",
        "url": "https://gw.test:8443/chat/completions?api-version=1&x=a&x=b",
        "headers": {"Content-Type": "application/json", "X-Many": ["1", "2"]},
        "body": {"model": "gpt", "n": 2},
        "matchedParameters": {"id": "dep"},
        "ipAddress": "10.0.0.1",
    },
    "response": {"statusCode": 429, "statusReason": "Too Many Requests", "headers": {"Retry-After": "7"}},
    "variables": {
        "s": "x",
        "i": 5,
        "big": 5_000_000_000,
        "d": 1.5,
        "b": True,
        "o": {"a": [1]},
        "a": [1, 2],
        "n": None,
    },
    "subscription": {"id": "sub", "key": "k", "name": "Sub"},
    "product": {"id": "p", "name": "P"},
    "lastError": {"source": "forward-request", "reason": "Timeout"},
    "requestId": "0f8fad5b-d9cb-469f-a165-70867728950e",
    "timestamp": "2024-01-02T03:04:05Z",
    "elapsed": "00:00:01.5",
}


@pytest.mark.parametrize(
    ("expression", "answer"),
    [
        ("@(1 + 2)", {"result": 3, "type": "System.Int32"}),
        ("@(context.Request.Method + context.Request.Url.Port)", {"result": "POST8443", "type": "System.String"}),
        ('@(context.Request.Headers.GetValueOrDefault("x-many", ""))', {"result": "1,2", "type": "System.String"}),
        ('@(context.Request.Headers["X-MANY"].Length)', {"result": 2, "type": "System.Int32"}),
        ('@(context.Request.Url.Query.GetValueOrDefault("x", ""))', {"result": "a,b", "type": "System.String"}),
        ("@(context.Request.Body.As<string>())", {"result": '{"model":"gpt","n":2}', "type": "System.String"}),
        ('@(context.Request.Body.As<JObject>(preserveContent: true)["n"])', {"result": 2, "type": "Newtonsoft.Json.Linq.JValue"}),
        ("@{ context.Request.Body.As<string>(); return context.Request.Body.As<string>(); }", {"result": "", "type": "System.String"}),
        ("@{ context.Request.Body.As<string>(true); return context.Request.Body.As<string>().Length; }", {"result": 21, "type": "System.Int32"}),
        ("@(context.Response != null && context.Response.StatusCode == 429)", {"result": True, "type": "System.Boolean"}),
        ('@(context.Variables["i"])', {"result": 5, "type": "System.Int32"}),
        ('@(context.Variables["big"])', {"result": 5_000_000_000, "type": "System.Int64"}),
        ('@(context.Variables["d"])', {"result": 1.5, "type": "System.Double"}),
        ('@(context.Variables["o"])', {"result": {"a": [1]}, "type": "Newtonsoft.Json.Linq.JObject"}),
        ('@(((JArray)context.Variables["a"]).Count)', {"result": 2, "type": "System.Int32"}),
        ('@(context.Variables["n"])', {"result": None, "type": None}),
        ('@((int)context.Variables["s"])', {"throws": "System.InvalidCastException", "message": "Unable to cast object of type 'System.String' to type 'System.Int32'."}),
        ('@(context.Variables.GetValueOrDefault<int>("s", 1))', {"throws": "System.InvalidCastException", "message": "Unable to cast object of type 'System.String' to type 'System.Int32'."}),
        ('@(context.Variables["nope"])', {"throws": "System.Collections.Generic.KeyNotFoundException", "message": "The given key 'nope' was not present in the dictionary."}),
        ('@(context.Variables.GetValueOrDefault<string>("nope", "d"))', {"result": "d", "type": "System.String"}),
        ("@(context.User.Id)", {"throws": "System.NullReferenceException", "message": "Object reference not set to an instance of an object."}),
        ('@(context.User?.Id ?? "nobody")', {"result": "nobody", "type": "System.String"}),
        ('@(context.Request.MatchedParameters["id"] + context.LastError.Reason)', {"result": "depTimeout", "type": "System.String"}),
        ("@(context.Timestamp)", {"result": "2024-01-02T03:04:05.0000000Z", "type": "System.DateTime"}),
        ("@(context.Elapsed)", {"result": "00:00:01.5000000", "type": "System.TimeSpan"}),
        ("@(context.RequestId)", {"result": "0f8fad5b-d9cb-469f-a165-70867728950e", "type": "System.Guid"}),
        ("@('c')", {"result": "c", "type": "System.Char"}),
    ],
)  # fmt: skip
def test_an_expression_is_evaluated_in_its_context(sinbin, tmp_path, expression, answer):
    file = tmp_path / "context.json"
    file.write_text(json.dumps(CONTEXT))
    code, out, err = sinbin(expression, "--context", file)
    assert (code, json.loads(out), err) == (0, answer, "")


def test_without_a_context_there_is_no_response(sinbin):
    assert sinbin("@(context.Response == null)") == (0, '{"result": true, "type": "System.Boolean"}\n', "")


def test_what_is_refused_at_load_is_a_finding(sinbin):
    code, out, _ = sinbin("@(foo +\n  new Thread())")
    assert (code, json.loads(out)) == (
        1,
        {
            "findings": [
                {"reason": "type-error", "line": 1, "column": 3, "message": "there is no variable `foo` here"},
                {
                    "reason": "type-not-allowed",
                    "line": 2,
                    "column": 7,
                    "message": "the type `Thread` is not allowed in policy expressions",
                },
            ]
        },
    )


def test_a_batch_is_answered_line_by_line(sinbin, tmp_path):
    file = tmp_path / "batch.jsonl"
    lines = [
        {"expression": "@(1)"},
        {"expression": '@(context.Variables["a"])', "context": {"variables": {"a": "x"}}},
        {"expression": "@(nope)"},
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    code, out, _ = sinbin("--batch", file)
    assert code == 1
    assert [json.loads(line) for line in out.splitlines()] == [
        {"result": 1, "type": "System.Int32"},
        {"result": "x", "type": "System.String"},
        {
            "findings": [
                {"reason": "type-error", "line": 1, "column": 3, "message": "there is no variable `nope` here"}
            ]
        },
    ]


@pytest.mark.parametrize(
    ("arguments", "context", "message"),
    [
        ([], None, "error: give either an expression or --batch FILE.jsonl\n"),
        (["1 + 1"], None, 'error: "1 + 1" is no policy expression: write @(…) around one expression, @{…} around statements\n'),
        (["@(1)"], {"requst": {}}, 'error: {file}: unknown key "requst" (allowed: api, deployment, elapsed, lastError, operation, product, request, requestId, response, subscription, timestamp, user, variables)\n'),
        (["@(1)"], {"request": 5}, "error: {file}: request: an object is wanted here, not 5\n"),
        (["@(1)"], {"response": {"statusCode": "x"}}, 'error: {file}: response.statusCode: "x" is no integer\n'),
        (["@(1)"], {"timestamp": "soon"}, 'error: {file}: timestamp: "soon" is not a date and time\n'),
    ],
)  # fmt: skip
def test_wrong_input_is_one_clear_message(sinbin, tmp_path, arguments, context, message):
    file = tmp_path / "context.json"
    file.write_text(json.dumps(context))
    code, out, err = sinbin(*arguments, *([] if context is None else ["--context", file]))
    assert (code, out, err) == (2, "", message.replace("{file}", str(file)))


def test_the_certificate_of_a_context_is_pem_or_base64(sinbin, tmp_path):
    file = tmp_path / "context.json"
    certificate = (DATA / "certificates.txt").read_text("utf-8").split('FromBase64String("')[1].split('"')[0]
    pem = f"-----BEGIN CERTIFICATE-----\n{certificate}\n-----END CERTIFICATE-----\n"
    for text in (certificate, pem):
        file.write_text(json.dumps({"request": {"certificate": text}}))
        code, out, _ = sinbin("@(context.Request.Certificate.Subject)", "--context", file)
        assert (code, json.loads(out)["result"]) == (
            0,
            'CN=client.contoso.test, OU=Chat, O="Contoso, Ltd", S=Kent, C=GB',
        )
    file.write_text(json.dumps({"request": {"certificate": "none"}}))
    code, out, err = sinbin("@(1)", "--context", file)
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {file}: request.certificate: is no certificate in PEM or base64: ")


NINES = "9" * 5000


@pytest.mark.parametrize(
    ("context", "why"),
    [
        (f'{{"variables": {{"n": {NINES}}}}}', ": holds an integer of more than 4,300 digits"),
        ("[" * 100_000, ": is nested too deeply"),
        ('{"request": {"url": "http://[::1"}}', ': request.url: "http://[::1" is no URL: Invalid IPv6 URL'),
        (
            '{"request": {"url": "http://h:99999/"}}',
            ': request.url: "http://h:99999/" is no URL: Port out of range 0-65535',
        ),
        (
            '{"variables": {"n": 9223372036854775808}}',
            ": variables.n: 9223372036854775808 is larger than an Int64",
        ),
    ],
    ids=["digits", "depth", "host", "port", "long"],
)
def test_a_context_that_cannot_be_read_is_one_message(sinbin, tmp_path, context, why):
    file = tmp_path / "c.json"
    file.write_text(context)
    assert sinbin("@(1)", "--context", file) == (2, "", f"error: {file}{why}\n")


def test_a_line_of_a_batch_that_cannot_be_read_is_one_message(sinbin, tmp_path):
    file = tmp_path / "b.jsonl"
    file.write_text(f'{{"expression": "@(1)", "context": {{"variables": {{"n": {NINES}}}}}}}\n')
    assert sinbin("--batch", file) == (2, "", f"error: {file}:1: holds an integer of more than 4,300 digits\n")
