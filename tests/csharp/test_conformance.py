"""Expressions give what a real C# gives: the answers were recorded by benchmarks/csharp_witness/generate.py."""

import json
from pathlib import Path

import pytest

from sinbin.csharp.compiler import CsException, ExpressionRefusedError, compile_source
from sinbin.csharp.context import Context
from sinbin.csharp.jsonnet.tokens import JToken
from sinbin.csharp.jsonnet.writer import write
from sinbin.csharp.numbers import format_decimal
from sinbin.csharp.values import Single, full_name, to_text, type_of

DATA = Path(__file__).parents[1] / "data/csharp/conformance"
CASES = [
    pytest.param(json.loads(line), id=f"{path.stem}-{number}")
    for path in sorted(DATA.glob("*.jsonl"))
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
]


def plain(value):
    """The value as the witness writes it: numbers that JSON cannot tell apart as text, dates in round-trip form."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, JToken):
        return write(value, indented=False)
    if isinstance(value, float):
        return float(value)
    if isinstance(value, str):
        return str(value)
    name = type_of(value).name
    if name in {"DateTime", "DateTimeOffset"}:
        return value.cs_format("o")
    if name == "ulong":
        return str(int(value))
    if name == "decimal":
        return format_decimal(value)
    if hasattr(value, "cs_text") and not (hasattr(value, "__iter__") and not hasattr(value, "labels")):
        return value.cs_text()
    if isinstance(value, tuple):
        return to_text(value)
    if isinstance(value, int):
        return int(value)
    if hasattr(value, "__iter__"):
        return [plain(item) for item in value]
    return to_text(value)


def told(value, kind):
    """The witness's answer in the same form."""
    if kind in {"System.Double", "System.Single"}:
        return float(value.replace("Infinity", "inf"))
    if kind == "System.Double[]":
        return [float(item) for item in value]
    return value


def same(ours, theirs, value):
    if isinstance(ours, float) and isinstance(theirs, float):
        if isinstance(value, Single):
            return f"{ours:.9g}" == f"{theirs:.9g}"
        return ours == theirs or (ours != ours and theirs != theirs)
    return ours == theirs


def evaluate(expression):
    kind = "expression" if expression.startswith("@(") else "block"
    return compile_source(expression[2:-1], kind).evaluate(Context())


@pytest.mark.parametrize("case", CASES)
def test_an_expression_gives_what_real_csharp_gives(case):
    if "refused" in case:
        with pytest.raises(ExpressionRefusedError):
            evaluate(case["expression"])
    elif "throws" in case:
        with pytest.raises(CsException) as caught:
            evaluate(case["expression"])
        assert (caught.value.type_name, caught.value.message) == (case["throws"], case["message"])
    else:
        value = evaluate(case["expression"])
        kind = None if value is None else full_name(type_of(value))
        bare = case["type"] and case["type"].split("`")[0]
        if bare and "Iterator" in bare:
            bare = "System.Collections.Generic.IEnumerable"  # how .NET builds a sequence is its own affair
        assert (kind and kind.split("`")[0]) == bare
        assert same(plain(value), told(case["result"], case["type"]), value), (plain(value), case["result"])
