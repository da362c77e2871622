"""Text for people: each finding with its source line and a caret under what is wrong."""

from collections import Counter

from sinbin.lint.engine import Report
from sinbin.lint.finding import Finding, Severity
from sinbin.lint.secrets import masked

_COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.NOTE: "36"}
_WIDTH = 160
"""Longer source lines are cut around the caret: policies often put a whole document on one line."""


def render(report: Report, *, colour: bool) -> str:
    """Return the findings and a last line that counts them."""
    blocks = [_block(finding, report.source_line(finding), colour=colour) for finding in report.findings]
    return "\n".join([*blocks, _summary(report)]) + "\n"


def _block(finding: Finding, line: str, *, colour: bool) -> str:
    label = f"[{finding.severity.label}]"
    if colour:
        label = f"\033[{_COLOURS[finding.severity]}m{label}\033[0m"
    head = f"{finding.path}:{finding.line}:{finding.column}: {finding.rule} {label} {finding.message}"
    rows = [head, *_excerpt(finding, line), f"  help: {finding.help} ({finding.name})"]
    return "\n".join(rows)


def _excerpt(finding: Finding, line: str) -> list[str]:
    if not line.strip():
        return []
    line = masked(line)  # what is printed may end in the log of a pipeline
    start = finding.column - 1
    end = finding.end_column - 1 if finding.end_line == finding.line else len(line)
    left = max(0, min(start - _WIDTH // 3, len(line) - _WIDTH))
    shown = line[left : left + _WIDTH]
    before, after = "…" if left else "", "…" if left + _WIDTH < len(line) else ""
    length = max(1, min(end, left + _WIDTH) - start)
    # Tabs stay tabs under the line, so that the caret stands where the terminal draws the column.
    indent = "".join("\t" if character == "\t" else " " for character in shown[: start - left])
    return [f"  | {before}{shown}{after}", f"  | {' ' * len(before)}{indent}{'^' * length}"]


def _summary(report: Report) -> str:
    files = f"{report.files} file{'s' if report.files != 1 else ''}"
    counts = Counter(finding.severity for finding in report.findings)
    if not counts:
        return f"{files}: nothing found"
    parts = [
        f"{count} {severity.label}{'s' if count != 1 else ''}"
        for severity, count in sorted(counts.items(), reverse=True)
    ]
    fixable = sum(finding.fixable for finding in report.findings)
    hint = f"; {fixable} can be repaired with --fix" if fixable else ""
    return f"{files}: {', '.join(parts)}{hint}"
