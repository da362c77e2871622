from pathlib import Path

import pytest

from scripts.read_rate_limits import main
from tests.engine.local_stack import known_stacks

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def nothing_runs_here(tmp_path, monkeypatch):
    for name in ("ARM_ENDPOINT", "ARM_SUBSCRIPTION_ID", "AZURE_SUBSCRIPTION_ID"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "Pulumi.yaml").symlink_to(ROOT / "Pulumi.yaml")
    (tmp_path / "stacks").symlink_to(ROOT / "stacks")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["-s", "local"],
            "the stack `local` lives in a local Azure, and none runs here; start it: sinbin local up",
        ),
        (["-s", "dev"], "ARM_SUBSCRIPTION_ID: is not set; set it to the id of your Azure subscription"),
        (
            ["-s", "local", "--prompt-tokens", "5"],
            "--prompt-tokens and --completion-tokens: say both, or neither",
        ),
        (
            ["-s", "local", "--prompt-tokens", "0", "--completion-tokens", "0"],
            "--prompt-tokens and --completion-tokens: a request has at least one token, none below zero",
        ),
        (
            ["-s", "nope"],
            (
                '{folder}/stacks: there is no stack "nope" (there is: {known}); name one of them, '
                "or write Pulumi.nope.yaml"
            ),
        ),
    ],
)
def test_wrong_input_ends_with_2_and_one_message(words, message, capsys, tmp_path):
    assert main(words) == 2
    assert capsys.readouterr().err == f"error: {message.format(folder=tmp_path, known=known_stacks())}\n"
