"""No JSON, however odd, makes a rule fail, and a finding always points into the file."""

import json
from pathlib import Path

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from sinbin.lint.context import Facts
from sinbin.lint.engine import load_rules
from sinbin.lint.run import lint
from sinbin.lint.sources import read_text

CASES = Path(__file__).parent / "cases"
RULES = load_rules()
ODD = [
    None,
    True,
    0,
    -1,
    1e308,
    "",
    "[parameters('x')]",
    "${x}",
    "PT1M",
    "\ud83d\ude00",
    [],
    {},
    [[]],
    [None],
    {"": {}},
]
DOCUMENTS = [
    json.loads(case["text"])
    for path in sorted(CASES.glob("SB*.yaml"))
    for case in yaml.load(path.read_text("utf-8"), Loader=yaml.CSafeLoader)
    if case["file"].endswith(".json")
]


def places(value, path=()):
    yield path
    for key, member in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        yield from places(member, (*path, key))


def with_value(value, path, new):
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = with_value(value[path[0]], path[1:], new)
    return copy


@st.composite
def damaged(draw):
    document = draw(st.sampled_from(DOCUMENTS))
    for _ in range(draw(st.integers(1, 3))):
        document = with_value(
            document, draw(st.sampled_from(sorted(places(document), key=str))), draw(st.sampled_from(ODD))
        )
    return json.dumps(document, indent=draw(st.sampled_from([None, 1])))


def check(path, text):
    report = lint(
        read_text(path, text, Facts(given={"tier": "Consumption", "backend_kind": "azure-openai"})), RULES
    )
    lines = text.count("\n") + 1
    for finding in report.findings:
        assert finding.rule != "SB001", finding.message
        assert 1 <= finding.line <= finding.end_line <= lines + 1
        assert "\n" not in finding.message


@settings(max_examples=300, deadline=None)
@given(damaged())
def test_damaged_resources(text):
    check("x.json", text)


STACK = (Path(__file__).parents[2] / "stacks" / "Pulumi.local.yaml").read_text("utf-8")


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_damaged_stack_files(data):
    lines = STACK.splitlines(keepends=True)
    at = data.draw(st.integers(0, len(lines) - 1))
    lines[at] = data.draw(
        st.sampled_from(
            [
                "",
                "  - [\n",
                "\t\n",
                lines[at].partition(":")[0] + ": []\n",
                lines[at].partition(":")[0] + ":\n",
                "x: {}\n",
            ]
        )
    )
    check("Pulumi.local.yaml", "".join(lines))
