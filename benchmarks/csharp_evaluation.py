"""How long expressions of a routing policy take: microseconds per evaluation, and as a ratio to an empty call.

python benchmarks/csharp_evaluation.py
"""

import timeit

from sinbin.csharp.compiler import compile_source
from sinbin.csharp.context import Context, Subscription
from sinbin.csharp.messages import Body, Request, Response, Texts

EXPRESSIONS = [
    'context.Request.Headers.GetValueOrDefault("x","")',
    "context.Response != null && context.Response.StatusCode == 429",
    'context.Variables.GetValueOrDefault<string>("a","") == "x"',
    '(int)context.Variables["n"] > 0',
    "context.Subscription.Id",
    'context.Request.Url.Path.EndsWith("/chat/completions", StringComparison.OrdinalIgnoreCase)',
    'context.Request.Body.As<JObject>(preserveContent: true)["model"].ToString()',
    'context.Product?.Name ?? "none"',
]
ROUNDS = 20_000


def main() -> int:
    body = (
        b'{"model":"gpt-4.1-mini","messages":[{"role":"user","content":"hello"}],"max_tokens":20,"stream":false}'
    )
    request = Request(headers=Texts([("x", "1")]), body=Body(body))
    context = Context(request=request, response=Response(), variables={"a": "x", "n": 5})
    context.subscription = Subscription(id="web")
    constant = compile_source("1", "expression")
    base = min(timeit.repeat(lambda: constant.evaluate(context), number=ROUNDS, repeat=5)) / ROUNDS
    print(f"{base * 1e6:8.2f} µs   1.0x  a constant")
    for source in EXPRESSIONS:
        compiled = compile_source(source, "expression")
        took = (
            min(timeit.repeat(lambda compiled=compiled: compiled.evaluate(context), number=ROUNDS, repeat=5))
            / ROUNDS
        )
        print(f"{took * 1e6:8.2f} µs {took / base:5.1f}x  {source}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
