import json
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from sinbin.cli.lint import command as lint_command
from sinbin.cli.rules import command as rules_command

CASES = Path(__file__).parents[1] / "data" / "cases"
ROOT = Path(__file__).parents[2]


def run(*arguments, command=lint_command):
    result = CliRunner().invoke(command, list(map(str, arguments)), standalone_mode=False)
    return result.return_value, result.stdout, result.stderr, result.exception


def sinbin(*arguments, cwd):
    return subprocess.run(
        [sys.executable, "-m", "sinbin", *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )


def test_errors_end_in_one_and_warnings_only_when_asked():
    assert run(CASES / "F01.xml")[0] == 1
    assert run(CASES / "F12.json")[0] == 0
    assert run(CASES / "F12.json", "--fail-on", "warning")[0] == 1
    assert run(CASES / "F01.ok.xml", "--fail-on", "warning")[0] == 0


def test_scope_tier_and_streams_are_told_on_the_command_line():
    def rules(*arguments):
        return {f["rule"] for f in json.loads(run(*arguments, "--format", "json")[1])["findings"]}

    assert "SB110" in rules(CASES / "F22.xml", "--scope", "global") - rules(CASES / "F22.xml")
    assert "SB111" in rules(CASES / "F23.xml", "--tier", "Consumption") - rules(CASES / "F23.xml")
    assert "SB142" in rules(CASES / "F24.xml", "--streams") - rules(CASES / "F24.xml")


def test_a_context_file_tells_them_by_stem():
    code, out, _, _ = run(CASES, "--context", CASES / "INDEX.json", "--format", "json")
    found = {Path(f["path"]).name for f in json.loads(out)["findings"] if f["severity"] != "note"}
    assert code == 1
    assert found == {p.name for p in CASES.iterdir() if ".ok." not in p.name and p.name != "INDEX.json"}


def test_a_missing_file_is_one_message_and_two(tmp_path):
    result = sinbin("lint", "nowhere.xml", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "error: nowhere.xml: there is no such file or folder\n"
    result = sinbin("lint", cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr.startswith("error: nothing to judge was named; ")


def test_fix_writes_the_repair_and_reports_what_is_left(tmp_path):
    file = tmp_path / "api.xml"
    file.write_text((CASES / "F01.xml").read_text())
    result = sinbin("lint", "api.xml", "--fix", "--fail-on", "warning", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "1 finding repaired\n")
    assert file.read_text() == (CASES / "F01.ok.xml").read_text()


def test_a_baseline_lets_an_old_estate_start_clean(tmp_path):
    (tmp_path / "api.xml").write_text((CASES / "F01.xml").read_text())
    assert sinbin("lint", "api.xml", "--write-baseline", "b.json", cwd=tmp_path).returncode == 0
    result = sinbin("lint", "api.xml", "--baseline", "b.json", "--fail-on", "note", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (0, "1 file: nothing found\n")


def test_a_failing_rule_is_our_fault(tmp_path):
    (tmp_path / "api.xml").write_text((CASES / "F01.ok.xml").read_text())
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "sb901_x.py").write_text(
        "from sinbin.lint.finding import Severity\nfrom sinbin.lint.rule import PolicyRule\n"
        "class X(PolicyRule):\n"
        '    "X.\\n\\n## Why\\nx\\n## Bad\\nx\\n## Good\\nx\\n## Fix\\nx\\n"\n'
        '    id, name, severity, source = "SB901", "x", Severity.NOTE, "x"\n'
        "    def check(self, policy, context):\n        raise RuntimeError('no')\n"
    )
    result = sinbin("lint", "api.xml", "--rules", "rules", cwd=tmp_path)
    assert result.returncode == 70
    assert "SB001 [error] the rule SB901 x failed on this file: RuntimeError: no" in result.stdout


def test_a_stack_is_judged_with_all_that_it_would_create(monkeypatch):
    monkeypatch.chdir(ROOT)
    code, out, _, _ = run("-s", "prod", "--fail-on", "warning", "--format", "json")
    document = json.loads(out)
    assert (code, [f for f in document["findings"] if f["severity"] != "note"]) == (0, [])
    assert document["files"] > 3


def test_an_unknown_stack_is_the_users_mistake():
    result = sinbin("lint", "-s", "nowhere", cwd=ROOT)
    assert result.returncode == 2
    assert 'there is no stack "nowhere"' in result.stderr


def test_rules_lists_and_explains():
    code, out, _, _ = run(command=rules_command)
    assert code == 0
    assert "SB301  warning  pool-with-one-member" in out
    code, out, _, _ = run("pool-with-one-member", command=rules_command)
    assert out.startswith("# SB301 pool-with-one-member\n\nPool with a single member.\n")
    listed = json.loads(run("--format", "json", command=rules_command)[1])["rules"]
    assert [rule["id"] for rule in listed] == sorted(rule["id"] for rule in listed)
    assert len(listed) >= 60
    assert 'there is no rule "SB899"' in str(run("SB899", command=rules_command)[3])


def test_stale_pages_are_named(tmp_path):
    code, _, err, _ = run("--write", tmp_path, "--check", command=rules_command)
    assert code == 1
    assert f"{tmp_path / 'SB301.md'}: out of date" in err
    assert run("--write", tmp_path, command=rules_command)[0] == 0
    assert run("--write", tmp_path, "--check", command=rules_command)[0] == 0


def test_one_policy_is_judged_without_pydantic_rich_or_yaml(tmp_path):
    (tmp_path / "api.xml").write_text((CASES / "F01.xml").read_text())
    code = (
        "import sys\nfrom sinbin.cli.lint import command\n"
        "command(['api.xml'], standalone_mode=False)\n"
        "print(sorted({'pydantic', 'rich', 'yaml', 'jinja2', 'pulumi', 'asyncio'} & set(sys.modules)), file=sys.stderr)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert result.stderr == "[]\n"
