"""Random expressions, asked of a real C# and of ours; prints where they differ.

    python benchmarks/csharp_witness/fuzz.py --core /tmp/core/dotnetcore2/bin --seed 1 --count 400

An expression that ours refuses as not modelled is no difference. Finds go into
tests/data/csharp/conformance/found.txt, and generate.py writes the answers beside them.
"""

import argparse
import math
import random
import sys
from pathlib import Path

from witness import Witnesses

from sinbin.csharp.compiler import CsException, ExpressionRefusedError, compile_source
from sinbin.csharp.context import Context
from sinbin.csharp.jsonnet.tokens import JToken
from sinbin.csharp.jsonnet.writer import write
from sinbin.csharp.numbers import format_decimal
from sinbin.csharp.values import Single, full_name, to_text, type_of

LEAVES = {
    "int": ["0", "1", "-1", "7", "2147483647", "(-2147483647 - 1)", "'a'.CompareTo('c')", '"abc".Length'],
    "long": ["0L", "5L", "-3L", "9223372036854775807L"],
    "double": ["0.0", "1.5", "-2.5", "0.1", "1e10", "3.0", "double.NaN", "1e-7"],
    "decimal": ["0m", "1.5m", "-2.50m", "0.1m", "100m"],
    "string": ['""', '"abc"', '"Hello"', '" x "', '"12"', '"a,b,c"', "(string)null"],
    "bool": ["true", "false"],
    "char": ["'a'", "'Z'", "'5'"],
    "ints": ["new[] { 3, 1, 2 }", "new int[0]", "new[] { 5, 5 }", "Enumerable.Range(1, 4).ToArray()"],
    "strings": ['new[] { "b", "a" }', "\"x y z\".Split(' ')", "new string[0]"],
    "token": [
        'JToken.Parse("{\\"a\\":1,\\"b\\":[1,2.5,\\"x\\",null]}")',
        'JToken.Parse("[true,\\"7\\"]")',
        'JToken.Parse("5")',
    ],
    "date": ["new DateTime(2024, 2, 29, 13, 5, 9)", "new DateTime(2000, 1, 1)"],
    "span": ["TimeSpan.FromSeconds(90.5)", "new TimeSpan(1, 2, 3, 4)", "TimeSpan.Zero"],
}
RULES = {
    "int": ["({int} + {int})", "({int} - {int})", "({int} * {int})", "({int} / {int})", "({int} % {int})", "({int} << {int})", "({int} >> {int})",
            "({int} & {int})", "({int} ^ {int})", "(~{int})", "(-{int})", "({bool} ? {int} : {int})", "(int){double}", "(int){long}", "(int){char}",
            "{string}.Length", "{string}.IndexOf({string})", "int.Parse({string})", "{ints}.Sum()", "{ints}.Count(x => x > {int})", "{ints}.Max()",
            "{ints}.Aggregate((a, b) => a * 3 + b)", "{strings}.Length", "Math.Max({int}, {int})", "Math.Abs({int})", "Convert.ToInt32({double})",
            "(int){token}", "{string}.CompareTo({string}) * 0", "{date}.Day", "{span}.Minutes", "{ints}[{int}]", "{int}.CompareTo({int})", "checked({int} + {int})"],
    "long": ["({long} + {int})", "({long} * {long})", "({long} / {long})", "(long){double}", "(long){int}", "{date}.Ticks"],
    "double": ["({double} + {double})", "({double} * {int})", "({double} / {double})", "({double} % {double})", "(double){int}", "Math.Round({double}, 1)",
               "Math.Floor({double})", "Math.Sqrt({double})", "{ints}.Average()", "double.Parse({string})", "(double){decimal}", "{span}.TotalMinutes",
               "Math.Round({double})", "(double){token}", "Math.Pow({double}, 2)"],
    "decimal": ["({decimal} + {decimal})", "({decimal} * {decimal})", "({decimal} / {decimal})", "({decimal} % {decimal})", "(decimal){int}", "(decimal){double}",
                "Math.Round({decimal}, 1)"],
    "string": ["({string} + {string})", "({string} + {int})", "({string} + {double})", "({string} + {decimal})", "({string} + {bool})", "({string} + {char})",
               "{string}.ToUpper()", "{string}.Substring({int})", "{string}.Trim()", "{string}.Replace({string}, {string})", "{double}.ToString()",
               '{double}.ToString("F2")', '{double}.ToString("N1")', '{double}.ToString("0.0#")', '{double}.ToString("E2")', '{int}.ToString("X")',
               '{int}.ToString("D4")', "{decimal}.ToString()", '{decimal}.ToString("N2")', 'string.Join(",", {ints})', 'string.Join("-", {strings})',
               "({string} ?? {string})", '$"{{{int}}}|{{{double}:F1}}|{{{string},6}}"', 'string.Format("{{0}}/{{1}}", {int}, {string})', "{token}.ToString()",
               "(string){token}", "{strings}.FirstOrDefault()", '{date}.ToString("yyyy-MM-dd HH:mm")', "{span}.ToString()", '{token}["a"].ToString()',
               "{string}?.ToLower()", "{bool}.ToString()", "{string}.PadLeft(5)", 'Regex.Replace({string}, "[a-c]", "_")', '{token}["b"]?.ToString(Formatting.None)'],
    "bool": ["({int} < {int})", "({double} >= {double})", "({int} == {long})", "({string} == {string})", "({bool} && {bool})", "({bool} || {bool})", "(!{bool})",
             "{string}.Contains({string})", "{string}.StartsWith({string})", "string.IsNullOrEmpty({string})", "{ints}.Any(x => x == {int})", "({decimal} > {decimal})",
             "({string} == null)", "{ints}.Contains({int})", "({date} > {date})", "{int}.Equals({int})", "((object){int}).Equals({long})", "{ints}.All(x => x < {int})"],
    "char": ["{string}[{int}]", "char.ToUpper({char})", "(char)({char} + 1)", "{string}.First()"],
    "ints": ["{ints}.OrderBy(x => x).ToArray()", "{ints}.Where(x => x > {int}).ToArray()", "{ints}.Select(x => x * {int}).ToArray()", "{ints}.Distinct().ToArray()",
             "{ints}.Concat({ints}).ToArray()", "{ints}.Skip(1).ToArray()", "{ints}.Reverse().ToArray()", "{string}.Select(c => (int)c).ToArray()"],
    "strings": ["{string}.Split(',')", "{ints}.Select(x => x.ToString()).ToArray()", "{strings}.OrderBy(x => x).ToArray()", "{strings}.Where(x => x != {string}).ToArray()"],
    "token": ['{token}["b"]', "{token}[{int}]", '{token}.SelectToken("b[1]")', '{token}.SelectToken("$.a")', "new JArray({int}, {string})",
              'new JObject(new JProperty("k", {int}))', "{token}.First"],
    "date": ["{date}.AddDays({int})", "{date}.AddMonths({int})", "({date} + {span})"],
    "span": ["({date} - {date})", "({span} + {span})", "TimeSpan.FromMinutes({double})"],
}  # fmt: skip


def grow(rng: random.Random, kind: str, depth: int) -> str:
    """Return a random expression of a kind."""
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(LEAVES[kind])
    out = rng.choice(RULES[kind]).replace("{{", "\x00").replace("}}", "\x01")
    for inner in RULES:
        while f"{{{inner}}}" in out:
            out = out.replace(f"{{{inner}}}", grow(rng, inner, depth - 1), 1)
    return out.replace("\x00", "{").replace("\x01", "}")


def ours(expression: str) -> dict:
    """Return our answer in the witness's form."""
    try:
        value = compile_source(expression[2:-1], "expression").evaluate(Context())
    except ExpressionRefusedError as error:
        return {"refused": str(error)}
    except CsException as error:
        return {"throws": error.type_name, "message": error.message}
    return {"result": value, "type": None if value is None else full_name(type_of(value))}


def plain(value: object) -> object:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, JToken):
        return write(value, indented=False)
    kind = type_of(value).name
    if kind == "decimal":
        return format_decimal(value)
    if kind in {"DateTime", "DateTimeOffset"}:
        return value.cs_format("o")
    if isinstance(value, int):
        return int(value)
    if isinstance(value, list):
        return [plain(item) for item in value]
    return to_text(value) if not isinstance(value, float) else float(value)


def same(mine: dict, real: dict) -> bool:
    if "refused" in mine or "refused" in real:
        # What a C# compiler refuses, ours refuses too; what ours lacks is no difference.
        return "refused" in mine
    if "throws" in mine or "throws" in real:
        return (mine.get("throws"), mine.get("message")) == (real.get("throws"), real.get("message"))
    value, told = plain(mine["result"]), real["result"]
    if isinstance(value, float) and isinstance(told, str):
        told = float(told.replace("Infinity", "inf"))
        if isinstance(mine["result"], Single):
            return f"{value:.9g}" == f"{told:.9g}"
        return value == told or (math.isnan(value) and math.isnan(told)) or abs(value - told) <= 1e-15 * abs(told)
    return value == told and (mine["type"] or "").split("`")[0] == (real["type"] or "").split("`")[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--core", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    sources = [f"@({grow(rng, rng.choice(list(RULES)), rng.randint(1, 3))})" for _ in range(arguments.count)]
    sources = list(dict.fromkeys(source for source in sources if "\n" not in source))
    differing = 0
    for source, answer in zip(sources, Witnesses(arguments.core).ask(sources), strict=True):
        real = answer.get("core") or answer["mono"]
        if "message" in real:
            # Json.NET 6, which Debian has, words this differently from version 13.
            real["message"] = real["message"].replace(
                "Array position index expected", "Int32 array index expected"
            )
        try:
            mine = ours(source)
        except Exception as error:  # noqa: BLE001  (a crash is a find)
            mine = {"throws": "a crash of ours", "message": repr(error)}
        if not same(mine, real):
            differing += 1
            print(f"{source}\n  ours: {mine}\n  real: {real}")
    print(f"{len(sources)} expressions, {differing} differ", file=sys.stderr)
    return 1 if differing else 0


if __name__ == "__main__":
    raise SystemExit(main())
