"""A rule's docstring as its page in docs/rules/, and the index of all pages."""

from collections.abc import Iterable, Mapping
from inspect import cleandoc
from pathlib import Path
from typing import Any

from sinbin.lint.rule import Rule

Rules = Iterable[Rule[Any] | type[Rule[Any]]]

_GENERATED = "<!-- written by `sinbin rules --write docs/rules`: edit the rule's docstring instead -->"
_GROUPS: Mapping[str, str] = {
    "0": "sinbin itself",
    "1": "Policy documents",
    "2": "C# in policy expressions",
    "3": "Backends, circuit breakers and pools",
    "4": "Limits, quota and model deployments",
    "5": "Security",
    "6": "Observability and cost",
    "9": "Your own rules",
}


def summary_of(rule: Rule[Any] | type[Rule[Any]]) -> str:
    """Return the first line of the page: what the rule finds."""
    return " ".join(cleandoc(rule.__doc__ or rule.name).partition("\n\n")[0].split())


def page_of(rule: Rule[Any] | type[Rule[Any]]) -> str:
    """Return the page in Markdown."""
    body = cleandoc(rule.__doc__ or "").partition("\n\n")[2]
    return (
        f"# {rule.id} {rule.name}\n\n{summary_of(rule)}\n\nSeverity: {rule.severity.label}\n\n{body}\n\n"
        f"## Source\n{_link(rule.source)}\n"
    )


def pages(rules: Rules) -> dict[str, str]:
    """Return every generated file of docs/rules/ by its name."""
    rules = list(rules)
    files = {f"{rule.id}.md": f"{_GENERATED}\n{page_of(rule)}" for rule in rules}
    lines = [_GENERATED, "# Rules", "", f"{len(rules)} rules; `sinbin rules ID` prints a page.", ""]
    for digit, title in _GROUPS.items():
        group = [rule for rule in rules if rule.id[2] == digit]
        if group:
            lines += [f"## {title}", "", "| Rule | Severity | Finds |", "|---|---|---|"]
            lines += [_row(rule) for rule in group]
            lines.append("")
    files["README.md"] = "\n".join(lines).rstrip() + "\n"
    return files


def stale_pages(folder: Path, rules: Rules) -> list[str]:
    """Return the names of the files in `folder` that differ from what the rules say, or that no rule has."""
    wanted = pages(rules)
    present = {path.name: path.read_text("utf-8") for path in sorted(folder.glob("*.md"))}
    return sorted(name for name in wanted.keys() | present.keys() if wanted.get(name) != present.get(name))


def write_pages(folder: Path, rules: Rules) -> None:
    """Write the pages into `folder`, and remove those of rules that are gone."""
    wanted = pages(rules)
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.md"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        (folder / name).write_text(text, "utf-8")


def _row(rule: Rule[Any] | type[Rule[Any]]) -> str:
    summary = summary_of(rule).replace("|", "\\|")
    return f"| [{rule.id} {rule.name}]({rule.id}.md) | {rule.severity.label} | {summary} |"


def _link(source: str) -> str:
    words = source.split()
    return " ".join(
        f"<{word}>" if word.startswith("https://") and word[-1] not in ",;" else word for word in words
    )
