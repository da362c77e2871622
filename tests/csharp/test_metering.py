"""An expression costs what it does: steps end it however little it repeats; figures here are steps, not seconds."""

import random

import pytest

from sinbin.csharp.compiler import StepsExceededError, compile_source
from sinbin.csharp.context import Context
from sinbin.csharp.results import STEPS_EXCEEDED, run
from sinbin.csharp.runtime import REQUEST_STEPS
from sinbin.csharp.text_size import MAX_TEXT

STEPS = {"throws": STEPS_EXCEEDED, "message": "the expression took more than 1,000,000 steps"}
MEMORY = {
    "throws": "System.OutOfMemoryException",
    "message": "Insufficient memory to continue the execution of the program.",
}
STACK = {
    "throws": "System.InsufficientExecutionStackException",
    "message": "Insufficient stack to continue executing the program safely.",
}
MILLION = "new string('a', 1000000)"
LIST = "var l = Enumerable.Range(0, 10000).ToList(); "


def context():
    return Context(rng=random.Random(1))


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ('var b = new StringBuilder(); while (true) { b.Append("aaaaaaaaaa"); }', STEPS),
        (f"var b = new StringBuilder({MILLION}); while (true) {{ b.Append('a'); var c = b[0]; }}", STEPS),
        ("var b = new StringBuilder(); while (true) { b.Append('a', int.MaxValue); }", MEMORY),
        ('return Enumerable.Repeat("aaaaaaaaaa", int.MaxValue).Aggregate((a, b) => a + b);', STEPS),
        (
            "IEnumerable<int> e = new[] { 1 }; for (var i = 0; i < 100000; i++) e = e.Concat(e); return e.Count();",
            STACK,
        ),
        (
            "IEnumerable<int> e = new[] { 1 }; for (var i = 0; i < 60; i++) e = e.Concat(e); return e.Count();",
            STEPS,
        ),
        ("var a = new JArray(); for (var i = 0; i < 60; i++) a = new JArray(a, a); return a.ToString();", STEPS),
        (
            "Func<int, int> f = null; f = n => { try { return f(n + 1); } finally { f(n + 1); } }; return f(0);",
            STEPS,
        ),
        ("Func<int, int> f = null; f = n => n < 2 ? n : f(n - 1) + f(n - 2); return f(60);", STEPS),
        ("int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); } return f(60);", STEPS),
        ("var l = new List<int> { 1 }; while (true) l.AddRange(l);", STEPS),
        ("var l = new List<string>(); while (true) l.Add(new string('c', 60000000));", STEPS),
        ("var l = new List<byte[]>(); while (true) l.Add(new byte[500000]);", STEPS),
        (
            "return new byte[50000000];",
            {**MEMORY, "message": "Array dimensions exceeded supported range."},
        ),
        (LIST + "while (true) l.Contains(-1);", STEPS),
        (LIST + "var q = l.Where(x => false); while (true) q.Count();", STEPS),
        (LIST + "return l.SelectMany(a => l).Count();", STEPS),
        (LIST + "return l.Join(l, a => 1, b => 1, (a, b) => 1).Sum();", STEPS),
        (f"var s = {MILLION}; while (true) s.IndexOf('b');", STEPS),
        (f"var s = {MILLION}; var t = {MILLION}; while (true) {{ if (s == t) continue; }}", STEPS),
        (f"var s = {MILLION}; while (true) {{ var t = s.Split(','); }}", STEPS),
        (f"var s = {MILLION}; while (true) {{ var t = Encoding.UTF8.GetBytes(s); }}", STEPS),
        (
            'var x = new XElement("a"); for (var i = 0; i < 60; i++) x = new XElement("a", x, x); return x.ToString();',
            STEPS,
        ),
        (
            'var a = JArray.FromObject(Enumerable.Range(0, 1000).ToList()); while (true) a.SelectToken("$..x");',
            STEPS,
        ),
        (
            "var a = JArray.FromObject(Enumerable.Range(0, 1000).ToList()); while (true) a.Values<int>().Sum();",
            STEPS,
        ),
        ("var s = new string('a', 10000); while (true) { var m = Regex.Matches(s, \"a\"); }", STEPS),
        ("while (true) { var r = new StringReader(new string('a', 10000)); r.ReadLine(); }", STEPS),
        ('var s = "a"; while (true) s += s;', MEMORY),
        (f'var s = {MILLION}; while (true) s = $"{{s}}{{s}}";', MEMORY),
        ("return new string('a', 100000).Replace(\"a\", new string('b', 100000));", MEMORY),
        (f'return string.Join(",", Enumerable.Repeat({MILLION}, 1000));', MEMORY),
        ("return Regex.Replace(new string('a', 100000), \"a\", new string('b', 100000));", MEMORY),
        (
            'return string.Format(string.Join("", Enumerable.Repeat("{0}", 1000)), new string(\'b\', 100000));',
            MEMORY,
        ),
    ],
)
def test_what_does_too_much_is_ended(source, answer):
    ending = "" if "return" in source else " return 1;"
    assert run(compile_source(source + ending, "block"), context()) == answer


@pytest.mark.parametrize(
    ("source", "result"),
    [
        (
            'var b = new StringBuilder(); for (var i = 0; i < 100000; i++) b.Append("0123456789"); return b.ToString().Length;',
            1_000_000,
        ),
        ('var s = ""; for (var i = 0; i < 5000; i++) s += "0123456789"; return s.Length;', 50_000),
        (LIST + "return l.Where(x => x % 2 == 0).Select(x => x * 2).Sum();", 49_990_000),
        (
            "var seen = new List<int>(); for (var i = 0; i < 1000; i++) if (!seen.Contains(i)) seen.Add(i); return seen.Count;",
            1000,
        ),
        (
            "var d = new Dictionary<int, int>(); for (var i = 0; i < 100000; i++) d[i % 100] = i; return d.Values.Max();",
            99_999,
        ),
        (
            "var n = 0; for (var i = 0; i < 1000; i++) { try { throw new Exception(); } catch (Exception) { n++; } } return n;",
            1000,
        ),
    ],
)
def test_ordinary_work_is_within_the_budget(source, result):
    assert run(compile_source(source, "block"), context())["result"] == result


def test_a_text_may_be_as_long_as_the_longest():
    assert (
        run(compile_source(f"new string('a', {MAX_TEXT}).Length", "expression"), context())["result"] == MAX_TEXT
    )
    assert run(compile_source(f"new string('a', {MAX_TEXT + 1}).Length", "expression"), context()) == MEMORY


def test_the_expressions_of_a_request_share_a_budget():
    compiled = compile_source("var n = 0; for (var i = 0; i < 999000; i++) n++; return n;", "block")
    shared = context()
    assert [compiled.evaluate(shared) for _ in range(5)] == [999_000] * 5
    assert 0 < shared.steps_left == REQUEST_STEPS - 5 * 999_001
    with pytest.raises(StepsExceededError):
        compiled.evaluate(shared)
    with pytest.raises(StepsExceededError) as caught:
        compiled.evaluate(shared)
    assert str(caught.value) == "the expressions of this request took more than 5,000,000 steps"


def test_an_expression_that_repeats_nothing_has_no_budget_to_keep():
    compiled = compile_source('context.Request.Method.ToLower() + string.Join(",", "a", "b")', "expression")
    assert "rt." not in compiled.python
    assert "(rt" not in compiled.python.partition("\n")[2]
