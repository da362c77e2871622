"""Rules about the repository itself."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LONGEST_MODULE = 300
LONGEST_EXTENSION = 150
"""A lint rule, a command or a script."""
EXTENSIONS = ("src/sinbin/lint/rules/", "src/sinbin/cli/", "scripts/")
NAMELESS = {"base", "common", "helper", "helpers", "misc", "util", "utils"}
FOREIGN = re.compile(r"/work/|/tmp/rooms|\.\./shared|helper-\d|subagent", re.IGNORECASE)
"""Words of a machine or of a way of working, which say nothing to a reader of the project."""


def tracked(*patterns: str) -> list[Path]:
    names = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    return [ROOT / name for name in names if (ROOT / name).is_file()]


def lines(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def test_a_module_can_be_read_in_one_sitting():
    limits = {
        path: LONGEST_EXTENSION if path.relative_to(ROOT).as_posix().startswith(EXTENSIONS) else LONGEST_MODULE
        for path in tracked(
            "src/**.py", "components/**.py", "policy_templates/**.py", "scripts/**.py", "stacks/**.py"
        )
    }
    assert {str(path.relative_to(ROOT)): lines(path) for path, most in limits.items() if lines(path) > most} == {}


def test_a_file_of_the_page_can_be_read_in_one_sitting():
    files = tracked("src/**.js", "src/**.css", "src/**.html")
    assert {str(path.relative_to(ROOT)): lines(path) for path in files if lines(path) > LONGEST_MODULE} == {}


def test_a_module_is_called_after_what_is_in_it():
    assert [path for path in tracked("*.py") if path.stem in NAMELESS] == []


def test_a_decision_has_a_number_of_its_own():
    numbers = [path.name[:4] for path in tracked("docs/adr/*.md")]
    titled = [path.read_text("utf-8")[2:6] for path in tracked("docs/adr/*.md")]
    assert sorted(set(numbers)) == sorted(numbers) == sorted(titled)


def test_a_file_with_tests_is_found_by_pytest():
    lost = [
        path
        for path in tracked("tests/**.py")
        if re.search(r"^(async )?def test_", path.read_text("utf-8"), re.MULTILINE)
        and not path.name.startswith("test_")
    ]
    assert lost == []


def test_no_test_is_skipped_or_expected_to_fail():
    pattern = re.compile(r"pytest\.(mark\.)?(skip|skipif|xfail|importorskip)\b")
    here = Path(__file__)
    assert [p for p in tracked("tests/**.py") if p != here and pattern.search(p.read_text("utf-8"))] == []


def test_behaviour_draws_from_no_state_that_others_share():
    packages = [f"src/sinbin/{name}/**.py" for name in ("gateway", "foundry", "csharp", "simulate", "policy")]
    shared = re.compile(r"\brandom\.(?!Random\b)\w+|\bfrom random import (?!Random$)", re.MULTILINE)
    found = {
        str(path.relative_to(ROOT)): shared.findall(path.read_text("utf-8"))
        for path in tracked(*packages)
        if shared.search(path.read_text("utf-8"))
    }
    assert found == {}


@pytest.mark.parametrize("word", [FOREIGN])
def test_the_repository_speaks_of_the_project_alone(word):
    here = Path(__file__)
    found = [
        str(path.relative_to(ROOT))
        for path in tracked(
            "*.py",
            "*.md",
            "*.toml",
            "*.yaml",
            "*.json",
            "*.sh",
            "*.j2",
            "*.js",
            "*.html",
            "*.css",
            "Makefile",
            ".ci/run",
        )
        if path != here and path.name != "uv.lock" and word.search(path.read_text("utf-8"))
    ]
    assert found == []
