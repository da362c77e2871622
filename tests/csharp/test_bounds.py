"""Numbers and patterns beyond every type end as in .NET, or in a refusal of ours; never in an error of Python."""

import random

import pytest

from sinbin.csharp.compiler import ExpressionRefusedError, compile_source
from sinbin.csharp.context import Context
from sinbin.csharp.regex_size import LARGEST
from sinbin.csharp.results import STEPS_EXCEEDED, run

NINES = "9" * 5000
OUT_OF_RANGE = "at least one of the numeric components is out of range or contains too many digits."
INT32 = "Value was either too large or too small for an Int32."
GROUPS = "Capture group numbers must be less than or equal to Int32.MaxValue."
FORMAT = "Input string was not in a correct format."
PARSE = "System.Text.RegularExpressions.RegexParseException"


def answer(source, kind="expression"):
    return run(compile_source(source, kind), Context(rng=random.Random(1)))


@pytest.mark.parametrize(
    ("source", "throws", "message"),
    [
        (f'int.Parse("{NINES}")', "System.OverflowException", INT32),
        (f'int.Parse("-{NINES}")', "System.OverflowException", INT32),
        (f'long.Parse("{NINES}")', "System.OverflowException", INT32.replace("Int32", "Int64")),
        (f'Convert.ToInt32("{NINES}")', "System.OverflowException", INT32),
        (f'Convert.ToInt32("{NINES}", 10)', "System.OverflowException", INT32.replace("an Int32", "a UInt32")),
        (f'decimal.Parse("{NINES}")', "System.OverflowException", INT32.replace("an Int32", "a Decimal")),
        (
            f'TimeSpan.Parse("{NINES}")',
            "System.OverflowException",
            f"The TimeSpan string '{NINES}' could not be parsed because {OUT_OF_RANGE}",
        ),
        (
            f'JToken.Parse("{{\\"a\\": {NINES}}}")',
            "Newtonsoft.Json.JsonReaderException",
            f"JSON integer {NINES} is too large to parse. Path 'a', line 1, position 5006.",
        ),
        (
            f'JsonConvert.DeserializeObject("{NINES}")',
            "Newtonsoft.Json.JsonReaderException",
            f"JSON integer {NINES} is too large to parse. Path '', line 1, position 5000.",
        ),
        (f'JToken.Parse("[1]").SelectToken("[{NINES}]")', "System.OverflowException", INT32),
        (f'string.Format("{{{NINES}}}", 1)', "System.FormatException", FORMAT),
        (f'string.Format("{{0,{NINES}}}", 1)', "System.FormatException", FORMAT),
        (f'string.Format("{{0,-{NINES}}}", 1)', "System.FormatException", FORMAT),
        (
            f'Regex.IsMatch("x", "x{{{NINES}}}")',
            PARSE,
            f"Invalid pattern 'x{{{NINES}}}' at offset 1. {GROUPS}",
        ),
        (
            f'Regex.Replace("x", "x", "${{{NINES}}}")',
            PARSE,
            f"Invalid pattern '${{{NINES}}}' at offset 5003. {GROUPS}",
        ),
        (
            'Regex.IsMatch("x", "a|(?R)")',
            PARSE,
            "Invalid pattern 'a|(?R)' at offset 2. Unrecognized grouping construct.",
        ),
        (
            'Regex.IsMatch("x", "(?:(?:(?:a{1000}){1000}){1000})")',
            STEPS_EXCEEDED,
            "a regular expression has more than 50,000 characters, its repetitions written out",
        ),
        (
            'Regex.IsMatch("x", string.Join("|", new string(\'a\', 50001)))',
            STEPS_EXCEEDED,
            "a regular expression has more than 50,000 characters, its repetitions written out",
        ),
        ("(1.1).ToString(new string('0', 1001))", STEPS_EXCEEDED, "a format has more than 1,000 characters"),
    ],
)
def test_a_number_that_is_too_large_is_the_exception_of_dotnet(source, throws, message):
    assert answer(source) == {"throws": throws, "message": message}


@pytest.mark.parametrize(
    ("source", "result", "type_"),
    [
        (f'int.Parse("{"0" * 5000}7")', 7, "System.Int32"),
        (f'double.Parse("{NINES}")', "Infinity", "System.Double"),
        (f'JToken.Parse("{"9" * 380}").Value<double>()', "Infinity", "System.Double"),
        (f'Regex.Match("x", "x").Groups["{NINES}"].Success', False, "System.Boolean"),
        ('string.Format("{0,00000000005}|", 1)', "    1|", "System.String"),
        ('(1.5).ToString("F500").Length', 502, "System.Int32"),
        ('(1e300).ToString("F200").Length', 502, "System.Int32"),
        (f"Regex.IsMatch(\"x\", new string('x', {LARGEST}))", False, "System.Boolean"),
        (r'Regex.IsMatch("(?R)", "^[(]\\?R\\)$")', True, "System.Boolean"),
        (r'Regex.IsMatch("ab12", "^(?<w>[a-z]{2}){1}(?=\\d)\\d{2,}$")', True, "System.Boolean"),
    ],
)
def test_long_texts_that_dotnet_reads_are_read(source, result, type_):
    assert answer(source) == {"result": result, "type": type_}


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (NINES, "the integral constant is too large"),
        (f"{NINES}UL", "the integral constant is too large"),
        (f"{NINES}m", "the decimal constant is too large"),
        (f"{NINES}.0", "the floating-point constant is too large"),
        ("1e39f", "the floating-point constant is too large"),
        ('$"{1,2000000000}"', "the width is larger than any text"),
    ],
    ids=["int", "ulong", "decimal", "double", "float", "width"],
)
def test_a_constant_that_no_type_holds_is_refused(source, message):
    with pytest.raises(ExpressionRefusedError) as caught:
        compile_source(source, "expression")
    assert [problem.message for problem in caught.value.problems] == [message]


@pytest.mark.parametrize(
    "source",
    [
        "var a = new List<object>(); a.Add(a); return a;",
        'var d = new Dictionary<string, object>(); d["d"] = d; return d;',
        "object a = 1; for (var i = 0; i < 100000; i++) { a = new object[] { a }; } return a;",
        "object a = 1; for (var i = 0; i < 101; i++) { a = new object[] { a }; } return a;",
    ],
)
def test_a_result_without_end_is_refused(source):
    why = "the result contains itself, or is nested too deep to be shown"
    assert answer(source, "block") == {
        "findings": [{"reason": "not-modelled", "line": 1, "column": 1, "message": why}]
    }


def test_a_result_that_is_nested_a_hundred_deep_is_shown():
    source = "object a = 1; for (var i = 0; i < 100; i++) { a = new object[] { a }; } return a;"
    shown = answer(source, "block")["result"]
    for _ in range(100):
        [shown] = shown
    assert shown == 1


def test_digits_of_a_double_beyond_the_28th_are_its_own():
    assert answer('(0.1).ToString("F40")')["result"] == "0.1000000000000000055511151231257827021182"
