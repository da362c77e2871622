from typing import get_args

import pytest

from sinbin.errors import SinbinError
from sinbin.lint.context import TIERS, Context, Facts, read_context_file
from sinbin.topology import Tier


def test_the_tiers_are_those_of_the_topology():
    assert get_args(Tier) == TIERS


def test_facts_that_no_rule_knows_are_named(tmp_path):
    path = tmp_path / "context.json"
    path.write_text('{"chat": {"scope": "api", "colour": "red", "form": "a list"}}')
    assert read_context_file(path).unused == ("chat.colour",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "a context file is a JSON object of facts by file stem, this is a list"),
        ('{"a": {"scope": "all"}}', 'a.scope: "all" is not allowed; one of global, workspace, product, api,'),
        ("{", "1:2: is no JSON: Expecting property name enclosed in double quotes"),
    ],
)
def test_a_wrong_context_file_is_refused(tmp_path, text, message):
    path = tmp_path / "context.json"
    path.write_text(text)
    with pytest.raises(SinbinError) as caught:
        read_context_file(path)
    assert str(caught.value).removeprefix(f"{path}:").lstrip().startswith(message)


def test_the_command_line_wins_over_the_context_file_which_wins_over_the_name(tmp_path):
    path = tmp_path / "context.json"
    path.write_text('{"_note": "x", "chat": {"scope": "product", "tier": "Consumption", "api_streams": true}}')
    by_file = read_context_file(path)
    told = Facts(given={"scope": "global"}, by_stem=by_file.by_stem)
    assert by_file.context("a/chat.ok.xml", {"scope": "api"}) == Context(
        scope="product", tier="Consumption", streams=True
    )
    assert told.context("a/chat.xml", {}) == Context(scope="global", tier="Consumption", streams=True)
    assert told.context("other.xml", {"scope": "operation"}) == Context(scope="global")


@pytest.mark.parametrize("fact", ['"websocket": true', '"api_type": "websocket"', '"operation": "onHandshake"'])
def test_the_handshake_of_a_websocket_api_is_told_in_three_ways(tmp_path, fact):
    path = tmp_path / "context.json"
    path.write_text(f'{{"chat": {{{fact}}}}}')
    assert read_context_file(path).context("chat.xml", {}) == Context(websocket=True)
