"""Bad input to each command, as a real process: exit 2, one message that says what to do, nothing written."""

import subprocess
import sys

import pytest

NOT_YAML = "nonsense: ["

CASES = {
    "lint": (["lint", "nowhere"], "nowhere: there is no such file or folder"),
    "rules": (["rules", "SB999"], 'there is no rule "SB999"; `sinbin rules` lists them'),
    "plan": (["plan", "-s", "nope"], "no Pulumi.yaml"),
    "render": (["render", "-s", "nope", "--out", "made"], "no Pulumi.yaml"),
    "eval": (["eval", "foo("], '"foo(" is no policy expression: write @(…) around one expression'),
    "test": (["test", "bad.yaml"], "bad.yaml:2:1: is no YAML"),
    "simulate": (["simulate", "bad.yaml"], "bad.yaml:2:1: is no YAML"),
    "compare": (["compare", "bad.yaml"], "bad.yaml:2:1: is no YAML"),
    "capacity": (["capacity", "bad.yaml"], "bad.yaml:2:1: is no YAML"),
    "cards": (["cards", "nowhere.json"], "nowhere.json: there is no such file"),
    "local fault": (["local", "fault", "uksouth", "dns", "--state", "s"], "start it with `sinbin local up"),
    "local key": (["local", "key", "web-chat", "--state", "s"], "start it with `sinbin local up"),
    "local traces": (["local", "traces", "--state", "s"], "start it with `sinbin local up"),
    "local regions": (["local", "regions", "--state", "s"], "start it with `sinbin local up"),
}


@pytest.mark.parametrize(("words", "message"), CASES.values(), ids=CASES)
def test_bad_input_is_one_message_and_exit_2(tmp_path, words, message):
    (tmp_path / "bad.yaml").write_text(NOT_YAML)
    result = subprocess.run(
        [sys.executable, "-m", "sinbin", *words], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("error: ")
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("bad.yaml", NOT_YAML)]
