"""Expressions as policies in the field have them: they load, and the larger ones do what they are for."""

import contextlib
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sinbin.csharp.compiler import (
    CsException,
    ExpressionRefusedError,
    StepsExceededError,
    compile_source,
)
from sinbin.csharp.context import Context
from sinbin.csharp.jsonnet.containers import JArray, JObject
from sinbin.csharp.messages import Body, Request, Response, Texts

DATA = Path(__file__).parents[1] / "data/csharp"
DEPLOYED = [line for line in (DATA / "deployed.txt").read_text("utf-8").splitlines() if line.startswith("@")]


@pytest.mark.parametrize("expression", DEPLOYED)
def test_a_deployed_expression_loads(expression):
    compile_source(expression[2:-1], "expression" if expression.startswith("@(") else "block")


MAKE_BACKENDS = """
    JArray backends = new JArray();
    backends.Add(new JObject()
    {
        { "url", "https://eastus.test/" },
        { "priority", 1 },
        { "isThrottling", false },
        { "retryAfter", DateTime.MinValue }
    });
    backends.Add(new JObject()
    {
        { "url", "https://westus.test/" },
        { "priority", 1 },
        { "isThrottling", false },
        { "retryAfter", DateTime.MinValue }
    });
    backends.Add(new JObject()
    {
        { "url", "https://uksouth.test/" },
        { "priority", 2 },
        { "isThrottling", false },
        { "retryAfter", DateTime.MinValue }
    });
    return backends;
"""
CHOOSE = """
    JArray backends = (JArray)context.Variables["listBackends"];
    int selectedPriority = Int32.MaxValue;
    List<int> availableBackends = new List<int>();
    for (int i = 0; i < backends.Count; i++)
    {
        JObject backend = (JObject)backends[i];
        if (!backend.Value<bool>("isThrottling"))
        {
            int backendPriority = backend.Value<int>("priority");
            if (backendPriority < selectedPriority)
            {
                selectedPriority = backendPriority;
                availableBackends.Clear();
                availableBackends.Add(i);
            }
            else if (selectedPriority == backendPriority)
            {
                availableBackends.Add(i);
            }
        }
    }
    if (availableBackends.Count == 1)
    {
        return availableBackends[0];
    }
    if (availableBackends.Count > 0)
    {
        return availableBackends[new Random().Next(0, availableBackends.Count)];
    }
    return 0;
"""
THROTTLE = """
    JArray backends = (JArray)context.Variables["listBackends"];
    int index = context.Variables.GetValueOrDefault<int>("backendIndex");
    int retryAfter = Convert.ToInt32(context.Response.Headers.GetValueOrDefault("Retry-After", "-1"));
    if (retryAfter == -1)
    {
        retryAfter = Convert.ToInt32(context.Response.Headers.GetValueOrDefault("x-ratelimit-reset-requests", "10"));
    }
    JObject backend = (JObject)backends[index];
    backend["isThrottling"] = true;
    backend["retryAfter"] = DateTime.Now.AddSeconds(retryAfter);
    return backends;
"""
RECOVER = """
    JArray backends = (JArray)context.Variables["listBackends"];
    for (int i = 0; i < backends.Count; i++)
    {
        JObject backend = (JObject)backends[i];
        if (backend.Value<bool>("isThrottling") && DateTime.Now >= backend.Value<DateTime>("retryAfter"))
        {
            backend["isThrottling"] = false;
            backend["retryAfter"] = DateTime.MinValue;
        }
    }
    return backends;
"""


def test_the_classic_load_balancer_in_csharp_runs():
    """A list of backends in a variable, a loop for the best, a mark on the one that refuses, a way back."""
    make, choose, throttle, recover = (
        compile_source(source, "block") for source in (MAKE_BACKENDS, CHOOSE, THROTTLE, RECOVER)
    )
    context = Context(now=1_700_000_000.0, rng=random.Random(1))
    context.variables["listBackends"] = make.evaluate(context)
    chosen = {choose.evaluate(context) for _ in range(50)}
    assert chosen == {0, 1}
    for index in (0, 1):
        context.variables["backendIndex"] = index
        context.response = Response(status_code=429, headers=Texts([("Retry-After", "20")]))
        context.variables["listBackends"] = throttle.evaluate(context)
    assert choose.evaluate(context) == 2
    context.now += 21
    context.variables["listBackends"] = recover.evaluate(context)
    assert {choose.evaluate(context) for _ in range(50)} == {0, 1}


def test_a_body_is_rewritten_without_losing_what_is_not_named():
    compiled = compile_source(
        """
        var body = context.Request.Body.As<JObject>(preserveContent: true);
        body["model"] = "gpt-4.1-mini";
        if (body["stream"]?.Value<bool>() == true) {
            body["stream_options"] = new JObject(new JProperty("include_usage", true));
        }
        return body.ToString(Newtonsoft.Json.Formatting.None);
        """,
        "block",
    )
    request = Request(body=Body('{"model":"chat","stream":true,"messages":[{"content":"hé 😀"}]}'.encode()))
    assert compiled.evaluate(Context(request=request)).encode("utf-16-le", "surrogatepass").decode(
        "utf-16-le"
    ) == (
        '{"model":"gpt-4.1-mini","stream":true,"messages":[{"content":"hé 😀"}],"stream_options":{"include_usage":true}}'
    )


VALUES = st.sampled_from([
    "1", "0", "-1", "2147483647", "1L", "1.5", "2m", "'c'", '"x"', '""', "true", "null", "(string)null", "(int?)null",
    "new[] {1, 2}", "new int[0]", 'JObject.Parse("{\'a\':1}")', 'JArray.Parse("[1]")', "DateTime.MinValue", "TimeSpan.Zero",
    "context.Variables", "context.Response", "context.Request.Headers", "x => x", "new List<string>()", "int", "typeof(int)",
    "(1, 2)", "new { a = 1 }", 'context.Variables["v"]', "default(Guid)", "Math.PI", 'new Regex("a")',
])  # fmt: skip
OPERATORS = st.sampled_from(
    ["+", "-", "*", "/", "%", "==", "!=", "<", ">=", "&&", "||", "??", "&", "|", "<<", "is", "as"]
)
MEMBERS = st.sampled_from([
    ".Length", ".Count", ".ToString()", ".First()", '["a"]', "[0]", "[9]", ".Select(x => x)", ".Where(x => x != null)", ".Sum()",
    ".GetType().Name", ".Value", ".Equals(1)", '.Contains("x")', ".Substring(1)", ".a", ".Item1", ".Type", "?.ToString()", "?.Length",
    ".ToList()", ".Max()", ".Ticks", '.GetValueOrDefault("x", "y")', ".Split(',')", ".Aggregate((a, b) => a)", ".OrderBy(x => x)",
])  # fmt: skip


def combine(inner):
    return st.one_of(
        st.builds("({} {} {})".format, inner, OPERATORS, inner),
        st.builds("{}{}".format, inner, MEMBERS),
        st.builds("({} ? {} : {})".format, inner, inner, inner),
        st.builds("(int)({})".format, inner),
        st.builds("(string)({})".format, inner),
        st.builds("(!{})".format, inner),
        st.builds("(-{})".format, inner),
        st.builds('string.Format("{{0}}", {})'.format, inner),
        st.builds("Convert.ToInt32({})".format, inner),
        st.builds("new JArray({})".format, inner),
        st.builds('$"{{{}}}"'.format, inner),
    )


@settings(max_examples=200, deadline=None)
@given(st.recursive(VALUES, combine, max_leaves=6))
def test_any_expression_is_refused_or_gives_a_value_or_an_exception_of_net(source):
    context = Context(variables={"v": JObject({"a": JArray([1])})})
    with contextlib.suppress(ExpressionRefusedError, CsException, StepsExceededError):
        compile_source(source, "expression", max_steps=1000).evaluate(context)
