"""Markdown for a comment on a pull request, short enough for GitHub."""

from sinbin.lint.engine import Report
from sinbin.lint.finding import Finding, Severity

MAX_CHARACTERS = 65_536
"""Source: GitHub's API refuses a longer comment body ("body is too long (maximum is 65536 characters)")."""

_RESERVE = 200
"""Room for the line that says how many findings are left out."""


def render(report: Report, *, colour: bool) -> str:  # noqa: ARG001
    """Return a table of the findings, worst first, cut where GitHub would refuse it."""
    if not report.findings:
        return f"**sinbin lint**: nothing found in {report.files} file{'s' if report.files != 1 else ''}\n"
    ordered = sorted(report.findings, key=lambda finding: -finding.severity)
    lines = [f"**sinbin lint**: {_counts(ordered)}\n", "| | Where | What | What to do |", "|---|---|---|---|"]
    size = sum(len(line) + 1 for line in lines)
    for index, finding in enumerate(ordered):
        row = _row(finding)
        if size + len(row) + 1 > MAX_CHARACTERS - _RESERVE:
            lines.append(f"\n… and {len(ordered) - index} more; run `sinbin lint` to see them all")
            break
        lines.append(row)
        size += len(row) + 1
    return "\n".join(lines) + "\n"


def _counts(findings: list[Finding]) -> str:
    counts = [(s, sum(finding.severity is s for finding in findings)) for s in sorted(Severity, reverse=True)]
    return ", ".join(f"{n} {severity.label}{'s' if n != 1 else ''}" for severity, n in counts if n)


def _row(finding: Finding) -> str:
    where = f"`{finding.path}:{finding.line}`"
    return (
        f"| {finding.severity.label} {finding.rule} | {where} | {_cell(finding.message)} | {_cell(finding.help)} |"
    )


def _cell(text: str) -> str:
    cut = text if len(text) <= 500 else f"{text[:499]}…"
    return cut.replace("|", "\\|").replace("<", "&lt;").replace("\r", " ").replace("\n", " ")
