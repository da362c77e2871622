"""Suppressions: exceptions from a rule, with a reason.

In a policy a comment speaks for the element that follows it, and for all that is inside:

    <!-- sinbin: ignore[SB101] the backend only answers GET -->

For any file, pyproject.toml speaks by path, rule and place:

    [[tool.sinbin.lint.ignore]]
    rule = "SB301"
    path = "infra/*.json"
    at = "/properties/pool"       # optional: a JSON pointer or element path, and all below it
    reason = "the second region opens in March"

A suppression without a reason suppresses nothing (SB002); one that suppresses nothing is a finding (SB003).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from typing import Any

from sinbin.lint.document import Document, Suppression
from sinbin.lint.engine import rule_ids, to_finding
from sinbin.lint.finding import Finding, Place, Problem
from sinbin.lint.rule import Rule

_NEVER = frozenset({"SB001", "SB002", "SB003"})
"""What sinbin says of itself cannot be silenced."""

Found = Sequence[tuple[Document, Finding]]


@dataclass(frozen=True, slots=True)
class ConfiguredSuppression:
    """One entry of `[[tool.sinbin.lint.ignore]]`, with the line of pyproject.toml it begins on."""

    rule: str
    path: str
    reason: str
    at: str
    line: int

    def matches_file(self, path: str) -> bool:
        """Whether it speaks for the file at `path`."""
        return fnmatch(path, self.path)

    def matches(self, finding: Finding) -> bool:
        """Whether it silences `finding`."""
        below = finding.element == self.at or finding.element.startswith(f"{self.at}/") or not self.at
        return finding.rule == self.rule and below and self.matches_file(finding.path)


def apply_suppressions(
    documents: Iterable[Document],
    found: Found,
    rules: Mapping[str, Rule[Any]],
    configured: Sequence[ConfiguredSuppression],
    configuration: Document | None,
) -> list[Finding]:
    """Return what is left of `found`, and what is to say of the suppressions themselves.

    `configuration` is pyproject.toml as a document, to which findings about its entries belong.
    """
    documents = tuple(documents)
    used: set[int] = set()
    left: list[Finding] = []
    for document, finding in found:
        silenced = [
            id(suppression)
            for suppression in document.suppressions
            if suppression.reason and finding.rule in suppression.rules and _inside(finding, suppression)
        ]
        silenced += [id(entry) for entry in configured if entry.reason and entry.matches(finding)]
        if silenced and finding.rule not in _NEVER:
            used.update(silenced)
        else:
            left.append(finding)
    for document in documents:
        for suppression in document.suppressions:
            left.extend(_verdict(suppression, document, rules, used=id(suppression) in used))
    if configuration is not None:
        judged = [document.path for document in documents]
        for entry in configured:
            if any(entry.matches_file(path) for path in judged):
                as_comment = Suppression(
                    (entry.rule,), entry.reason, configuration_place(configuration, entry), (0, 0)
                )
                left.extend(_verdict(as_comment, configuration, rules, used=id(entry) in used))
    return sorted(left)


def configuration_place(configuration: Document, entry: ConfiguredSuppression) -> Place:
    """Return the line of pyproject.toml on which `entry` begins."""
    lines = configuration.text.splitlines(keepends=True)
    start = sum(map(len, lines[: entry.line - 1]))
    end = start + len(lines[entry.line - 1].rstrip()) if entry.line <= len(lines) else start
    return Place((start, end), "tool.sinbin.lint.ignore")


def _inside(finding: Finding, suppression: Suppression) -> bool:
    start, end = suppression.covers
    return start <= finding.mark[0] < max(end, start + 1)


def _verdict(
    suppression: Suppression, document: Document, rules: Mapping[str, Rule[Any]], *, used: bool
) -> Iterable[Finding]:
    names = ", ".join(suppression.rules)
    if not suppression.reason:
        problem = Problem(
            suppression.place, f"the suppression of {names} gives no reason", "write the reason behind the bracket"
        )
        yield to_finding(rules["SB002"], document, problem)
        return
    unknown = [rule for rule in suppression.rules if rule not in rules and rule not in rule_ids()]
    if unknown:
        problem = Problem(
            suppression.place,
            f"there is no rule {', '.join(unknown)}",
            "correct the id; `sinbin rules` lists them",
        )
        yield to_finding(rules["SB003"], document, problem)
    elif not used:
        problem = Problem(
            suppression.place, f"{names} finds nothing here, so this suppresses nothing", "remove the suppression"
        )
        yield to_finding(rules["SB003"], document, problem)
