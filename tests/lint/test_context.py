from typing import get_args

from sinbin.lint.context import TIERS, Context, Facts, read_context_file
from sinbin.topology import Tier


def test_the_tiers_are_those_of_the_topology():
    assert get_args(Tier) == TIERS


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
