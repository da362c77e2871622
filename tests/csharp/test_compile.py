"""What is refused at load, and how evaluation is bounded."""

import pytest

from sinbin.csharp.compiler import (
    CsException,
    ExpressionRefusedError,
    StepsExceededError,
    compile_source,
)
from sinbin.csharp.context import Body, Context, Request


@pytest.mark.parametrize(
    ("source", "reason", "message"),
    [
        ("a == ", "syntax", "1:5: a value or a name is missing"),
        ('System.IO.File.ReadAllText("x")', "type-not-allowed", "1:1: the type `System.IO.File` is not allowed in policy expressions"),
        ("new HttpClient()", "type-not-allowed", "1:5: the type `HttpClient` is not allowed in policy expressions"),
        ("DateTime.UtcNow.ToFileTime()", "member-not-allowed", "1:17: `DateTime.ToFileTime` is not allowed in policy expressions"),
        ('"a".Reverse2()', "not-modelled", "1:5: `string` has no member `Reverse2`, or it is not modelled"),
        ("CipherMode.CBC", "not-modelled", "1:1: the type `CipherMode` is not modelled"),
        ("1 + missing", "type-error", "1:5: there is no variable `missing` here"),
        ('"a" - 1', "type-error", "1:1: operator `-` cannot be applied to `string` and `int`"),
        ("int.MaxValue + 1", "type-error", "1:1: the operation overflows in a constant; C# refuses it unless it stands in `unchecked`"),
        ('(int)"5"', "type-error", "1:6: cannot convert `string` to `int`"),
        ('"abc".Substring("1")', "type-error", "1:1: no overload of `Substring` takes (string)"),
        ('context.Request.Method = "GET"', "type-error", "1:1: `Method` of `IRequest` cannot be assigned to"),
        ("1 switch { _ => 2 }", "not-modelled", "1:1: switch expression is not supported"),
    ],
)  # fmt: skip
def test_what_cannot_be_evaluated_is_refused_with_reason_and_place(source, reason, message):
    with pytest.raises(ExpressionRefusedError) as caught:
        compile_source(source, "expression")
    assert str(caught.value) == message
    assert [problem.reason for problem in caught.value.problems] == [reason]


def test_every_problem_of_an_expression_is_told_at_once():
    with pytest.raises(ExpressionRefusedError) as caught:
        compile_source("var x = nope + 1;\nvar y = new Thread();\nreturn x.Foo() + other;", "block")
    assert str(caught.value) == (
        "1:9: there is no variable `nope` here\n"
        "2:13: the type `Thread` is not allowed in policy expressions\n"
        "3:18: there is no variable `other` here"
    )


@pytest.mark.parametrize(
    ("source", "place"),
    [
        ("int x; return x;", "1:15"),
        ("int x; if (context.Variables.Count > 1) { x = 1; } return x;", "1:59"),
        ('int x; try { x = int.Parse("a"); } catch { } return x;', "1:53"),
        ("int x; while (context.Variables.Count > 1) { x = 1; break; } return x;", "1:69"),
        ("int x; switch (context.Variables.Count) { case 1: x = 1; break; } return x;", "1:74"),
        ("int x; bool yes = true; if (yes) { x = 1; } return x;", "1:52"),
        ("int r; void F() { int y; r = y; } F(); return r;", "1:30"),
        ("int r; void F() { } F(); return r;", "1:33"),
        ('string s; return s + "a";', "1:18"),
        ("int x; x += 1; return x;", "1:8"),
        ("object o = 1; if (o is int n || n > 1) { } return 1;", "1:33"),
        ("int x; Func<int> f = () => x; x = 1; return f();", "1:28"),
        ("int x; return new { x };", "1:21"),
    ],
)
def test_a_variable_without_a_value_on_some_path_cannot_be_read(source, place):
    with pytest.raises(ExpressionRefusedError) as caught:
        compile_source(source, "block")
    [problem] = caught.value.problems
    assert (f"{problem.line}:{problem.column}", problem.reason) == (place, "type-error")
    assert problem.message.endswith("may be read here before it has a value")


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("int r; void F() { r = 1; } F(); return r;", 1),
        ("int r; F(); return r; void F() { r = 2; }", 2),
        ("int r; int F() => r = 2; return F() + r;", 4),
        ("int r; void G() { r = 3; } void F() { G(); } F(); return r;", 3),
        ("int r; void F(int n) { if (n > 0) { F(n - 1); } else { r = 4; } } F(2); return r;", 4),
    ],
)
def test_a_local_function_gives_a_variable_its_value(source, value):
    assert compile_source(source, "block").evaluate(Context()) == value


@pytest.mark.parametrize(
    "source",
    [
        "var x = 1; switch (x) { case 1: goto default; default: return 2; }",
        "var x = 1; switch (x) { case 1: x = 5; goto case 2; case 2: return x; default: return 0; }",
        "int a; int x = 1; if (x > 0) { goto done; } else { a = 1; } x = a; done: return x;",
        "lock (new object()) { return 1; }",
        "int r; void F() { r = 1; } Action f = F; r = 2; f(); return r;",
        "switch (1 switch { _ => 2 }) { case 1: return 1; default: return 2; }",
    ],
)
def test_what_is_not_modelled_causes_no_type_error_beside_it(source):
    with pytest.raises(ExpressionRefusedError) as caught:
        compile_source(source, "block")
    assert {problem.reason for problem in caught.value.problems} == {"not-modelled"}


@pytest.mark.parametrize(
    "source",
    [
        "while (true) { }",
        "for (;;) { }",
        "do { } while (true);",
        "try { while (true) { } } catch { } finally { while (true) { } } return 1;",
        "return Enumerable.Range(0, int.MaxValue).Count(x => x > 5);",
        "return Enumerable.Repeat(1, int.MaxValue).Sum();",
    ],
)
def test_an_endless_loop_ends_as_an_error_that_no_catch_stops(source):
    with pytest.raises(StepsExceededError) as caught:
        compile_source(source, "block", max_steps=1000).evaluate(Context())
    assert str(caught.value) == "the expression took more than 1,000 steps"


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("int F(int n) { return F(n + 1); } return F(0);", "System.InsufficientExecutionStackException"),
        ('var s = "x"; for (int i = 0; i < 60; i++) s += s; return s;', "System.OutOfMemoryException"),
        ('return "".PadLeft(int.MaxValue);', "System.OutOfMemoryException"),
        ("return new int[int.MaxValue];", "System.OutOfMemoryException"),
    ],
)  # fmt: skip
def test_a_policy_cannot_exhaust_its_host(source, error):
    with pytest.raises(CsException) as caught:
        compile_source(source, "block").evaluate(Context())
    assert caught.value.type_name == error


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("1 == null", False),
        ("null != context.Timestamp", True),
        ("context.RequestId == null", False),
        ("context.Elapsed != null", True),
        ("context.Request.Method.Length == null", False),
        ("'x' == null", False),
        ("1.5 != null", True),
        ("true == null", False),
        ("DayOfWeek.Monday == null", False),
        ('"x" == null', False),
    ],
)
def test_a_value_that_is_never_null_may_be_compared_with_null(source, value):
    # Mono's compiler warns of it (CS0472), and gives these.
    assert compile_source(source, "expression").evaluate(Context()) is value


def test_a_struct_without_equality_cannot_be_compared_with_null():
    with pytest.raises(ExpressionRefusedError) as refused:
        compile_source("new Dictionary<int, int> { { 1, 2 } }.First() == null", "expression")
    assert [(problem.reason, problem.message) for problem in refused.value.problems] == [
        ("type-error", "operator `==` cannot be applied to `KeyValuePair<int, int>` and null")
    ]


def test_a_cast_of_a_generic_call_is_no_comparison():
    compiled = compile_source('(string)context.Request.Body.As<JObject>(true)["model"]', "expression")
    assert compiled.evaluate(Context(request=Request(body=Body(b'{"model": "m"}')))) == "m"


@pytest.mark.parametrize("kind", ["bool", "int", "DateTime"])
def test_a_null_among_the_variables_is_no_value_type(kind):
    compiled = compile_source(f'context.Variables.GetValueOrDefault<{kind}>("v")', "expression")
    with pytest.raises(CsException) as caught:
        compiled.evaluate(Context(variables={"v": None}))
    assert caught.value.type_name == "System.NullReferenceException"


def test_the_clock_and_chance_come_from_the_context():
    compiled = compile_source('DateTime.UtcNow.ToString("o") + " " + new Random().Next(1000)', "expression")
    first = compiled.evaluate(Context(now=1_700_000_000.5))
    assert first == compiled.evaluate(Context(now=1_700_000_000.5))
    assert first.startswith("2023-11-14T22:13:20.5000000Z ")


def test_generated_code_has_no_way_out():
    compiled = compile_source("1 + 1", "expression")
    builtins = compiled._run.__globals__["__builtins__"]
    assert {"open", "eval", "exec", "__import__", "getattr", "compile", "input"}.isdisjoint(builtins)
